import { operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { OperationRefused } from '../operation/errors.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import { keepEmptyObjects } from './keep-empty-objects.ts';
import { OperationUnplannable } from './operation-unplannable.ts';
import type { Planner } from './planner.ts';

/** A planner in this thread. Building it analyses the whole supergraph: tenths of a second for a large one. */
export function createPlanner({ supergraph, schema }: LoadedSupergraph): Planner {
  const planner = new QueryPlanner(supergraph);
  const apiSchema = supergraph.apiSchema();
  return {
    async plan(document, operationName) {
      try {
        const operation = operationFromDocument(
          apiSchema,
          keepEmptyObjects(document, schema),
          operationName === undefined ? {} : { operationName },
        );
        return planner.buildQueryPlan(operation);
      } catch (error) {
        throw toRefusal(error);
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** How the planner says that it gives up on an operation; it gives no code. */
const GAVE_UP = /^(?:Exceeded maximum recursive selections|Number of non-local selections exceeds|Too many options generated)/;

/** It recurses as deep as the operation does, and has limits of its own on the work it does. All else is a defect of it. */
function toRefusal(error: unknown): OperationRefused | OperationUnplannable {
  if (error instanceof RangeError) return refusal('The document is nested too deeply.');
  if (error instanceof Error && GAVE_UP.test(error.message)) return refusal('The operation selects too much.');
  return new OperationUnplannable(error);
}

function refusal(message: string): OperationRefused {
  return new OperationRefused('GRAPHQL_VALIDATION_FAILED', [{ message }]);
}
