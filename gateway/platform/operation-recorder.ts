import { type ErrorCode, GatewayError } from './errors.ts';
import type { TraceHeaders } from './trace-context.ts';

/** Stage of a request whose duration is recorded. */
export type RecordedStage = 'parse' | 'validate' | 'plan' | 'execute' | 'rest_bind' | 'rest_shape';

/** Measures the stages of one request or operation. */
export interface StageRecorder {
  /** Returns the current time, for the start of a stage. @unit milliseconds since an arbitrary start */
  now(): number;
  /**
   * Records a stage that ends now.
   *
   * @param startedAt time that `now` returned
   * @param errorCode code of the error that ended the stage. @defaultValue the stage succeeded
   */
  stage(stage: RecordedStage, startedAt: number, errorCode?: string): void;
}

/** Data about an operation that is known after it was prepared. */
export interface RecordedOperation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name?: string | undefined;
}

/** Result of the lookup in the response cache. Undefined when the response of the operation is not cached. */
export type CacheLookup = 'hit' | 'miss' | undefined;

/** Request to a subgraph that is being recorded. */
export interface FetchRecorder {
  /** Headers that continue the trace in the subgraph. Undefined when traces are off. */
  readonly trace: TraceHeaders | undefined;
  /** @param errorCode code of the failure. @defaultValue the request succeeded */
  end(errorCode?: string): void;
}

/** HTTP request of a connector. It contains no value of a request. */
export interface RecordedHttp {
  readonly method: string;
  /** URL template of the connector. */
  readonly template: string;
}

/** Records one operation. Requests have a recorder only where telemetry is on. */
export interface OperationRecorder extends StageRecorder {
  /** Records the operation that was selected from the document. */
  operation(operation: RecordedOperation): void;
  /** Records the estimated cost. @unit points */
  cost(points: number): void;
  /** Begins the stage `execute`, which ends with `endExecution` or with the failure of the operation. */
  beginExecution(): void;
  /** Ends the stage `execute`. @param errorCode code of the first error in the response, if it has errors */
  endExecution(errorCode: string | undefined, cacheLookup: CacheLookup): void;
  /**
   * Begins a request to a subgraph.
   *
   * @param http request to a back end of a connector. @defaultValue a GraphQL request
   */
  fetch(subgraph: string, kind: RecordedOperation['kind'], http?: RecordedHttp): FetchRecorder;
}

/** Endpoint of another component that was found for a request. */
export interface RecordedRoute {
  /** Path with parameters in braces, such as `/books/{id}`. */
  readonly template: string;
  /** Version of the interface. */
  readonly version?: number | undefined;
}

/** Records one HTTP request, for components that are mounted in the gateway. */
export interface RequestRecorder extends StageRecorder {
  route(route: RecordedRoute): void;
}

/** Runs a synchronous stage and records it. Without a recorder, it only runs. */
export function recordStage<Result>(recorder: StageRecorder | undefined, stage: RecordedStage, run: () => Result): Result {
  if (recorder === undefined) return run();
  const startedAt = recorder.now();
  try {
    const result = run();
    recorder.stage(stage, startedAt);
    return result;
  } catch (error) {
    recorder.stage(stage, startedAt, errorCodeOf(error));
    throw error;
  }
}

/** Records a stage that begins now and ends with a promise. Without a recorder, it returns the promise. */
export function recordPromise<Result>(
  recorder: StageRecorder | undefined,
  stage: RecordedStage,
  promise: Promise<Result>,
): Promise<Result> {
  return recorder === undefined ? promise : recordEnd(recorder, stage, promise);
}

async function recordEnd<Result>(recorder: StageRecorder, stage: RecordedStage, promise: Promise<Result>): Promise<Result> {
  const startedAt = recorder.now();
  try {
    const result = await promise;
    recorder.stage(stage, startedAt);
    return result;
  } catch (error) {
    recorder.stage(stage, startedAt, errorCodeOf(error));
    throw error;
  }
}

/** Returns the error code with which an error is reported to clients. */
export function errorCodeOf(error: unknown): ErrorCode {
  return error instanceof GatewayError ? error.code : 'INTERNAL_SERVER_ERROR';
}
