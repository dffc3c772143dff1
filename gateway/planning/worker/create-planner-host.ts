import { GatewayError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { QueryPlannerOptions } from '../create-query-planner.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { createCallerPauses } from './caller-pauses.ts';
import type { PlannerHost } from './planner-host.ts';
import { type PlanJob, type PlannerLane, type PlannerLaneOptions, createPlannerLane } from './planner-lane.ts';
import { createRefusedPlans } from './refused-plans.ts';
import { startThread } from './start-thread.ts';

export interface PlannerHostOptions {
  /** The supergraph. */
  readonly sdl: string;
  readonly logger: Logger;
  /** Until one plan must be made; waiting for others does not count. @unit milliseconds @defaultValue 2000 */
  readonly planTimeoutMs?: number;
  /** Operations that wait to be planned; further ones are refused. @unit operations @defaultValue 1000 */
  readonly maxQueued?: number;
  /** Operations of one caller that wait to be planned; further ones are refused. @unit operations @defaultValue 100 */
  readonly maxQueuedPerCaller?: number;
  /** @unit megabytes of each thread @defaultValue 512 */
  readonly maxHeapMb?: number;
  /** Until there is a second thread, callers wait for operations of others so long in all. @unit milliseconds @defaultValue as long as the first took to start */
  readonly reliefAfterMs?: number;
  /** For the planner. @defaultValue none */
  readonly plannerOptions?: QueryPlannerOptions;
  /** Module that exports `createQueryPlanner`. @defaultValue the planner of this package */
  readonly plannerModule?: URL;
}

/** Until a second thread that has nothing to do is ended. @unit milliseconds */
const RELIEF_IDLE_MS = 30_000;

/**
 * A planner in a thread of its own: a plan that takes long keeps no request waiting but those that are planned after it, and
 * one that takes too long is abandoned with its thread. The threads of a supergraph come and go with it. Callers take turns: an operation
 * waits for at most one of each other caller, whatever these have in the queue.
 *
 * A second thread is started when callers have waited for operations of others for as long in all as it takes to start one, and ends when
 * it has nothing to do. No caller holds both: one with expensive operations, and nobody else, waits for them.
 *
 * As long as there are two, a caller has at most half of the time of one: after an operation its next one waits for as long as that took. The
 * processors are for the requests of others, too.
 */
export function createPlannerHost(options: PlannerHostOptions): PlannerHost {
  const { sdl, logger, planTimeoutMs = 2_000, maxQueued = 1_000, maxQueuedPerCaller = 100, maxHeapMb = 512 } = options;
  const { plannerOptions = {}, plannerModule, reliefAfterMs } = options;
  const refused = createRefusedPlans();
  const queue = createFairQueue<PlanJob>();
  const pauses = createCallerPauses(() => next());
  let relief: PlannerLane | undefined;
  let idle: NodeJS.Timeout | undefined;
  let maxWaitedMs = Number.POSITIVE_INFINITY;
  /** How long callers have waited for operations of others since there was a second thread. @unit milliseconds */
  let waitedMs = 0;
  let isDisposed = false;
  let settleReady: { readonly resolve: () => void; readonly reject: (error: Error) => void };
  const ready = new Promise<void>((resolve, reject) => {
    settleReady = { resolve, reject };
  });
  ready.catch(() => undefined); // whoever plans without waiting for it is told by `plan`

  const common: Omit<PlannerLaneOptions, 'onReady' | 'onGivenUp'> = {
    startThread: () => startThread({ sdl, maxHeapMb, plannerOptions, ...(plannerModule === undefined ? {} : { plannerModule }) }),
    logger,
    planTimeoutMs,
    onEnded(job, elapsedMs) {
      queue.charge(job, elapsedMs);
      if (relief !== undefined) pauses.begin(job.callers, elapsedMs);
      if (!isDisposed && relief === undefined && queue.hasOther(job.callers)) waitedMs += elapsedMs;
    },
    onLost: (job) => queue.unshift(job),
    onRefused: (job, failure) => refused.add(job.input, failure),
    onFree: next,
  };
  const main = createPlannerLane({
    ...common,
    onReady(elapsedMs) {
      maxWaitedMs = reliefAfterMs ?? elapsedMs;
      settleReady.resolve();
    },
    onGivenUp: giveUp,
  });

  /** Gives the threads that are free something to do. */
  function next(): void {
    if (isDisposed) return;
    if (!main.hasThread && queue.size > 0) main.start();
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

  /** No thread comes up. Whoever waits is told; the next operation tries again. */
  function giveUp(cause: Error, running: PlanJob | undefined): void {
    settleReady.reject(cause);
    const failure = new Error('The planner could not be started.', { cause });
    for (const job of [running, ...queue.clear()]) {
      job?.stopListening();
      job?.reject(failure);
    }
  }

  main.start();
  return {
    ready,
    plan(input, signal, callers = NOBODY) {
      const known = refused.find(input);
      if (known !== undefined) return Promise.reject(known);
      if (isDisposed) return Promise.reject(new Error('The planner was put away.'));
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      const [caller = ''] = callers;
      if (queue.held(caller) >= maxQueuedPerCaller) return Promise.reject(overloaded('This caller has too many new operations at once.'));
      if (queue.size >= maxQueued) {
        const displaced = queue.displaceFor(caller);
        if (displaced === undefined) return Promise.reject(overloaded('Too many new operations at once.'));
        displaced.stopListening();
        displaced.reject(overloaded('This caller has too many new operations at once.'));
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
      pauses.end();
      const failure = new Error('The planner was put away.');
      settleReady.reject(failure);
      const stopped = (relief === undefined ? [main] : [main, relief]).map((lane) => lane.stop());
      for (const job of [...stopped.map(({ job: running }) => running), ...queue.clear()]) job?.reject(failure);
      await Promise.all(stopped.map(({ ended }) => ended));
    },
  };
}

/** Callers that were not named are one. */
const NOBODY: ReadonlySet<string> = new Set(['']);

function overloaded(message: string): GatewayError {
  return new GatewayError('OVERLOADED', message, { headers: { 'retry-after': '1' } });
}
