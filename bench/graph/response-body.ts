import { graphql, type GraphQLSchema } from 'graphql';

interface Payload {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

/** Executes the JSON body of a request with graphql-js and returns the response as JSON text. */
export async function responseBody(schema: GraphQLSchema, body: string): Promise<string> {
  const { query, variables, operationName } = JSON.parse(body) as Payload;
  return JSON.stringify(
    await graphql({ schema, source: query, variableValues: variables ?? undefined, operationName: operationName ?? undefined }),
  );
}
