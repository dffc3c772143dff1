import type { MaintenanceState } from '../../gateway/composition/open-primary.ts';
import type { WorkerEndpoint } from '../../gateway/http/primary/request-worker.ts';
import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { OpenPrimarySession } from '../../gateway/platform/primary-state.ts';
import { CommandFailed } from '../command-failed.ts';
import type { WorkerMessage } from './messages.ts';
import { type CallServer, createCallServer } from './serve-calls.ts';
import type { WorkerExit, WorkerProcess } from './worker-process.ts';

/** Workers of one primary. */
export interface WorkerPool {
  /**
   * Starts the first worker, then the others. Resolves to the public URL when all are ready.
   *
   * @throws CommandFailed when workers end before they are ready
   */
  start(): Promise<string>;
  /** Rejects with CommandFailed when no worker serves and new ones do not start. Never resolves. */
  readonly failure: Promise<never>;
  /** Replaces the workers one after another: the new one is ready before the old one finishes its requests and ends. */
  restart(): Promise<void>;
  /** Lets all workers finish their requests. Resolves when all have ended. */
  stop(): Promise<void>;
  /** Workers whose internal listener is open. */
  endpoints(): readonly WorkerEndpoint[];
  /** Number of workers that ended unexpectedly. */
  readonly replacements: number;
}

export interface WorkerPoolOptions {
  readonly count: number;
  readonly fork: () => WorkerProcess;
  /** Time after which a worker that was stopped is killed. @unit milliseconds */
  readonly stopTimeoutMs: number;
  /** Opens the shared state for a worker. */
  readonly openSession: OpenPrimarySession;
  /** Returns the maintenance mode with which a worker starts. */
  readonly maintenance: () => MaintenanceState | undefined;
  /** Called when a worker is ready, before it counts as ready. */
  readonly onReady: (worker: WorkerEndpoint, startedWith: MaintenanceState | undefined) => Promise<void>;
  /** Called before a worker is stopped. */
  readonly onStop: (worker: WorkerEndpoint) => Promise<void>;
  /** Called when a worker has ended. */
  readonly onEnd: (worker: Pick<WorkerEndpoint, 'number'>) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Calls a function later. Returns a function that cancels the call. */
  readonly schedule: (run: () => void, delayMs: number) => () => void;
  readonly logger: Logger;
}

interface PoolWorker {
  readonly number: number;
  readonly process: WorkerProcess;
  readonly calls: CallServer;
  state: 'starting' | 'ready' | 'stopping';
  /** Whether it is started by a rolling restart, which ends if this worker does not become ready. */
  readonly isReplacement: boolean;
  startedWith: MaintenanceState | undefined;
  readyAt: number | undefined;
  internalUrl: string | undefined;
  url: string;
  /** Resolves when the worker is ready, or has ended before. */
  readonly whenReady: Deferred<boolean>;
  readonly whenEnded: Deferred<void>;
}

/** First delay before a worker is replaced. It doubles with each further worker that ends soon. @unit milliseconds */
const FIRST_DELAY_MS = 100;
/** @unit milliseconds */
const MAX_DELAY_MS = 10_000;
/** Time after which a worker counts as stable, so that the delay begins again at its first value. @unit milliseconds */
const STABLE_MS = 10_000;
/** Number of consecutive workers that may end before they are ready while no worker serves. */
const MAX_FAILED_STARTS = 5;

/** Creates the pool. It starts nothing yet. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { count, fork, stopTimeoutMs, openSession, clock, schedule, logger } = options;
  const workers = new Set<PoolWorker>();
  const scheduled = new Set<() => void>();
  const failure = defer<never>();
  failure.promise.catch(() => {}); // It is not awaited while the pool stops.
  const complete = defer<string>();
  let soonEnds = 0;
  let failedStarts = 0;
  let replacements = 0;
  let wasReady = false;
  let isStopping = false;
  let restarting: Promise<void> | undefined;
  let isRestartRequested = false;

  function launch(isReplacement = false): PoolWorker {
    const process = fork();
    const worker: PoolWorker = {
      number: lowestFreeNumber(workers),
      process,
      calls: createCallServer(openSession, (message) => process.send(message)),
      state: 'starting',
      isReplacement,
      startedWith: undefined,
      readyAt: undefined,
      internalUrl: undefined,
      url: '',
      whenReady: defer(),
      whenEnded: defer(),
    };
    workers.add(worker);
    process.onMessage((message) => receive(worker, message));
    process.onExit((exit) => end(worker, exit));
    return worker;
  }

  function receive(worker: PoolWorker, message: WorkerMessage): void {
    const { process, number } = worker;
    switch (message.type) {
      case 'join':
        worker.startedWith = options.maintenance();
        process.send({ type: 'start', number, workers: count, maintenance: worker.startedWith });
        // A message that was sent before would have been lost.
        if (worker.state === 'stopping') process.send({ type: 'stop' });
        break;
      case 'ready':
        worker.internalUrl = message.internalUrl;
        worker.url = message.url;
        void becomeReady(worker);
        break;
      case 'calls':
        // Messages can arrive after the end of a process, whose leases have been charged.
        if (workers.has(worker)) worker.calls.receive(message.calls);
        break;
      case 'publish':
      default:
        for (const other of workers) if (other !== worker) other.process.send({ type: 'published', messages: message.messages });
    }
  }

  async function becomeReady(worker: PoolWorker): Promise<void> {
    await options.onReady(toEndpoint(worker), worker.startedWith);
    if (worker.state !== 'starting' || !workers.has(worker)) return;
    worker.state = 'ready';
    worker.readyAt = clock.monotonic();
    wasReady = true;
    failedStarts = 0;
    worker.whenReady.resolve(true);
    logger.info({ worker: worker.number, pid: worker.process.pid }, 'A worker serves requests.');
    fill(0); // Only the first worker is started until it is ready, so that an error in the configuration is printed once.
    if (readyWorkers().length === count) complete.resolve(worker.url);
  }

  function readyWorkers(): readonly PoolWorker[] {
    return [...workers].filter(({ state }) => state === 'ready');
  }

  function end(worker: PoolWorker, exit: WorkerExit): void {
    const { state, readyAt, number } = worker;
    workers.delete(worker);
    worker.calls.end();
    options.onEnd({ number });
    worker.whenReady.resolve(false);
    worker.whenEnded.resolve();
    if (isStopping || state === 'stopping') return;
    replacements += 1;
    if (readyAt === undefined) failedStarts += 1;
    else if (clock.monotonic() - readyAt >= STABLE_MS) soonEnds = 0;
    if (isHopeless(exit)) return fail(exit);
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** soonEnds);
    soonEnds += 1;
    const details = { worker: number, pid: worker.process.pid, code: exit.code, signal: exit.signal };
    if (worker.isReplacement && readyAt === undefined) {
      logger.error(details, 'A new worker ended before it was ready. The rolling restart is canceled, and the previous workers continue.');
    } else logger.error({ ...details, delayMs }, 'A worker ended unexpectedly. It is replaced.');
    fill(delayMs);
  }

  /** Whether another start would fail too, and nothing is served. A worker that reports an error of its configuration ends with 1 or 2. */
  function isHopeless({ code }: WorkerExit): boolean {
    if (readyWorkers().length > 0) return false;
    return failedStarts >= MAX_FAILED_STARTS || (!wasReady && (code === 1 || code === 2));
  }

  function fail(exit: WorkerExit): void {
    isStopping = true;
    cancelScheduled();
    for (const { process } of workers) process.kill();
    failure.reject(describeFailure(exit, failedStarts));
  }

  /** Starts as many workers as are missing, later. */
  function fill(delayMs: number): void {
    const running = [...workers].filter(({ state }) => state !== 'stopping').length;
    for (let missing = (wasReady ? count : 1) - running - scheduled.size; missing > 0; missing -= 1) {
      const cancel = schedule(() => {
        scheduled.delete(cancel);
        if (!isStopping) launch();
      }, delayMs);
      scheduled.add(cancel);
    }
  }

  function cancelScheduled(): void {
    for (const cancel of scheduled) cancel();
    scheduled.clear();
  }

  async function stopWorker(worker: PoolWorker): Promise<void> {
    const isReady = worker.state === 'ready';
    worker.state = 'stopping';
    if (isReady) await options.onStop(toEndpoint(worker));
    worker.process.send({ type: 'stop' });
    const cancel = schedule(() => {
      logger.warn({ worker: worker.number, pid: worker.process.pid }, `A worker has not ended within ${stopTimeoutMs} ms and is killed.`);
      worker.process.kill();
    }, stopTimeoutMs);
    await worker.whenEnded.promise;
    cancel();
  }

  async function restartInTurn(): Promise<void> {
    for (const old of readyWorkers()) {
      // A worker that has ended in the meantime was replaced by a new one.
      if (isStopping || old.state !== 'ready' || !workers.has(old)) continue;
      const next = launch(true);
      if (!(await next.whenReady.promise)) return;
      if (!isStopping && workers.has(old)) await stopWorker(old);
    }
    if (!isStopping) logger.info({ workers: workers.size }, 'All workers have been restarted.');
  }

  /** A request that arrives during a restart leads to another restart, because the configuration may have changed again. */
  async function restartAsRequested(): Promise<void> {
    do {
      isRestartRequested = false;
      await restartInTurn();
    } while (isRestartRequested);
    restarting = undefined;
  }

  return {
    failure: failure.promise,
    async start() {
      launch();
      return Promise.race([complete.promise, failure.promise]);
    },
    async restart() {
      isRestartRequested = true;
      restarting ??= restartAsRequested();
      await restarting;
    },
    async stop() {
      isStopping = true;
      cancelScheduled();
      await Promise.all([...workers].map(stopWorker));
    },
    endpoints: () => [...workers].filter(({ internalUrl }) => internalUrl !== undefined).map(toEndpoint),
    get replacements() {
      return replacements;
    },
  };
}

/** A promise with its functions. (`Promise.withResolvers` is not available in Node.js 20.) */
interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function defer<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  return { promise, resolve, reject };
}

function lowestFreeNumber(workers: ReadonlySet<PoolWorker>): number {
  const used = new Set([...workers].map(({ number }) => number));
  let number = 1;
  while (used.has(number)) number += 1;
  return number;
}

function toEndpoint({ number, internalUrl = '', state }: PoolWorker): WorkerEndpoint {
  return { number, internalUrl, isServing: state === 'ready' };
}

function describeFailure({ code, signal }: WorkerExit, failedStarts: number): CommandFailed {
  const how = signal === null ? `with exit code ${code}` : `by the signal ${signal}`;
  const what =
    failedStarts === 1
      ? `The first worker process ended before it served, ${how}.`
      : `${failedStarts} worker processes in a row ended before they served, the last one ${how}.`;
  return new CommandFailed(`${what} The reason is in the messages above this one.`, {
    exitCode: code === 2 ? 2 : 1,
  });
}
