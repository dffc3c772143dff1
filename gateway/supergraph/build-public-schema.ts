import {
  type ASTNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLDirective,
  type GraphQLObjectType,
  GraphQLSchema,
  type InputValueDefinitionNode,
  isInputObjectType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  specifiedDirectives,
  validateSchema,
} from 'graphql';
import type { GraphQLSchemaNormalizedConfig } from 'graphql/type/schema.js';
import { extendSchemaImpl } from 'graphql/utilities/extendSchema.js';
import { runSteps } from '../platform/run-steps.ts';
import type { Annotated } from './create-type.ts';
import { addDefer } from './defer-directive.ts';
import { deferDefaults, hasObject, withoutObjectDefault } from './deferred-defaults.ts';
import { explainEmptyTypes, explainExposedTypes, type HiddenElements } from './explain-hidden.ts';
import { createFieldSetter } from './public-fields.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { type LinkedFeature, directiveNameIn } from '../directives/read-features.ts';

/** Directives that remain in the public schema. */
const VISIBLE: ReadonlySet<string> = new Set(['deprecated', 'specifiedBy', 'oneOf']);

/**
 * Builds the public schema of a supergraph, with `@defer`. It contains no elements of linked features (link specification v1.0), and no
 * `@inaccessible` elements or references to them (inaccessible specification v0.2).
 *
 * @param document valid as SDL
 * @throws SupergraphInvalid when the result is not a valid schema
 */
export function buildPublicSchema(document: DocumentNode, features: readonly LinkedFeature[]): GraphQLSchema {
  const schema = new GraphQLSchema(runSteps(configurePublicSchema(document, features)));
  const errors = validateSchema(schema);
  if (errors.length === 0) return schema;
  const reason = explainEmptyTypes(document, hiddenIn(document, features));
  const messages = errors.map(({ message }) => message).join('; ');
  throw new SupergraphInvalid(`The supergraph cannot be served: ${messages}${reason === undefined ? '' : ` ${reason}`}`);
}

/**
 * Returns the configuration of the public schema, in steps of one definition or type. The schema is not validated.
 *
 * @throws SupergraphInvalid when a public element has a hidden type
 */
export function* configurePublicSchema(
  document: DocumentNode,
  features: readonly LinkedFeature[],
): Generator<undefined, GraphQLSchemaNormalizedConfig, undefined> {
  const hidden = hiddenIn(document, features);
  const publicOf = createFilter(hidden);
  const definitions: DefinitionNode[] = [];
  for (const definition of document.definitions) {
    const isInternal =
      definition.kind === Kind.DIRECTIVE_DEFINITION
        ? isOfFeature(features, definition.name.value)
        : isDefinition(definition) && hidden.types.has(definition.name.value);
    if (isInternal) continue;
    definitions.push(publicOf(definition));
    yield;
  }
  try {
    return yield* configureSchema(definitions);
  } catch (cause) {
    // A hidden type is unknown where it is referred to. The references are only searched then, because that takes time at each start.
    const reason = explainExposedTypes(definitions, hidden);
    throw reason === undefined ? cause : new SupergraphInvalid(`The supergraph cannot be served: ${reason}`, { cause });
  }
}

function* configureSchema(definitions: readonly DefinitionNode[]): Generator<undefined, GraphQLSchemaNormalizedConfig, undefined> {
  const deferred = new Map<string, readonly InputValueDefinitionNode[]>();
  const created = definitions.map((definition) => withoutObjectDefaults(definition, deferred));
  const config = extendSchemaImpl(EMPTY_SCHEMA, { kind: Kind.DOCUMENT, definitions: created }, { assumeValidSDL: true });
  yield;
  const setFields = createFieldSetter(config.types);
  for (const type of config.types) {
    // The constructor of the schema would create the fields of all types at once.
    if (isInputObjectType(type)) deferDefaults(type.getFields(), deferred.get(type.name) ?? []);
    else if ('getFields' in type) setFields(type);
    yield;
  }
  return { ...config, ...rootsOf(config), directives: addDefer(withSpecified(config.directives)) };
}

/** Removes the default values of input fields that must be deferred. @param deferred receives these fields by type */
function withoutObjectDefaults(definition: DefinitionNode, deferred: Map<string, readonly InputValueDefinitionNode[]>): DefinitionNode {
  if (definition.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INPUT_OBJECT_TYPE_EXTENSION) return definition;
  const { name, fields = [] } = definition;
  const withObject = fields.filter(({ defaultValue }) => hasObject(defaultValue));
  if (withObject.length === 0) return definition;
  deferred.set(name.value, [...(deferred.get(name.value) ?? []), ...withObject]);
  return { ...definition, fields: fields.map(withoutObjectDefault) };
}

const EMPTY_SCHEMA: GraphQLSchemaNormalizedConfig = {
  description: undefined,
  query: undefined,
  mutation: undefined,
  subscription: undefined,
  types: [],
  directives: [],
  extensions: {},
  astNode: undefined,
  extensionASTNodes: [],
  assumeValid: false,
};

/** Returns the root types of a schema without a schema definition, which have the default names (GraphQL specification, section 3.3.1). */
function rootsOf({
  astNode,
  types,
}: GraphQLSchemaNormalizedConfig): Partial<Pick<GraphQLSchemaNormalizedConfig, 'query' | 'mutation' | 'subscription'>> {
  if (astNode !== undefined && astNode !== null) return {};
  const named = (name: string): GraphQLObjectType | undefined => types.filter(isObjectType).find((type) => type.name === name);
  return { query: named('Query'), mutation: named('Mutation'), subscription: named('Subscription') };
}

/** Adds the directives of GraphQL that the schema does not define itself. */
function withSpecified(directives: readonly GraphQLDirective[]): GraphQLDirective[] {
  const names = new Set(directives.map(({ name }) => name));
  return [...directives, ...specifiedDirectives.filter(({ name }) => !names.has(name))];
}

/** Creates a function that removes hidden elements, references to hidden types, and directives without an effect from a definition. */
function createFilter({ types: hidden, isHidden }: HiddenElements): (definition: DefinitionNode) => DefinitionNode {
  /** Visible directives by list. Many elements share a list. */
  const visible = new Map<readonly ConstDirectiveNode[], readonly ConstDirectiveNode[]>();

  function visibleOf(directives: readonly ConstDirectiveNode[] = NO_DIRECTIVES): readonly ConstDirectiveNode[] {
    if (directives.length === 0) return directives;
    let found = visible.get(directives);
    if (found === undefined) visible.set(directives, (found = directives.filter(({ name }) => VISIBLE.has(name.value))));
    return found;
  }

  function elementsOf<Element extends Annotated>(elements: readonly Element[] = []): Element[] {
    const found: Element[] = [];
    for (const element of elements) {
      if (isHidden(element)) continue;
      const directives = visibleOf(element.directives);
      found.push(directives === element.directives ? element : { ...element, directives });
    }
    return found;
  }

  function fieldsOf(fields: readonly FieldDefinitionNode[] = []): FieldDefinitionNode[] {
    const found = elementsOf(fields);
    for (const [index, field] of found.entries()) {
      if (field.arguments !== undefined && field.arguments.length > 0) found[index] = { ...field, arguments: elementsOf(field.arguments) };
    }
    return found;
  }

  const withoutHidden = (types: readonly NamedTypeNode[] = []): NamedTypeNode[] => types.filter(({ name }) => !hidden.has(name.value));

  return (definition) => {
    switch (definition.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION:
      case Kind.INTERFACE_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_EXTENSION: {
        const { directives, interfaces, fields } = definition;
        return { ...definition, directives: visibleOf(directives), interfaces: withoutHidden(interfaces), fields: fieldsOf(fields) };
      }
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      case Kind.INPUT_OBJECT_TYPE_EXTENSION:
        return { ...definition, directives: visibleOf(definition.directives), fields: elementsOf(definition.fields) };
      case Kind.ENUM_TYPE_DEFINITION:
      case Kind.ENUM_TYPE_EXTENSION:
        return { ...definition, directives: visibleOf(definition.directives), values: elementsOf(definition.values) };
      case Kind.UNION_TYPE_DEFINITION:
      case Kind.UNION_TYPE_EXTENSION:
        return { ...definition, directives: visibleOf(definition.directives), types: withoutHidden(definition.types) };
      case Kind.SCALAR_TYPE_DEFINITION:
      case Kind.SCALAR_TYPE_EXTENSION:
      case Kind.DIRECTIVE_EXTENSION:
        return { ...definition, directives: visibleOf(definition.directives) };
      case Kind.SCHEMA_DEFINITION:
      case Kind.SCHEMA_EXTENSION: {
        const operationTypes = (definition.operationTypes ?? []).filter(({ type }) => !hidden.has(type.name.value));
        return { ...definition, directives: visibleOf(definition.directives), operationTypes };
      }
      case Kind.DIRECTIVE_DEFINITION:
        return { ...definition, directives: visibleOf(definition.directives), arguments: elementsOf(definition.arguments) };
      case Kind.OPERATION_DEFINITION:
      case Kind.FRAGMENT_DEFINITION:
      default:
        return definition;
    }
  };
}

const NO_DIRECTIVES: readonly ConstDirectiveNode[] = [];

/** Returns the names of the directives that remove an element from the public schema. */
export function inaccessibleIn(features: readonly LinkedFeature[]): ReadonlySet<string> {
  return new Set(features.filter(({ name }) => name === 'inaccessible').map((feature) => directiveNameIn(feature, 'inaccessible')));
}

function hiddenIn({ definitions }: DocumentNode, features: readonly LinkedFeature[]): HiddenElements {
  const inaccessible = inaccessibleIn(features);
  const isHidden = ({ directives }: Annotated): boolean => directives?.some(({ name }) => inaccessible.has(name.value)) === true;
  const types = new Map<string, 'inaccessible' | 'feature'>();
  for (const type of definitions.filter(isDefinition)) {
    if (isHidden(type)) types.set(type.name.value, 'inaccessible');
    else if (isOfFeature(features, type.name.value)) types.set(type.name.value, 'feature');
  }
  return { types, isHidden };
}

function isOfFeature(features: readonly LinkedFeature[], name: string): boolean {
  return features.some((feature) => {
    if (name.startsWith(`${feature.namespace}__`) || name === feature.namespace) return true;
    return [...feature.imports.values()].some((imported) => imported === name || imported === `@${name}`);
  });
}

type TypeDefinition = Extract<ASTNode, { readonly name: unknown; readonly kind: `${string}TypeDefinition` }> & {
  readonly name: { readonly value: string };
} & Annotated;

const TYPE_DEFINITIONS: ReadonlySet<Kind> = new Set([
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.UNION_TYPE_DEFINITION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
]);

function isDefinition(node: ASTNode): node is TypeDefinition {
  return TYPE_DEFINITIONS.has(node.kind);
}
