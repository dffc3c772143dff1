import type { Worker } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { EncodedIndexes } from '../indexing/encode-indexes.ts';
import type { OperationPlan } from '../operation-plan.ts';
import { OperationUnplannable, type PlanInput } from '../query-planner.ts';
import { fromPlanFailure, type ThreadRequest, type ThreadResponse, toError } from './thread-messages.ts';
import { PlanningTooLong } from './planning-too-long.ts';

/** An operation to be planned. */
export interface PlanJob {
  readonly input: PlanInput;
  /** Callers that wait for the plan. More can be added while it waits. */
  readonly callers: ReadonlySet<string>;
  readonly resolve: (plan: OperationPlan) => void;
  readonly reject: (error: unknown) => void;
  /** Number of threads that crashed while planning it. */
  crashes: number;
  stopListening: () => void;
}

/** A thread that plans one operation after another. It is replaced when it ends or must be terminated. */
export interface PlannerLane {
  /** Operation that is being planned. */
  readonly running: PlanJob | undefined;
  /** True while the thread waits for a job. */
  readonly isFree: boolean;
  /** Thread that plans, ready or not. Undefined if none exists. */
  readonly thread: Worker | undefined;
  /**
   * Starts a thread.
   *
   * @param given thread of another planner that is opening the supergraph
   * @defaultValue a new thread
   */
  start(given?: Worker): void;
  /**
   * Starts a second thread, which replaces the first one when it is ready and the first one plans nothing. The memory of the first one is
   * then released. While a second thread starts, only a given one can replace it.
   *
   * @param given thread of another planner that is opening the supergraph
   * @defaultValue a new thread
   */
  renew(given?: GivenThread): void;
  /** Plans an operation. The lane must be free. */
  run(job: PlanJob): void;
  /** Marks the lane as idle, so that its thread does not prevent the process from exiting. */
  rest(): void;
  /**
   * Terminates the thread.
   *
   * @param handOver receives the thread without its listeners, instead of its termination, if it is ready and plans nothing
   * @returns the operation that was being planned
   */
  stop(handOver?: (worker: Worker) => Promise<unknown>): { readonly job: PlanJob | undefined; readonly ended: Promise<unknown> };
}

/** A thread of another planner. */
export interface GivenThread {
  readonly worker: Worker;
  /** Called when the thread has ended or failed before it was used. @defaultValue nothing is called */
  readonly onLost?: () => void;
}

export interface PlannerLaneOptions {
  readonly startThread: () => Worker;
  readonly logger: Logger;
  /** Timeout for one plan. @unit milliseconds */
  readonly planTimeoutMs: number;
  /**
   * Called when a thread is ready.
   *
   * @param startMs start time of the thread
   * @param indexes indexes of the supergraph, if the thread has created them
   */
  readonly onReady: (startMs: number, indexes: EncodedIndexes | undefined) => void;
  /** Called when a job has ended with any result, before the lane is free again. */
  readonly onEnded: (job: PlanJob, elapsedMs: number) => void;
  /** Called for a job whose thread crashed and that can be tried once more. */
  readonly onCrash: (job: PlanJob) => void;
  /** Called for a job that must not be tried again. */
  readonly onRejected: (job: PlanJob, failure: Error) => void;
  readonly onFree: () => void;
  /** Called when no thread can be started. */
  readonly onGivenUp: (cause: Error, job: PlanJob | undefined) => void;
}

/** A thread with the listeners of a lane. */
interface LaneThread {
  readonly worker: Worker;
  /** Set for a thread of another planner. */
  readonly isGiven: boolean;
  /** Called when the thread has failed as a successor. */
  readonly onLost: (() => void) | undefined;
  isReady: boolean;
  /** Removes the listeners. */
  readonly detach: () => void;
}

/** Maximum number of consecutive threads that end before they are ready. After that, waiting operations fail. */
const MAX_FAILED_STARTS = 3;

export function createPlannerLane(options: PlannerLaneOptions): PlannerLane {
  const { startThread, logger, planTimeoutMs, onReady, onEnded, onCrash, onRejected, onFree, onGivenUp } = options;
  let running: PlanJob | undefined;
  let runningSince = 0;
  let startedAt = 0;
  let deadline: NodeJS.Timeout | undefined;
  let thread: LaneThread | undefined;
  /** Thread that will replace the current one. */
  let successor: LaneThread | undefined;
  let failedStarts = 0;

  function start(given?: Worker): void {
    startedAt = systemClock.monotonic();
    try {
      thread = open(given && { worker: given });
      thread.worker.ref();
    } catch (error) {
      giveUp(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Starts a thread whose messages are received while it is the current thread or its successor. */
  function open(given: GivenThread | undefined): LaneThread {
    const worker = given?.worker ?? startThread();
    const receiveAny = (message: ThreadResponse): void => {
      if (opened === thread) receive(message, opened);
      else if (opened === successor) receiveFirst(message, opened);
    };
    const fail = (error: Error): void => {
      if (opened === thread) lose(error);
      else if (opened === successor) loseSuccessor(opened);
    };
    const exit = (code: number): void => fail(new Error(`The planner's thread ended with code ${code}.`));
    worker.on('message', receiveAny);
    worker.on('error', fail);
    worker.on('exit', exit);
    const opened: LaneThread = {
      worker,
      isGiven: given !== undefined,
      onLost: given?.onLost,
      isReady: false,
      detach() {
        worker.off('message', receiveAny);
        worker.off('error', fail);
        worker.off('exit', exit);
      },
    };
    return opened;
  }

  function receive(message: ThreadResponse, from: LaneThread): void {
    if (message.kind === 'ready') {
      from.isReady = true;
      failedStarts = 0;
      onReady(systemClock.monotonic() - startedAt, message.indexes);
      onFree();
      return;
    }
    if (message.kind === 'not-started') {
      const { failure } = message;
      const error = failure.kind === 'rejected' ? fromPlanFailure(failure) : toError(failure);
      if (from.isGiven) lose(error);
      else giveUp(error);
      return;
    }
    const job = finish();
    if (message.kind === 'planned') job?.resolve(message.plan);
    else job?.reject(fromPlanFailure(message.failure));
    succeed();
    onFree();
  }

  function renew(given?: GivenThread): void {
    if (given === undefined && successor !== undefined) return;
    endSuccessor();
    try {
      successor = open(given);
      successor.worker.unref();
    } catch (error) {
      logger.warn({ err: error }, 'A planner could not be replaced. The current one continues, and its memory is not released.');
    }
  }

  /** Receives the first message of the successor. */
  function receiveFirst({ kind }: ThreadResponse, from: LaneThread): void {
    if (kind === 'ready') {
      from.isReady = true;
      succeed();
    } else loseSuccessor(from);
  }

  /** Replaces the thread when that is possible. */
  function succeed(): void {
    if (successor?.isReady !== true || running !== undefined || thread?.isReady !== true) return;
    const old = thread;
    thread = successor;
    successor = undefined;
    void terminate(old);
  }

  function loseSuccessor({ onLost }: LaneThread): void {
    endSuccessor();
    onLost?.();
  }

  function endSuccessor(): void {
    const old = successor;
    successor = undefined;
    if (old !== undefined) void terminate(old);
  }

  function terminate({ worker }: LaneThread): Promise<unknown> {
    const ended = worker.terminate();
    ended.catch((error: unknown) => logger.error({ err: error }, 'A planner could not be stopped.'));
    return ended;
  }

  /** Removes the running job, regardless of its result. */
  function finish(): PlanJob | undefined {
    clearTimeout(deadline);
    const job = running;
    running = undefined;
    job?.stopListening();
    if (job !== undefined) onEnded(job, systemClock.monotonic() - runningSince);
    return job;
  }

  function abandon(job: PlanJob): void {
    logger.warn({ planTimeoutMs }, 'An operation took too long to plan. It is rejected for the next few minutes.');
    finish();
    const error = new PlanningTooLong();
    onRejected(job, error);
    job.reject(error);
    void end();
    start();
  }

  function end(): Promise<unknown> {
    const old = thread;
    thread = undefined;
    endSuccessor();
    return old === undefined ? Promise.resolve() : terminate(old);
  }

  /** Handles the end of the thread. */
  function lose(error: Error): void {
    if (thread?.isReady !== true) {
      failedStarts += 1;
      if (failedStarts >= MAX_FAILED_STARTS) {
        giveUp(error);
        return;
      }
    }
    logger.error({ err: error }, "The planner's thread ended unexpectedly and is restarted.");
    const job = finish();
    if (job !== undefined) {
      job.crashes += 1;
      if (job.crashes < 2) onCrash(job);
      else {
        const failure = new OperationUnplannable(error);
        onRejected(job, failure);
        job.reject(failure);
      }
    }
    void end();
    start();
  }

  function giveUp(cause: Error): void {
    failedStarts = 0;
    void end();
    onGivenUp(cause, finish());
  }

  return {
    get running() {
      return running;
    },
    get isFree() {
      return thread?.isReady === true && running === undefined;
    },
    get thread() {
      return thread?.worker;
    },
    start,
    renew,
    run(job) {
      if (thread === undefined) throw new Error('The lane has no thread.');
      running = job;
      runningSince = systemClock.monotonic();
      thread.worker.ref();
      thread.worker.postMessage({ kind: 'plan', input: job.input } satisfies ThreadRequest, []);
      // A result may wait in the queue because this thread was busy. It is read first, so that it does not count as late.
      deadline = setTimeout(() => setImmediate(() => (running === job ? abandon(job) : undefined)), planTimeoutMs);
    },
    rest: () => thread?.worker.unref(),
    stop(handOver) {
      if (handOver === undefined || thread?.isReady !== true || running !== undefined) return { job: finish(), ended: end() };
      const { worker, detach } = thread;
      thread = undefined;
      endSuccessor();
      detach();
      return { job: undefined, ended: handOver(worker) };
    },
  };
}
