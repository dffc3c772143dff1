import { type DocumentNode, execute, type GraphQLSchema } from 'graphql';
import { plainKey } from './plain-document.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Executes a document with graphql-js over the response to its `plainDocument`. The result has exactly the fields that the specification
 * requires, in their order.
 */
export async function projectResponse(schema: GraphQLSchema, document: DocumentNode, data: unknown, variables: Values): Promise<unknown> {
  if (data === null || data === undefined) return null;
  const result = await execute({
    schema,
    document,
    rootValue: data,
    variableValues: variables,
    fieldResolver: (source: Values, _arguments, _context, { path }) => source[plainKey(path.key)],
    typeResolver: (value: Values) => String(value['__typename']),
  });
  return result.data ?? null;
}
