import { operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { OperationRefused } from '../operation/errors.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import type { Planner } from './planner.ts';

/** A planner in this thread. Building it analyses the whole supergraph: tenths of a second for a large one. */
export function createPlanner({ supergraph }: LoadedSupergraph): Planner {
  const planner = new QueryPlanner(supergraph);
  const apiSchema = supergraph.apiSchema();
  return {
    async plan(document, operationName) {
      try {
        const operation = operationFromDocument(apiSchema, document, operationName === undefined ? {} : { operationName });
        return planner.buildQueryPlan(operation);
      } catch (error) {
        // The planner recurses as deep as the operation does.
        if (error instanceof RangeError) {
          throw new OperationRefused('GRAPHQL_VALIDATION_FAILED', [{ message: 'The document is nested too deeply.' }]);
        }
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}
