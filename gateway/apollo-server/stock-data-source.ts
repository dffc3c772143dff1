import type { GraphQLDataSource } from '@apollo/gateway';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { toCrossingError, toFailure } from './stock-errors.ts';

export interface StockDataSourceOptions {
  /** Name of the subgraph in the supergraph. */
  readonly name: string;
  /** Subgraph client of the gateway. */
  readonly execute: SubgraphExecutor;
  /** Returns a signal that aborts at the deadline of the operation with this context. */
  readonly signalOf: (context: object) => AbortSignal;
}

type ProcessOptions = Parameters<GraphQLDataSource<SubgraphContext>['process']>[0];

/**
 * Creates a data source for the original gateway that sends requests with the subgraph client of the gateway: with its headers, signature,
 * policies, limits and allow-list of error codes. A failure is returned as an error of the response, so that the original gateway adds a
 * path to it.
 */
export function createStockDataSource({ name, execute, signalOf }: StockDataSourceOptions): GraphQLDataSource<SubgraphContext> {
  return {
    async process({ request, context }: ProcessOptions) {
      const { query = '', variables, operationName } = request;
      const requested: SubgraphRequest = {
        subgraph: name,
        kind: MUTATION.test(query) ? 'mutation' : 'query',
        body: JSON.stringify({ query, variables, operationName }),
        context: context as SubgraphContext,
      };
      try {
        const { data, errors } = await execute(requested, signalOf(context));
        return { data: data ?? null, ...(errors === undefined ? {} : { errors: errors.map(toCrossingError) }) };
      } catch (error) {
        return { data: null, errors: [toCrossingError(toFailure(error))] };
      }
    },
  };
}

/** Matches mutations: the original gateway prints the keyword of each request that is not a query. */
const MUTATION = /^\s*mutation\b/;
