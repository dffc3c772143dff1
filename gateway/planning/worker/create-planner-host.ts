import type { Worker } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { QueryPlannerOptions } from '../create-query-planner.ts';
import type { OperationPlan } from '../operation-plan.ts';
import { OperationUnplannable } from '../operation-unplannable.ts';
import type { PlanInput } from '../query-planner.ts';
import { createFairQueue } from './fair-queue.ts';
import { fromPlanFailure, toError } from './plan-failure.ts';
import { PlanningTooLong } from './planning-too-long.ts';
import type { PlannerHost } from './planner-host.ts';
import { createRefusedPlans } from './refused-plans.ts';
import { startThread } from './start-thread.ts';
import type { ThreadAnswer } from './thread-messages.ts';

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
  /** @unit megabytes @defaultValue 512 */
  readonly maxHeapMb?: number;
  /** For the planner. @defaultValue none */
  readonly plannerOptions?: QueryPlannerOptions;
  /** Module that exports `createQueryPlanner`. @defaultValue the planner of this package */
  readonly plannerModule?: URL;
}

interface Job {
  readonly input: PlanInput;
  /** Those who wait for it. More can come while it waits. */
  readonly callers: ReadonlySet<string>;
  readonly resolve: (plan: OperationPlan) => void;
  readonly reject: (error: unknown) => void;
  /** Threads that ended while they were at it. */
  crashes: number;
  stopListening: () => void;
}

/** Threads that end before they are ready, one after another, until nobody waits for the next any more. */
const MAX_FAILED_STARTS = 3;

/**
 * A planner in a thread of its own: a plan that takes long keeps no request waiting but those that are planned after it, and
 * one that takes too long is abandoned with its thread. One thread for each supergraph, because all that it holds is the
 * supergraph's: it comes and goes with it, and there are two only while one supergraph takes the place of another. Callers take
 * turns: an operation waits for at most one of each other caller, whatever these have in the queue.
 */
export function createPlannerHost(options: PlannerHostOptions): PlannerHost {
  const { sdl, logger, planTimeoutMs = 2_000, maxQueued = 1_000, maxQueuedPerCaller = 100, maxHeapMb = 512 } = options;
  const { plannerOptions = {}, plannerModule } = options;
  const refused = createRefusedPlans();
  const queue = createFairQueue<Job>();
  let runningSince = 0;
  let running: Job | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let thread: Worker | undefined;
  let isReady = false;
  let isDisposed = false;
  let failedStarts = 0;
  let settleReady: { readonly resolve: () => void; readonly reject: (error: Error) => void };
  const ready = new Promise<void>((resolve, reject) => {
    settleReady = { resolve, reject };
  });
  ready.catch(() => undefined); // whoever plans without waiting for it is told by `plan`

  function start(): void {
    isReady = false;
    try {
      thread = startThread({ sdl, maxHeapMb, plannerOptions, ...(plannerModule === undefined ? {} : { plannerModule }) });
    } catch (error) {
      giveUp(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    const started = thread;
    started.on('message', (message: ThreadAnswer) => {
      if (started === thread) receive(message);
    });
    started.on('error', (error) => {
      if (started === thread) lose(error);
    });
    started.on('exit', (code) => {
      if (started === thread) lose(new Error(`The planner's thread ended with code ${code}.`));
    });
  }

  function receive(message: ThreadAnswer): void {
    if (message.kind === 'ready') {
      isReady = true;
      failedStarts = 0;
      settleReady.resolve();
      next();
      return;
    }
    if (message.kind === 'not-started') {
      const { failure } = message;
      giveUp(failure.kind === 'refused' ? fromPlanFailure(failure) : toError(failure));
      return;
    }
    const job = finish();
    if (message.kind === 'planned') job?.resolve(message.plan);
    else job?.reject(fromPlanFailure(message.failure));
    next();
  }

  /** Takes the running job out, however it ended. */
  function finish(): Job | undefined {
    clearTimeout(deadline);
    const job = running;
    running = undefined;
    job?.stopListening();
    if (job !== undefined) queue.charge(job, systemClock.monotonic() - runningSince);
    return job;
  }

  function next(): void {
    if (isDisposed || running !== undefined) return;
    if (thread === undefined && queue.size > 0) start();
    if (thread === undefined || !isReady) return;
    running = queue.shift();
    if (running === undefined) {
      thread.unref(); // one that has nothing to do keeps no process alive
      return;
    }
    thread.ref();
    thread.postMessage(running.input, []);
    const job = running;
    runningSince = systemClock.monotonic();
    // An answer that waits because this thread was busy has been given in time: it is read before the verdict.
    deadline = setTimeout(() => setImmediate(() => (running === job ? abandon(job) : undefined)), planTimeoutMs);
  }

  function abandon(job: Job): void {
    logger.warn({ planTimeoutMs }, 'An operation takes too long to plan. It is refused for some minutes.');
    finish();
    const refusal = new PlanningTooLong();
    refused.add(job.input, refusal);
    job.reject(refusal);
    replace();
  }

  /** The thread is gone, or has to go. */
  function replace(): void {
    const old = thread;
    thread = undefined;
    isReady = false;
    old?.terminate().catch((error: unknown) => logger.error({ err: error }, 'A planner could not be stopped.'));
    if (!isDisposed) start();
  }

  function lose(error: Error): void {
    if (!isReady) {
      failedStarts += 1;
      if (failedStarts >= MAX_FAILED_STARTS) {
        giveUp(error);
        return;
      }
    }
    logger.error({ err: error }, "The planner's thread ended by itself and is started again.");
    const job = finish();
    if (job !== undefined) {
      job.crashes += 1;
      if (job.crashes < 2) queue.unshift(job);
      else {
        const failure = new OperationUnplannable(error);
        refused.add(job.input, failure);
        job.reject(failure);
      }
    }
    replace();
  }

  /** No thread comes up. Whoever waits is told; the next operation tries again. */
  function giveUp(cause: Error): void {
    failedStarts = 0;
    settleReady.reject(cause);
    const old = thread;
    thread = undefined;
    isReady = false;
    old?.terminate().catch(() => undefined);
    const failure = new Error('The planner could not be started.', { cause });
    for (const job of [finish(), ...queue.clear()]) {
      job?.stopListening();
      job?.reject(failure);
    }
  }

  start();
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
        const job: Job = { input, callers, resolve, reject, crashes: 0, stopListening: () => undefined };
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
      const old = thread;
      thread = undefined;
      const failure = new Error('The planner was put away.');
      settleReady.reject(failure);
      for (const job of [finish(), ...queue.clear()]) job?.reject(failure);
      await old?.terminate();
    },
  };
}

/** Callers that were not named are one. */
const NOBODY: ReadonlySet<string> = new Set(['']);

function overloaded(message: string): GatewayError {
  return new GatewayError('OVERLOADED', message, { headers: { 'retry-after': '1' } });
}
