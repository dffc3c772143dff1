import {
  type DirectiveNode,
  type DocumentNode,
  getDirectiveValues,
  getVariableValues,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { withoutUnused } from './without-unused.ts';

const TYPENAME = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;

const PREFIX = 'k_';

/** Returns the response key of a plain document for a key of the original. */
export const plainKey = (key: string | number): string => `${PREFIX}${String(key)}`;

/** Returns the response key of the original for a key of a plain document. */
export const originalKey = (key: string | number): string | number =>
  typeof key === 'string' && key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;

/**
 * Rewrites an operation for known values of its variables. The result has no conditions and no excluded selections, and has `__typename` in
 * every selection, so that every object of the response has its type. Each field has a response key that is not the name of a field.
 */
export function plainDocument(schema: GraphQLSchema, document: DocumentNode, inputs: Readonly<Record<string, unknown>>): DocumentNode {
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) return document;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], inputs);
  if (coerced === undefined) return document;
  const isRequested = (selection: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, selection, coerced)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, coerced)?.['if'] !== false;
  const plain: DocumentNode = visit(document, {
    SelectionSet: (set): SelectionSetNode => ({ ...set, selections: [...set.selections.filter(isRequested), TYPENAME] }),
    Field: {
      enter: (field) => (field.name.value.startsWith('__') ? false : undefined),
      leave: (field) => ({ ...field, alias: { kind: Kind.NAME, value: plainKey((field.alias ?? field.name).value) } }),
    },
    Directive: ({ name: { value } }: DirectiveNode) => (value === 'skip' || value === 'include' ? null : undefined),
  });
  return withoutUnused(plain);
}
