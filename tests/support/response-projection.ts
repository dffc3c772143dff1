import { type DocumentNode, execute, type GraphQLSchema, Kind, type SelectionSetNode, visit } from 'graphql';

type Values = Readonly<Record<string, unknown>>;

const TYPENAME = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;

/** The document with `__typename` in every selection, so that every object of its answer says what it is. */
export function withTypenames(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: (set): SelectionSetNode => ({ ...set, selections: [...set.selections, TYPENAME] }),
  });
}

/**
 * What graphql-js itself makes of a document, over data that was answered to the same document `withTypenames`: every
 * field that the specification says is in the answer, in its order, and nothing else.
 */
export async function projectResponse(schema: GraphQLSchema, document: DocumentNode, data: unknown, variables: Values): Promise<unknown> {
  if (data === null || data === undefined) return null;
  const result = await execute({
    schema,
    document,
    rootValue: data,
    variableValues: variables,
    fieldResolver: (source: Values, _arguments, _context, { path }) => source[path.key],
    typeResolver: (value: Values) => String(value['__typename']),
  });
  return result.data ?? null;
}
