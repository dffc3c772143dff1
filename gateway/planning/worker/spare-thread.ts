import type { Worker } from 'node:worker_threads';
import type { Logger } from '../../platform/logger.ts';

/** A thread whose planner is not needed anymore, and that plans nothing. */
export interface IdleThread {
  readonly worker: Worker;
  /** Identifies the modules and the maximum heap with which the thread was started. */
  readonly kind: string;
  /** Time that a new thread needs until it is ready. @unit milliseconds */
  readonly startMs: number;
}

/**
 * Holds the thread of a closed planner until the planner of the next supergraph takes it. V8 has optimized the code of the thread, so it
 * plans new operations faster than a new thread.
 */
export interface SpareThread extends AsyncDisposable {
  /**
   * Holds a thread if none is held, and terminates it otherwise. Its former user has removed all listeners.
   *
   * @returns resolves when the thread is held or has ended
   */
  offer(idle: IdleThread): Promise<void>;
  /** Returns the thread, which is no longer held then. Undefined if there is none of this kind. */
  take(kind: string): IdleThread | undefined;
  /**
   * Registers a planner, which may offer its thread later.
   *
   * @param onOffered called when a thread can be taken and no other planner has been registered since
   * @returns removes the planner
   */
  join(onOffered: () => void): () => void;
  /** Number of registered planners. */
  readonly planners: number;
}

export interface SpareThreadOptions {
  readonly logger: Logger;
  /** Time after which a thread that was not taken is terminated, to release its memory. @unit milliseconds @defaultValue 30000 */
  readonly heldMs?: number;
}

interface HeldThread {
  readonly idle: IdleThread;
  /** Removes the listeners of the thread and its timer. */
  release(): void;
}

/** Creates a holder for one gateway. It starts no thread, and does not prevent the process from exiting. */
export function createSpareThread({ logger, heldMs = 30_000 }: SpareThreadOptions): SpareThread {
  const planners = new Set<{ readonly onOffered: () => void }>();
  let held: HeldThread | undefined;
  let isDisposed = false;

  function hold(idle: IdleThread): void {
    const { worker } = idle;
    const lose = (): void => void end();
    const timer = setTimeout(lose, heldMs).unref();
    worker.on('error', lose);
    worker.on('exit', lose);
    worker.unref();
    held = {
      idle,
      release() {
        clearTimeout(timer);
        worker.off('error', lose);
        worker.off('exit', lose);
      },
    };
  }

  /** Removes the held thread. The caller must listen to its errors. */
  function release(): Worker | undefined {
    const old = held;
    held = undefined;
    old?.release();
    return old?.idle.worker;
  }

  /** Terminates the held thread. */
  async function end(): Promise<void> {
    const worker = release();
    if (worker !== undefined) await terminate(worker);
  }

  async function terminate(worker: Worker): Promise<void> {
    worker.on('error', () => undefined); // An error without a listener would end the process.
    try {
      await worker.terminate();
    } catch (error) {
      logger.error({ err: error }, 'A planner could not be stopped.');
    }
  }

  return {
    async offer(idle) {
      if (isDisposed || held !== undefined || hasEnded(idle.worker)) {
        await terminate(idle.worker);
        return;
      }
      hold(idle);
      [...planners].at(-1)?.onOffered();
    },
    take(kind) {
      if (held?.idle.kind !== kind) return undefined;
      const { idle } = held;
      release();
      return idle;
    },
    join(onOffered) {
      const planner = { onOffered };
      planners.add(planner);
      return () => void planners.delete(planner);
    },
    get planners() {
      return planners.size;
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      await end();
    },
  };
}

function hasEnded({ threadId }: Worker): boolean {
  return threadId === -1;
}
