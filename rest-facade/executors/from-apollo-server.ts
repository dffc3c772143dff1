import type { ApolloServer, BaseContext } from '@apollo/server';
import type { ExecuteOperation, ExecutionRequest } from './from-executor.ts';

/**
 * Runs operations on an Apollo Server in this process without HTTP, with its plugins, cache and error handling. The server must be started.
 *
 * @param toContext returns the context value of resolvers
 */
export function fromApolloServer<Context extends BaseContext>(
  server: Pick<ApolloServer<Context>, 'executeOperation'>,
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
