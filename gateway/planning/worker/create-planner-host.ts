import type { Worker } from 'node:worker_threads';
import { GatewayError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { IndexOptions } from '../indexing/create-indexes.ts';
import type { EncodedIndexes } from '../indexing/encode-indexes.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { createCallerPauses } from './caller-pauses.ts';
import type { PlannerHost } from './planner-host.ts';
import { type PlanJob, type PlannerLane, type PlannerLaneOptions, createPlannerLane } from './planner-lane.ts';
import { createRejectedPlans } from './rejected-plans.ts';
import type { IdleThread, SpareThread } from './spare-thread.ts';
import { sendSupergraph } from './send-supergraph.ts';
import { startThread } from './start-thread.ts';
import type { OpenedSupergraph, PlannerSettings } from './thread-messages.ts';

export interface PlannerHostOptions {
  /** SDL of the supergraph. */
  readonly sdl: string;
  readonly logger: Logger;
  /** Timeout for one plan, without the time in the queue. @unit milliseconds @defaultValue 2000 */
  readonly planTimeoutMs?: number;
  /** Maximum number of queued operations; further ones are rejected. @unit operations @defaultValue 1000 */
  readonly maxQueued?: number;
  /** Maximum number of queued operations per caller; further ones are rejected. @unit operations @defaultValue 100 */
  readonly maxQueuedPerCaller?: number;
  /** Maximum heap size of each thread. @unit megabytes @defaultValue 512 */
  readonly maxHeapMb?: number;
  /**
   * Total time that callers wait for operations of other callers before a second thread is started.
   *
   * @unit milliseconds
   * @defaultValue start time of the first thread
   */
  readonly reliefAfterMs?: number;
  /**
   * Time after which a thread is replaced, so that the first requests do not compete with its successor.
   *
   * @unit milliseconds
   * @defaultValue 1000
   */
  readonly renewAfterMs?: number;
  /** Options of the planner. @defaultValue none */
  readonly plannerOptions?: PlannerSettings;
  /** Planning index of the supergraph. @defaultValue the thread reads the whole supergraph */
  readonly index?: Uint8Array | undefined;
  /** Set when the thread also validates the supergraph and creates its indexes. @defaultValue it has been validated */
  readonly indexing?: IndexOptions | undefined;
  /** Module that exports `createQueryPlanner`. @defaultValue the planner of this package */
  readonly plannerModule?: URL;
  /** Passes threads of closed planners on. @defaultValue each planner starts threads and terminates them */
  readonly spareThread?: SpareThread | undefined;
}

/** Length of a supergraph from which a thread that has read it as a whole is replaced, to release its memory. @unit UTF-16 code units */
const LARGE = 200_000;

/** Time for which such a thread waits for the one of the planner that is being replaced, in multiples of `renewAfterMs`. */
const SPARE_PATIENCE = 5;

/** Time after which an idle second thread is stopped. @unit milliseconds */
const RELIEF_IDLE_MS = 30_000;

/**
 * Creates a planner that runs in a worker thread. A slow plan only delays the operations that are planned after it, and a plan that exceeds
 * the timeout is aborted together with its thread. The threads live as long as their supergraph. Callers take turns: an operation waits for
 * at most one operation of each other caller, regardless of the queue.
 *
 * A second thread is started when the total time that callers waited for others equals its start time. It stops when it is idle. No caller
 * occupies both threads, so a caller with expensive operations only delays itself.
 *
 * While two threads run, a caller can use at most half of the time of one thread. After an operation, the caller's next operation is
 * delayed by the time that the previous one took. The remaining CPU time is for the requests of others.
 *
 * When the planner is closed, its first thread is passed on to the planner of the next supergraph, whose first thread it replaces. It opens
 * the other supergraph with an index. A thread that has read a long supergraph as a whole is not passed on, because its heap is large.
 */
export function createPlannerHost(options: PlannerHostOptions): PlannerHost {
  const { sdl, logger, planTimeoutMs = 2_000, maxQueued = 1_000, maxQueuedPerCaller = 100, maxHeapMb = 512 } = options;
  const { plannerOptions = {}, plannerModule, reliefAfterMs, renewAfterMs = 1_000, spareThread } = options;
  const kind = JSON.stringify([plannerModule?.href, maxHeapMb]);
  let { index, indexing } = options;
  const rejected = createRejectedPlans();
  const queue = createFairQueue<PlanJob>();
  const pauses = createCallerPauses(() => next());
  let relief: PlannerLane | undefined;
  let idle: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  /** Whether the thread is replaced as soon as another planner offers one. */
  let isWaiting = false;
  /** Threads that have only read supergraphs with an index, or short ones. */
  const smallThreads = new WeakSet<Worker>();
  /** Whether the thread has planned operations, of this supergraph or of another one. */
  let isWarm = false;
  /** Start time of the first thread, or of the first one of the planner that has passed it on. @unit milliseconds */
  let startMs = 0;
  let maxWaitedMs = Number.POSITIVE_INFINITY;
  /** Total time that callers have waited for operations of others since the second thread was stopped. @unit milliseconds */
  let waitedMs = 0;
  let isDisposed = false;
  let settleReady: { readonly resolve: (indexes: EncodedIndexes | undefined) => void; readonly reject: (error: Error) => void };
  const ready = new Promise<EncodedIndexes | undefined>((resolve, reject) => {
    settleReady = { resolve, reject };
  });
  ready.catch(() => undefined); // Callers of `plan` receive this error, even if they do not await `ready`.

  const common: Omit<PlannerLaneOptions, 'onReady' | 'onGivenUp'> = {
    startThread() {
      const started = startThread({ supergraph: supergraph(), maxHeapMb, ...(plannerModule === undefined ? {} : { plannerModule }) });
      if (index !== undefined || sdl.length < LARGE) smallThreads.add(started);
      return started;
    },
    logger,
    planTimeoutMs,
    onEnded(job, elapsedMs) {
      isWarm = true;
      queue.charge(job, elapsedMs);
      if (relief !== undefined) pauses.begin(job.callers, elapsedMs);
      if (!isDisposed && relief === undefined && queue.hasOther(job.callers)) waitedMs += elapsedMs;
    },
    onCrash: (job) => queue.unshift(job),
    onRejected: (job, failure) => rejected.add(job.input, failure),
    onFree: next,
  };
  const main = createPlannerLane({
    ...common,
    onReady(elapsedMs, indexes) {
      startMs = given?.startMs ?? elapsedMs;
      maxWaitedMs = reliefAfterMs ?? startMs;
      // Later threads need not validate the supergraph.
      indexing = undefined;
      index ??= indexes?.planning;
      settleReady.resolve(indexes);
      if (given === undefined && index !== undefined) renewal ??= setTimeout(renew, renewAfterMs).unref();
    },
    onGivenUp: giveUp,
  });

  /** Assigns queued operations to idle threads. */
  function next(): void {
    if (isDisposed) return;
    if (main.thread === undefined && queue.size > 0) main.start();
    feed(main, relief);
    if (relief !== undefined) feed(relief, main);
    else if (waitedMs >= maxWaitedMs && main.running !== undefined && queue.hasOther(main.running.callers)) startRelief();
  }

  function feed(lane: PlannerLane, other: PlannerLane | undefined): void {
    if (!lane.isFree) return;
    const job = queue.shift(pauses.withPaused(other?.running?.callers));
    if (job === undefined) {
      lane.rest();
      return;
    }
    if (lane === relief) idle?.refresh();
    lane.run(job);
  }

  function startRelief(): void {
    const lane = createPlannerLane({
      ...common,
      onReady: () => undefined,
      onGivenUp(_cause, job) {
        stopRelief();
        if (job !== undefined) queue.unshift(job);
        next();
      },
    });
    relief = lane;
    idle = setTimeout(() => {
      if (lane.running !== undefined) {
        idle?.refresh();
        return;
      }
      stopRelief();
      next();
    }, RELIEF_IDLE_MS).unref();
    lane.start();
  }

  function stopRelief(): void {
    clearTimeout(idle);
    waitedMs = 0;
    const stopped = relief;
    relief = undefined;
    pauses.end();
    void stopped?.stop();
  }

  /** Handles a thread that cannot be started. Waiting callers receive an error, and the next operation tries again. */
  function giveUp(cause: Error, running: PlanJob | undefined): void {
    settleReady.reject(cause);
    const failure = new Error('The planner could not be started.', { cause });
    for (const job of [running, ...queue.clear()]) {
      job?.stopListening();
      job?.reject(failure);
    }
  }

  function supergraph(): OpenedSupergraph {
    return { sdl, plannerOptions, index, indexing };
  }

  /** Lets the spare thread open the supergraph. Without an index, the heap of the thread would grow. */
  function takeSpare(): IdleThread | undefined {
    if (index === undefined || indexing !== undefined) return undefined;
    const spare = spareThread?.take(kind);
    if (spare === undefined) return undefined;
    sendSupergraph(spare.worker, supergraph());
    smallThreads.add(spare.worker);
    isWarm = true;
    return spare;
  }

  /** Replaces the thread by the spare one. If there is none, a thread with a large heap is replaced by a new one. */
  function renew(): void {
    const { thread } = main;
    clearTimeout(renewal);
    if (thread === undefined) return;
    const wasWaiting = isWaiting;
    const spare = takeSpare();
    isWaiting = spare === undefined;
    if (spare !== undefined) main.renew({ worker: spare.worker, onLost: renew });
    else if (!smallThreads.has(thread)) renewWithout(wasWaiting);
  }

  /** Starts a new thread, or waits once for the planner that this one replaces. */
  function renewWithout(hasWaited: boolean): void {
    if (hasWaited || spareThread === undefined || spareThread.planners === 1) main.renew();
    else renewal = setTimeout(renew, SPARE_PATIENCE * renewAfterMs).unref();
  }

  /** Returns a function that passes the thread on. Undefined if another planner has no use for it. */
  function handOver(): ((worker: Worker) => Promise<void>) | undefined {
    const isUseful = isWarm && index !== undefined && main.thread !== undefined && smallThreads.has(main.thread);
    return isUseful && spareThread !== undefined ? (worker) => spareThread.offer({ worker, kind, startMs }) : undefined;
  }

  const leave = spareThread?.join(() => (isWaiting ? renew() : undefined));
  const given = takeSpare();
  main.start(given?.worker);
  return {
    ready,
    plan(input, signal, callers = ANONYMOUS_CALLER) {
      const known = rejected.find(input);
      if (known !== undefined) return Promise.reject(known);
      if (isDisposed) return Promise.reject(new Error('The planner has been closed.'));
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      const [caller = ''] = callers;
      if (queue.held(caller) >= maxQueuedPerCaller)
        return Promise.reject(overloaded('This caller has too many operations waiting to be planned. Retry later.'));
      if (queue.size >= maxQueued) {
        const displaced = queue.displaceFor(caller);
        if (displaced === undefined) return Promise.reject(overloaded('Too many operations are waiting to be planned. Retry later.'));
        displaced.stopListening();
        displaced.reject(overloaded('This caller has too many operations waiting to be planned. Retry later.'));
      }
      return new Promise((resolve, reject) => {
        const job: PlanJob = { input, callers, resolve, reject, crashes: 0, stopListening: () => undefined };
        if (signal !== undefined) {
          const leave = (): void => {
            queue.remove(job);
            reject(signal.reason as Error);
          };
          signal.addEventListener('abort', leave, { once: true });
          job.stopListening = () => signal.removeEventListener('abort', leave);
        }
        queue.push(job);
        next();
      });
    },
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      clearTimeout(idle);
      clearTimeout(renewal);
      leave?.();
      pauses.end();
      const failure = new Error('The planner has been closed.');
      settleReady.reject(failure);
      const stopped = [main.stop(handOver()), ...(relief === undefined ? [] : [relief.stop()])];
      for (const job of [...stopped.map(({ job: running }) => running), ...queue.clear()]) job?.reject(failure);
      await Promise.all(stopped.map(({ ended }) => ended));
    },
  };
}

/** Callers without a name count as one caller. */
const ANONYMOUS_CALLER: ReadonlySet<string> = new Set(['']);

function overloaded(message: string): GatewayError {
  return new GatewayError('OVERLOADED', message, { headers: { 'retry-after': '1' } });
}
