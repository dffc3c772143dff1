import type { ExecutionOutcome } from '../execution/executable-operation.ts';
import type { Generation } from '../generation/generation.ts';
import type { Generations } from '../generation/generations.ts';
import type { OperationCaching, PreparedOperation } from '../generation/prepared-operation.ts';
import { systemClock } from '../platform/clock.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { AccessDecider } from './decide-access.ts';
import { flightKeyOf } from './flight-key.ts';
import type { CachedOutcome, OperationRequest } from './operation-request.ts';
import type { LabelDecider } from './override-labels.ts';
import { type OutcomeInParts, runInParts } from './run-in-parts.ts';
import { type CacheableRuns, type CachingSettings, createCacheableRuns, type Execute } from './run-cacheable.ts';
import { createInFlight, type InFlight } from './share-in-flight.ts';
import type { WriteTracking } from './own-writes.ts';
import { createStops } from './stops.ts';
import { withDeadline } from './with-deadline.ts';

export interface DedupeOptions {
  /** Headers that reach subgraphs, in lower case: requests that differ there are not equal. @defaultValue all */
  readonly headers?: readonly string[];
}

/** An operation with the variables of one request. */
export interface Prepared {
  readonly generation: Generation;
  readonly prepared: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An operation that is ready to be run for one request. */
interface Bound extends Prepared {
  /** What was decided about the caller's rights. Absent where nothing is guarded. */
  readonly access?: string;
  readonly labels: readonly string[];
  /** Who waits for its plan. */
  readonly asking: OperationRequest;
  /** Whether its answer comes in parts. */
  readonly isDeferring?: boolean;
  /** @defaultValue the generation's */
  readonly executor?: SubgraphExecutor;
}

export type Outcome = OutcomeInParts | CachedOutcome;

export type Output = 'bytes' | 'object';

/** Runs operations that were prepared, paid for, and are to be executed now. */
export interface Executions {
  /** The answer as it was kept, or by execution: of its own, or together with others who ask for the same at the same time. */
  execute(ready: Prepared, request: OperationRequest, output: Output): Promise<Outcome>;
  /** What is kept of answers; undefined where nothing is. */
  readonly cacheable: CacheableRuns | undefined;
}

export interface ExecutionsOptions {
  readonly generations: Generations;
  readonly decideAccess: AccessDecider;
  readonly decideLabels: LabelDecider;
  /** Until an operation must be answered, planning included. @unit milliseconds */
  readonly operationTimeoutMs: number;
  readonly caching?: CachingSettings | undefined;
  /** Whether the answer to a request is one that HTTP may keep. */
  readonly mayKeep: (request: OperationRequest) => boolean;
  readonly dedupe?: DedupeOptions | undefined;
  /** Lets callers read their own writes. @defaultValue nobody remembers writes */
  readonly writes?: WriteTracking | undefined;
}

const NO_LABELS: readonly string[] = [];

export function createExecutions(options: ExecutionsOptions): Executions {
  const { generations, decideAccess, decideLabels, operationTimeoutMs, caching, mayKeep, dedupe, writes } = options;
  const stops = createStops();
  const runs = { generations, maxFlightMs: operationTimeoutMs / 2 };
  const cacheable = caching && createCacheableRuns({ ...caching, ...runs });
  /** Of answers as values: how long they may be kept is told, and they are made each time. */
  const tellable = caching && createCacheableRuns({ ...caching, ...runs, cache: undefined });
  /** Flights belong to the prepared operation, and so to the generation: each of those who wait has pinned it. */
  const flights = new WeakMap<PreparedOperation, InFlight<ExecutionOutcome>>();

  /** Without a promise of its own where rights and labels need none. */
  function execute(ready: Prepared, request: OperationRequest, output: Output): Promise<Outcome> {
    const { authorisation } = ready.prepared;
    if (authorisation === undefined) return executeAs(ready, undefined, request, output);
    const access = decideAccess(authorisation, request);
    if (access instanceof Promise) return access.then((decided) => executeAs(ready, decided, request, output));
    return executeAs(ready, access, request, output);
  }

  function executeAs(ready: Prepared, access: string | undefined, request: OperationRequest, output: Output): Promise<Outcome> {
    const { labels: known = NO_LABELS, authorisation } = ready.prepared;
    if (access !== undefined && authorisation !== undefined) request.onAccess?.(authorisation.describe(access));
    const labels = known.length === 0 ? known : decideLabels(known, request);
    if (labels instanceof Promise) return labels.then((on) => runLabelled(bind(ready, access, on, request), request, output));
    return runLabelled(bind(ready, access, labels, request), request, output);
  }

  function runLabelled(bound: Bound, request: OperationRequest, output: Output): Promise<Outcome> {
    const { prepared } = bound;
    if (prepared.kind === 'mutation' && writes !== undefined) return runWriting(writes, bound, request, output);
    return runUntracked(bound, request, output);
  }

  /** Whatever the outcome, there may have been an effect. */
  async function runWriting(tracking: WriteTracking, bound: Bound, request: OperationRequest, output: Output): Promise<Outcome> {
    const { generation, prepared, executor = generation.executor } = bound;
    const write = tracking.beforeWrite(request, prepared.writtenLabels ?? NO_LABELS, executor);
    try {
      return await runUntracked({ ...bound, executor: write.executor }, write.request, output);
    } finally {
      write.end();
    }
  }

  function runUntracked(bound: Bound, request: OperationRequest, output: Output): Promise<Outcome> {
    const { prepared, variables, labels } = bound;
    if (output === 'bytes' && request.acceptsParts === true && prepared.isDeferred?.(variables) === true)
      return runDeferred(bound, request);
    if (prepared.kind !== 'query') return runBound(bound, request, undefined); // half of a mutation may be done already
    const caching = cachingFor(bound);
    const runs = caching === undefined ? undefined : runsFor(request, output);
    if (caching !== undefined && runs !== undefined) {
      const execute: Execute = (executor, signal) => runBound({ ...bound, executor }, request, signal);
      return runs.run({ generation: bound.generation, caching, variables, labels }, request, execute);
    }
    if (dedupe === undefined) return runBound(bound, request, request.signal);
    const key = flightKeyOf(request, variables, bound, dedupe.headers);
    return flightsOf(prepared).run(key, request.signal, (signal) => runBound(bound, request, signal));
  }

  function runsFor(request: OperationRequest, output: Output): CacheableRuns | undefined {
    if (output === 'bytes') return mayKeep(request) ? cacheable : undefined;
    return request.queryOnly === true ? tellable : undefined;
  }

  function runBound(bound: Bound, request: OperationRequest, clientGone: AbortSignal | undefined): Promise<ExecutionOutcome> {
    const stop = stops.take();
    const { controller } = stop;
    const work = (): Promise<ExecutionOutcome> => executeBound(bound, request, controller.signal);
    return withDeadline(operationTimeoutMs, clientGone, controller, work).then((outcome) => {
      stops.giveBack(stop);
      return outcome;
    });
  }

  /** Pins again what it runs on: it goes on when the first part is out. */
  function runDeferred(bound: Bound, request: OperationRequest): Promise<OutcomeInParts> {
    const pin = generations.pin(bound.generation);
    return runInParts({
      start: (signal) => executeBound({ ...bound, isDeferring: true }, request, signal),
      timeoutMs: operationTimeoutMs,
      clientGone: bound.prepared.kind === 'query' ? request.signal : undefined,
      onEnd: () => pin[Symbol.dispose](),
    });
  }

  function flightsOf(prepared: PreparedOperation): InFlight<ExecutionOutcome> {
    let known = flights.get(prepared);
    if (known === undefined) {
      known = createInFlight({ maxAgeMs: operationTimeoutMs / 2, now: systemClock.monotonic });
      flights.set(prepared, known);
    }
    return known;
  }
  return { execute, cacheable };
}

function bind(
  { generation, prepared, variables }: Prepared,
  access: string | undefined,
  labels: readonly string[],
  asking: OperationRequest,
): Bound {
  return access === undefined
    ? { generation, prepared, variables, labels, asking }
    : { generation, prepared, variables, labels, access, asking };
}

async function executeBound(bound: Bound, request: OperationRequest, signal: AbortSignal): Promise<ExecutionOutcome> {
  const { generation, prepared, variables, labels, isDeferring, executor = generation.executor } = bound;
  const known = prepared.executable(variables, labels, isDeferring, bound); // plan, compile; cached per generation
  const executable = known instanceof Promise ? await known : known;
  signal.throwIfAborted();
  const run = { variables, context: request, executor, signal };
  const { aliases, isPassing = false } = prepared;
  const outcome = await executable.execute(aliases === undefined ? run : { ...run, aliases, isPassing });
  if (signal.aborted && isWithoutData(outcome)) throw signal.reason; // nothing arrived in time: the operation as a whole failed
  return outcome;
}

/** Answers to those who may not see the same are not the same. */
function cachingFor({ prepared: { caching }, access = '' }: Bound): OperationCaching | undefined {
  return caching === undefined || access === '' ? caching : { ...caching, id: `${caching.id} ${access}` };
}

const NOTHING = /^(?:null|\{(?:"[^"]*":null,?)*\})$/;

function isWithoutData({ data }: ExecutionOutcome): boolean {
  return NOTHING.test(data);
}
