import type { DocumentNode, GraphQLFormattedError } from 'graphql';
import type { ExecuteOperation, ExecutionRequest } from './from-executor.ts';

/** Apollo Server, of which only this method is needed. An own type, so that this package needs no types of Apollo Server. */
export interface OperationServer<Context> {
  executeOperation(
    request: { query?: string | DocumentNode; operationName?: string; variables?: Record<string, unknown> },
    options: { contextValue: Context },
  ): Promise<{
    body: { kind: 'single'; singleResult: ServerResult } | { kind: 'incremental'; initialResult: ServerResult };
  }>;
}

/** Result of one operation. */
export interface ServerResult {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[];
}

/**
 * Runs operations on an Apollo Server in this process without HTTP, with its plugins, cache and error handling. The server must be started.
 *
 * @param toContext returns the context value of resolvers
 */
export function fromApolloServer<Context extends object>(
  server: OperationServer<Context>,
  toContext: (request: ExecutionRequest) => Context | Promise<Context>,
): ExecuteOperation {
  return async (request) => {
    const { document, operationName, variables } = request;
    const contextValue = await toContext(request);
    const { body } = await server.executeOperation({ query: document, operationName, variables }, { contextValue });
    const { data, errors } = body.kind === 'single' ? body.singleResult : body.initialResult;
    return { data, errors };
  };
}
