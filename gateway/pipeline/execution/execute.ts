import type { ExecutionResult } from '../../execution/executable-operation.ts';
import type { Generations } from '../../generation/generations.ts';
import type { OperationCaching, PreparedOperation } from '../../generation/prepared-operation.ts';
import { createAbortControllerPool } from '../../platform/abort-controller-pool.ts';
import { systemClock } from '../../platform/clock.ts';
import { isPromise } from '../../platform/maybe-promise.ts';
import { recordPromise } from '../../platform/operation-recorder.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { CachedResult } from '../operation-result.ts';
import type { OperationRun } from '../operation-run.ts';
import type { WriteTracking } from '../stages/track-writes.ts';
import type { CacheableRuns } from './cached-responses.ts';
import { type IncrementalResult, runIncrementally } from './incremental.ts';
import { createSingleFlight, type SingleFlight } from '../../platform/single-flight.ts';
import { flightKeyOf } from './flight-key.ts';
import { withDeadline } from './with-deadline.ts';

/** Result of an execution, or of the response cache. */
export type PipelineResult = IncrementalResult | CachedResult;

/**
 * Executes an operation that was charged and authorized. It plans the operation when no plan is cached, and sends requests to subgraphs. A
 * query shares the execution of equal queries of the same caller, and may be served from the response cache.
 *
 * @param isText whether the response is needed as text
 */
export type ExecuteStage = (run: OperationRun, isText: boolean) => Promise<PipelineResult>;

export interface ExecuteOptions {
  readonly generations: Generations;
  /** Time for an operation, planning included. @unit milliseconds */
  readonly operationTimeoutMs: number;
  /** Executes queries whose response is cached. */
  readonly cached: CacheableRuns;
  /** Executes queries whose response only clients may cache. */
  readonly uncached: CacheableRuns;
  /** Whether HTTP allows caching of the response to a request. */
  readonly isCacheable: (request: OperationRequest) => boolean;
  /** Deduplication of equal queries of one caller that run at the same time. */
  readonly dedupe: Deduplication;
  readonly writes: WriteTracking;
}

/**
 * Setting for deduplication. `headers`: lower-case names of the headers that reach subgraphs; requests that differ in one are not equal.
 * `off`: disabled.
 */
export type Deduplication = 'off' | { readonly headers: 'all' | readonly string[] };

const NO_LABELS: readonly string[] = [];

export function createExecute(options: ExecuteOptions): ExecuteStage {
  const { generations, operationTimeoutMs, cached, uncached, isCacheable, dedupe, writes } = options;
  const controllers = createAbortControllerPool();
  /** Flights by prepared operation, and therefore by generation: every waiting request has pinned it. */
  const flights = new WeakMap<PreparedOperation, SingleFlight<IncrementalResult>>();

  /** Executes a mutation. It may have had an effect even when it failed. */
  async function executeWrite(run: OperationRun, isText: boolean): Promise<PipelineResult> {
    const write = writes.beforeWrite(run.request, run.operation.writtenLabels ?? NO_LABELS, run.executor);
    const tracked = { ...run, request: write.request, executor: write.executor };
    try {
      if (isIncremental(tracked, isText)) return await executeIncrementally(tracked);
      return await executeWithDeadline(tracked, undefined); // a mutation may already have had a partial effect
    } finally {
      write.end();
    }
  }

  function executeQuery(run: OperationRun, isText: boolean): Promise<PipelineResult> {
    const { operation, generation, variables, labels, request } = run;
    if (isIncremental(run, isText)) return executeIncrementally(run);
    const caching = cachingOf(run);
    const runs = caching === undefined ? undefined : cacheFor(request, isText);
    if (caching !== undefined && runs !== undefined) {
      return runs.run({ generation, caching, variables, labels }, request, (executor, signal) =>
        executeWithDeadline({ ...run, executor }, signal),
      );
    }
    // Connectors read the state that hooks have stored for their request.
    if (dedupe === 'off' || (request.hooked?.state.size ?? 0) > 0) return executeWithDeadline(run, request.signal);
    const key = flightKeyOf(request, variables, run, dedupe.headers);
    return flightsOf(operation).run(key, request.signal, (signal) => executeWithDeadline(run, signal));
  }

  function cacheFor(request: OperationRequest, isText: boolean): CacheableRuns | undefined {
    if (isText) return isCacheable(request) ? cached : undefined;
    if (request.queryOnly !== true) return undefined;
    return request.isStorable !== undefined && isCacheable(request) ? cached : uncached;
  }

  function executeWithDeadline(run: OperationRun, disconnectSignal: AbortSignal | undefined): Promise<ExecutionResult> {
    const pooled = controllers.take();
    const { controller } = pooled;
    return withDeadline(operationTimeoutMs, disconnectSignal, controller, () => planAndExecute(run, false, controller.signal)).then(
      (result) => {
        controllers.release(pooled);
        return result;
      },
    );
  }

  /** Executes an incremental response. The generation is pinned again, because the execution continues after the first payload. */
  function executeIncrementally(run: OperationRun): Promise<IncrementalResult> {
    const pin = generations.pin(run.generation);
    return runIncrementally({
      start: (signal) => planAndExecute(run, true, signal),
      timeoutMs: operationTimeoutMs,
      disconnectSignal: run.operation.kind === 'query' ? run.request.signal : undefined,
      onEnd: () => pin[Symbol.dispose](),
    });
  }

  function flightsOf(operation: PreparedOperation): SingleFlight<IncrementalResult> {
    let known = flights.get(operation);
    if (known === undefined) {
      known = createSingleFlight({ maxAgeMs: operationTimeoutMs / 2, now: systemClock.monotonic, share: shareBody });
      flights.set(operation, known);
    }
    return known;
  }

  return (run, isText) => (run.operation.kind === 'query' ? executeQuery(run, isText) : executeWrite(run, isText));
}

function isIncremental({ request, operation, variables }: OperationRun, isText: boolean): boolean {
  return isText && request.acceptsIncremental === true && operation.isDeferred?.(variables) === true;
}

async function planAndExecute(run: OperationRun, isDeferring: boolean, signal: AbortSignal): Promise<ExecutionResult> {
  const { operation, request, variables, labels, access, executor } = run;
  const planning = operation.executable(variables, labels, isDeferring, { access, planningCaller: request }); // cached per generation
  const executable = isPromise(planning) ? await recordPromise(request.recorder, 'plan', planning) : planning;
  signal.throwIfAborted();
  const { aliases, isTransient = false } = operation;
  const result = await executable.execute({ variables, context: request, executor, signal, aliases, isTransient });
  if (signal.aborted && isWithoutData(result)) throw signal.reason; // nothing arrived in time: the operation as a whole failed
  return result;
}

/** Minimum length of a body that is encoded once for all requests which share it. @unit characters */
const MIN_SHARED_LENGTH = 4_096;
/** Length from which a body is encoded in pieces while it is sent, because encoding it at once would delay other requests. @unit characters */
const MAX_SHARED_LENGTH = 262_144;

/** Encodes a long response once for all requests that share its execution. */
function shareBody(result: IncrementalResult, callers: number): readonly IncrementalResult[] {
  const shared = withSharedBody(result);
  return Array.from({ length: callers }, () => shared);
}

function withSharedBody(result: IncrementalResult): IncrementalResult {
  const { data, errors } = result;
  if (errors.length > 0 || data.length < MIN_SHARED_LENGTH || data.length >= MAX_SHARED_LENGTH) return result;
  const text = `{"data":${data}}`;
  return { ...result, shared: { text, bytes: Buffer.from(text) } };
}

/** Returns the cache settings, with the permissions in their id: callers with different permissions get different responses. */
function cachingOf({ operation: { caching }, access = '' }: OperationRun): OperationCaching | undefined {
  return caching === undefined || access === '' ? caching : { ...caching, id: `${caching.id} ${access}` };
}

const NOTHING = /^(?:null|\{(?:"[^"]*":null,?)*\})$/;

function isWithoutData({ data }: ExecutionResult): boolean {
  return NOTHING.test(data);
}
