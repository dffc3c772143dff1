import { type RequestError, OperationRejected } from '../../operation/operation-rejected.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import type { QueryPlannerOptions } from '../create-query-planner.ts';
import type { IndexOptions } from '../indexing/create-indexes.ts';
import type { EncodedIndexes } from '../indexing/encode-indexes.ts';
import type { OperationPlan } from '../operation-plan.ts';
import { OperationUnplannable, type PlanInput } from '../query-planner.ts';
import { UnfilledField } from '../verification/unfilled-field.ts';

/** Data with which the planner's thread is started. */
export interface ThreadData {
  /** URL of the module with `createQueryPlanner`. */
  readonly plannerModule: string;
  /** URL of the module with `createIndexes`. */
  readonly indexModule: string;
}

/** A supergraph for which a thread plans. */
export interface OpenedSupergraph {
  readonly sdl: string;
  readonly plannerOptions: PlannerSettings;
  /** Planning index of the supergraph, if it exists. */
  readonly index?: Uint8Array | undefined;
  /** Set when the thread validates the supergraph and creates its indexes. */
  readonly indexing?: IndexOptions | undefined;
}

/** Settings of a planner. */
export type PlannerSettings = Omit<QueryPlannerOptions, 'index'>;

/**
 * A request to plan for another supergraph from now on, or to plan one operation. The next one is sent after the response to the previous
 * one. The first one opens a supergraph.
 */
export type ThreadRequest =
  /** Text of the supergraph before that of the next `open`. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly supergraph: OpenedSupergraph }
  | { readonly kind: 'plan'; readonly input: PlanInput };

export type ThreadResponse =
  | { readonly kind: 'ready'; readonly indexes?: EncodedIndexes | undefined }
  | { readonly kind: 'not-started'; readonly failure: PlanFailure }
  | { readonly kind: 'planned'; readonly plan: OperationPlan }
  | { readonly kind: 'failed'; readonly failure: PlanFailure };

/** A planning failure as plain data, because class instances cannot be passed between threads. */
type PlanFailure =
  | { readonly kind: 'rejected'; readonly code: ErrorCode; readonly errors: readonly RequestError[] }
  | {
      readonly kind: 'unplannable';
      readonly name: string;
      readonly message: string;
      readonly stack?: string;
      /** Schema coordinate of the selected field that no fetch provides. */
      readonly coordinate?: string;
    };

export function toPlanFailure(error: unknown): PlanFailure {
  if (error instanceof OperationRejected) return { kind: 'rejected', code: error.code, errors: error.errors };
  // The planner recurses to the depth of the operation.
  if (error instanceof RangeError) {
    return { kind: 'rejected', code: 'GRAPHQL_VALIDATION_FAILED', errors: [{ message: 'The document is nested too deeply.' }] };
  }
  if (!(error instanceof Error)) return { kind: 'unplannable', name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return {
    kind: 'unplannable',
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(error instanceof UnfilledField ? { coordinate: error.coordinate } : {}),
  };
}

/** Restores the error that the planner threw. The cause of a defect has the stack of the planner's thread. */
export function fromPlanFailure(failure: PlanFailure): OperationRejected | OperationUnplannable {
  if (failure.kind === 'rejected') return new OperationRejected(failure.code, failure.errors);
  return new OperationUnplannable(toError(failure), failure.coordinate);
}

/** Restores an error of the other thread, for the log. */
export function toError({ name, message, stack }: Extract<PlanFailure, { readonly kind: 'unplannable' }>): Error {
  return Object.assign(new Error(message), { name }, stack === undefined ? {} : { stack });
}
