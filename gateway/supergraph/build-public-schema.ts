import {
  type ASTNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  buildASTSchema,
  validateSchema,
  visit,
} from 'graphql';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { type LinkedFeature, directiveNameIn } from './read-features.ts';

/** Directives that remain in the public schema. */
const VISIBLE: ReadonlySet<string> = new Set(['deprecated', 'specifiedBy', 'oneOf']);

/**
 * Builds the public schema of a supergraph. It contains no elements of linked features (link specification v1.0), and no `@inaccessible`
 * elements or references to them (inaccessible specification v0.2).
 *
 * @param document valid as SDL
 * @throws SupergraphInvalid when the result is not a valid schema
 */
export function buildPublicSchema(document: DocumentNode, features: readonly LinkedFeature[]): GraphQLSchema {
  const inaccessible = inaccessibleIn(features);
  const isHidden = ({ directives }: Annotated): boolean => directives?.some(({ name }) => inaccessible.has(name.value)) === true;
  const hidden = hiddenTypes(document, features, isHidden);
  const withoutHidden = (node: Annotated): null | undefined => (isHidden(node) ? null : undefined);
  const publicDocument = visit(document, {
    enter(node: ASTNode) {
      return isDefinition(node) && hidden.has(node.name.value) ? null : undefined;
    },
    DirectiveDefinition: (node) => (isOfFeature(features, node.name.value) ? null : undefined),
    FieldDefinition: (node) => withoutHidden(node),
    InputValueDefinition: (node) => withoutHidden(node),
    EnumValueDefinition: (node) => withoutHidden(node),
    OperationTypeDefinition: ({ type }) => (hidden.has(type.name.value) ? null : undefined),
    NamedType: (node, key, _parent, path) => (isListed(key, path) && hidden.has(node.name.value) ? null : undefined),
    Directive: ({ name }) => (VISIBLE.has(name.value) ? undefined : null),
  });
  return checked(buildASTSchema(publicDocument, { assumeValidSDL: true }));
}

type Annotated = { readonly directives?: readonly ConstDirectiveNode[] | undefined };

function checked(schema: GraphQLSchema): GraphQLSchema {
  const errors = validateSchema(schema);
  if (errors.length === 0) return schema;
  throw new SupergraphInvalid(`The supergraph cannot be served: ${errors.map(({ message }) => message).join('; ')}`);
}

function inaccessibleIn(features: readonly LinkedFeature[]): ReadonlySet<string> {
  return new Set(features.filter(({ name }) => name === 'inaccessible').map((feature) => directiveNameIn(feature, 'inaccessible')));
}

function hiddenTypes(
  { definitions }: DocumentNode,
  features: readonly LinkedFeature[],
  isHidden: (node: Annotated) => boolean,
): ReadonlySet<string> {
  const types = definitions.filter(isDefinition);
  return new Set(types.filter((type) => isHidden(type) || isOfFeature(features, type.name.value)).map(({ name }) => name.value));
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

/** Whether a named type is an entry of a list: an implemented interface, or a member of a union. */
function isListed(key: string | number | undefined, path: readonly (string | number)[]): key is number {
  const list = path.at(-2);
  return typeof key === 'number' && (list === 'interfaces' || list === 'types');
}
