import {
  type ASTNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  type ObjectTypeDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
  type UnionTypeDefinitionNode,
  parse,
  parseType,
  print,
} from 'graphql';
import { argumentsOf, directivesOf } from './directive-locations.ts';
import { type LinkedFeature, directiveNameIn, joinFeatureIn, readFeatures } from './read-features.ts';
import { readSubgraphs } from './read-subgraphs.ts';
import type {
  FederatedContextArgument,
  FederatedField,
  FederatedGraph,
  FederatedType,
  FieldInSubgraph,
  TypeInSubgraph,
} from './federated-graph.ts';

type CompositeDefinition = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode | UnionTypeDefinitionNode;

/** Data about the whole supergraph that is needed to read a type. */
interface Definitions {
  /** Maps values of `join__Graph` to names of subgraphs. */
  readonly names: ReadonlyMap<string, string>;
  readonly composites: readonly CompositeDefinition[];
  /** Definitions that set a context. */
  readonly openers: readonly CompositeDefinition[];
  readonly directives: DirectiveNames;
}

/** Names of the directives in this supergraph, which a link may have renamed. */
type DirectiveNames = Readonly<Record<'type' | 'field' | 'implements' | 'unionMember' | 'owner' | 'inaccessible' | 'context', string>>;

/**
 * Reads the join directives of a supergraph. The supergraph must have been checked before: missing data is ignored.
 *
 * @param sdl supergraph written by composition, with any version of the join specification
 * @throws GraphQLError when a field set in it does not parse
 */
export function readFederatedGraph(sdl: string | DocumentNode): FederatedGraph {
  const document = typeof sdl === 'string' ? parse(sdl, { noLocation: true }) : sdl;
  const features = readFeatures(document);
  const join = joinFeatureIn(features);
  if (join === undefined) throw new GraphQLError('The schema does not link the join specification.');
  const roots = readRoots(document);
  const composites = document.definitions.filter(isComposite);
  const names = new Map([...readSubgraphs(document, join)].map(([value, { name }]) => [value, name]));
  const directives = directiveNames(features, join);
  const openers = composites.filter((definition) => directivesOf(definition, directives.context).length > 0);
  const definitions = { names, composites, openers, directives };
  const types = new Map(composites.map((definition) => [definition.name.value, readType(definition, definitions)]));
  const fieldNames = new Set<string>();
  for (const { fields } of types.values()) for (const name of fields.keys()) fieldNames.add(name);
  return { subgraphs: [...names.values()], types, roots, fieldNames };
}

function directiveNames(features: readonly LinkedFeature[], join: LinkedFeature): DirectiveNames {
  const nameOf = (directive: string): string => {
    const feature = features.find(({ identity }) => identity === `https://specs.apollo.dev/${directive}`);
    return feature === undefined ? directive : directiveNameIn(feature, directive);
  };
  return {
    type: directiveNameIn(join, 'type'),
    field: directiveNameIn(join, 'field'),
    implements: directiveNameIn(join, 'implements'),
    unionMember: directiveNameIn(join, 'unionMember'),
    owner: directiveNameIn(join, 'owner'),
    inaccessible: nameOf('inaccessible'),
    context: nameOf('context'),
  };
}

function isComposite(node: ASTNode): node is CompositeDefinition {
  return (
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION || node.kind === Kind.UNION_TYPE_DEFINITION
  );
}

function readRoots({ definitions }: DocumentNode): FederatedGraph['roots'] {
  const schema = definitions.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION);
  const named = new Set(definitions.flatMap((definition) => (isComposite(definition) ? [definition.name.value] : [])));
  const roots: Partial<Record<OperationDefinitionNode['operation'], string>> = {};
  for (const { operation, type } of schema?.operationTypes ?? []) roots[operation] = type.name.value;
  if (schema === undefined) {
    if (named.has('Query')) roots.query = 'Query';
    if (named.has('Mutation')) roots.mutation = 'Mutation';
    if (named.has('Subscription')) roots.subscription = 'Subscription';
  }
  return roots;
}

function readType(definition: CompositeDefinition, all: Definitions): FederatedType {
  const name = definition.name.value;
  const possible = possibleTypesOf(definition, all.composites);
  const subgraphs = readTypeInSubgraphs(definition, all);
  const isUnion = definition.kind === Kind.UNION_TYPE_DEFINITION;
  const fields = isUnion ? [] : (definition.fields ?? []).map((field) => readField(field, definition, subgraphs, all));
  return {
    name,
    kind: definition.kind === Kind.OBJECT_TYPE_DEFINITION ? 'object' : isUnion ? 'union' : 'interface',
    fields: new Map(fields.map((field) => [field.name, field])),
    possibleTypes: new Set(possible.map((type) => type.name.value)),
    publicTypes: new Set(
      possible.filter((type) => directivesOf(type, all.directives.inaccessible).length === 0).map((type) => type.name.value),
    ),
    interfaces: isUnion ? [] : (definition.interfaces ?? []).map((type) => type.name.value),
    subgraphs,
    contexts: contextsOf(definition, all),
  };
}

/** Returns the contexts that a type sets itself, and those of its interfaces and unions. */
function contextsOf(definition: CompositeDefinition, { openers, directives }: Definitions): readonly string[] {
  const opening = openers.filter((opener) => opener === definition || isPartOf(definition, opener));
  const applications = opening.flatMap((opener) => directivesOf(opener, directives.context));
  return [...new Set(applications.map((directive) => String(argumentsOf(directive)['name'])))];
}

/** Whether each value of a type also belongs to an interface or a union. */
function isPartOf(definition: CompositeDefinition, whole: CompositeDefinition): boolean {
  const isNamed = (names: readonly NamedTypeNode[] = [], { name }: CompositeDefinition): boolean => {
    return names.some((named) => named.name.value === name.value);
  };
  if (whole.kind === Kind.UNION_TYPE_DEFINITION) return isNamed(whole.types, definition);
  return definition.kind !== Kind.UNION_TYPE_DEFINITION && isNamed(definition.interfaces, whole);
}

/** Returns the possible object types of a value in any subgraph. */
function possibleTypesOf(definition: CompositeDefinition, all: readonly CompositeDefinition[]): readonly CompositeDefinition[] {
  if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) return [definition];
  if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
    const members = new Set(definition.types?.map(({ name }) => name.value));
    return all.filter(({ name }) => members.has(name.value));
  }
  return all.filter((type) => {
    return type.kind === Kind.OBJECT_TYPE_DEFINITION && type.interfaces?.some(({ name }) => name.value === definition.name.value) === true;
  });
}

function readTypeInSubgraphs(definition: CompositeDefinition, all: Definitions): ReadonlyMap<string, TypeInSubgraph> {
  const found = new Map<string, { keys: SelectionSetNode[]; isInterfaceObject: boolean; possibleTypes: ReadonlySet<string> }>();
  for (const directive of directivesOf(definition, all.directives.type)) {
    const { graph, key, resolvable, isInterfaceObject } = argumentsOf(directive);
    const subgraph = all.names.get(String(graph));
    if (subgraph === undefined) continue;
    let entry = found.get(subgraph);
    if (entry === undefined) {
      entry = {
        keys: [],
        isInterfaceObject: isInterfaceObject === true,
        possibleTypes: possibleTypesIn(definition, String(graph), all),
      };
      found.set(subgraph, entry);
    }
    if (typeof key === 'string' && resolvable !== false) entry.keys.push(parseFieldSet(key));
  }
  return found;
}

/** Returns the possible object types of a value in one subgraph. */
function possibleTypesIn(definition: CompositeDefinition, graph: string, { composites, directives }: Definitions): ReadonlySet<string> {
  const possible = possibleTypesOf(definition, composites);
  const isHere = (directive: ConstDirectiveNode, argument: string, name: string): boolean => {
    const given = argumentsOf(directive);
    return given['graph'] === graph && given[argument] === name;
  };
  const here = possible.filter((type) => {
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) return true;
    if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
      const members = directivesOf(definition, directives.unionMember);
      return members.length === 0 || members.some((member) => isHere(member, 'member', type.name.value));
    }
    const implemented = directivesOf(type, directives.implements);
    return implemented.length === 0 || implemented.some((directive) => isHere(directive, 'interface', definition.name.value));
  });
  return new Set(here.map(({ name }) => name.value));
}

function readField(
  definition: FieldDefinitionNode,
  owner: CompositeDefinition,
  ofType: ReadonlyMap<string, TypeInSubgraph>,
  { names, directives }: Definitions,
): FederatedField {
  const name = definition.name.value;
  const joined = directivesOf(definition, directives.field);
  const subgraphs = new Map<string, FieldInSubgraph>();
  for (const directive of joined) {
    const subgraph = names.get(String(argumentsOf(directive)['graph']));
    if (subgraph !== undefined) subgraphs.set(subgraph, readFieldInSubgraph(definition, directive));
  }
  if (joined.length === 0) {
    // Without `@join__field`, the field belongs to all subgraphs that have the type. If `@join__type` is also missing, it belongs to all
    // subgraphs.
    const all = ofType.size > 0 ? [...ofType.keys()] : [...names.values()];
    for (const subgraph of all) subgraphs.set(subgraph, readFieldInSubgraph(definition, undefined));
  } else if (directivesOf(owner, directives.owner).length > 0) {
    // Join v0.1 lists only the owner of a field. Another subgraph has the field if one of its keys contains it.
    for (const [subgraph, { keys }] of ofType) {
      if (subgraphs.has(subgraph) || !keys.some((key) => isNamedIn(key, name))) continue;
      subgraphs.set(subgraph, readFieldInSubgraph(definition, undefined));
    }
  }
  return {
    name,
    type: print(definition.type),
    namedType: namedTypeOf(definition.type),
    ...(definition.arguments?.some(isRequired) === true ? { hasRequiredArguments: true } : {}),
    subgraphs,
  };
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined;
}

function isNamedIn({ selections }: SelectionSetNode, field: string): boolean {
  return selections.some((node) => node.kind === Kind.FIELD && node.name.value === field);
}

function readFieldInSubgraph(definition: FieldDefinitionNode, directive: ConstDirectiveNode | undefined): FieldInSubgraph {
  const given = argumentsOf(directive);
  const { type, requires, provides, external, usedOverridden, override, overrideLabel, contextArguments } = given;
  const node = typeof type === 'string' ? parseType(type, { noLocation: true }) : definition.type;
  const hasLabel = typeof overrideLabel === 'string';
  return {
    type: print(node),
    namedType: namedTypeOf(node),
    isExternal: external === true || (usedOverridden === true && !hasLabel),
    ...(typeof requires === 'string' ? { requires: parseFieldSet(requires) } : {}),
    ...(typeof provides === 'string' ? { provides: parseFieldSet(provides) } : {}),
    ...(hasLabel ? { label: { name: overrideLabel, isOn: typeof override === 'string' } } : {}),
    contextArguments: Array.isArray(contextArguments) ? contextArguments.map(toContextArgument) : [],
  };
}

function toContextArgument(raw: unknown): FederatedContextArgument {
  const { name, type, context, selection } = raw as Readonly<Record<string, unknown>>;
  return { name: String(name), type: String(type), context: String(context), selection: parseFieldSet(String(selection)) };
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}

/** Parses a field set of `@key`, `@requires` or `@provides`, with or without enclosing braces. */
function parseFieldSet(text: string): SelectionSetNode {
  const [definition] = parse(text.trim().startsWith('{') ? text : `{${text}}`, { noLocation: true }).definitions;
  return (definition as OperationDefinitionNode).selectionSet;
}
