import type { ApolloServer, BaseContext } from '@apollo/server';
import type { ExecuteOperation, ExecutionRequest } from './from-executor.ts';

/**
 * Runs operations on an Apollo Server in this process, without HTTP between: with its plugins, its cache and its errors. The
 * server must have been started.
 *
 * @param toContext what resolvers get as their context
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
