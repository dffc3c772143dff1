import type { GraphQLDataSource } from '@apollo/gateway';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { toCrossingError, toFailure } from './stock-errors.ts';

export interface StockDataSourceOptions {
  /** Name of the subgraph as the supergraph spells it. */
  readonly name: string;
  /** Our own client of subgraphs. */
  readonly execute: SubgraphExecutor;
  /** Ends with the time of the operation that a context belongs to. */
  readonly signalOf: (context: object) => AbortSignal;
}

type ProcessOptions = Parameters<GraphQLDataSource<SubgraphContext>['process']>[0];

/**
 * Asks one subgraph for the stock gateway by our own client: with its headers, signature, policies, bounds, and allow-list of error codes.
 * A failure is an error of the response, so that the stock gateway puts a path to it.
 */
export function createStockDataSource({ name, execute, signalOf }: StockDataSourceOptions): GraphQLDataSource<SubgraphContext> {
  return {
    async process({ request, context }: ProcessOptions) {
      const { query = '', variables, operationName } = request;
      const asked: SubgraphRequest = {
        subgraph: name,
        kind: MUTATION.test(query) ? 'mutation' : 'query',
        body: JSON.stringify({ query, variables, operationName }),
        context: context as SubgraphContext,
      };
      try {
        const { data, errors } = await execute(asked, signalOf(context));
        return { data: data ?? null, ...(errors === undefined ? {} : { errors: errors.map(toCrossingError) }) };
      } catch (error) {
        return { data: null, errors: [toCrossingError(toFailure(error))] };
      }
    },
  };
}

/** The stock gateway prints the keyword of each request that is no query. */
const MUTATION = /^\s*mutation\b/;
