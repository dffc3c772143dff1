import type { ExecutionResult } from 'graphql';

interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: unknown;
}

/**
 * Sends an operation to the gateway that served the page. An error response is returned like any other response and is displayed unchanged.
 */
export async function fetchGraphql(
  { query, operationName, variables }: GraphqlRequest,
  { headers }: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ExecutionResult> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json;q=0.9' },
    body: JSON.stringify({ query, operationName, variables }),
  });
  return (await response.json()) as ExecutionResult;
}
