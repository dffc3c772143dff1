import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { RequestContext } from '../request-context.ts';
import type { ExecuteOperation } from './subgraph-response.ts';

/** Executes operations with an Apollo Server. */
export function executeWithApollo(apollo: ApolloServer<RequestContext>): ExecuteOperation {
  return async (body, requestHeaders, createContext) => {
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(requestHeaders)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    const response = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers, search: '', body },
      context: async () => createContext(),
    });
    return {
      status: response.status ?? 200,
      headers: response.headers,
      body: response.body.kind === 'complete' ? response.body.string : response.body.asyncIterator,
    };
  };
}
