import { systemClock } from '../../platform/clock.ts';
import { GatewayError } from '../../platform/errors.ts';
import { createDeadlineWatcher, type Pending } from '../../platform/deadline-watcher.ts';

/**
 * Time after the deadline in which work may still return the data that it has. It is long enough for a response and too short for a client
 * to notice.
 *
 * @unit milliseconds
 */
const GRACE_MS = 250;

/** All running operations. One timer checks their deadlines and whether their clients have disconnected. */
const running = createDeadlineWatcher();

const NEVER = new AbortController().signal;

/**
 * Runs work with a deadline. At the deadline, `stop` is aborted with `GATEWAY_TIMEOUT`, so that the work can return partial data. When the
 * client disconnects, `stop` is aborted some milliseconds later, with the reason of the client's signal.
 *
 * @param stop aborts the work
 * @throws GatewayError `GATEWAY_TIMEOUT` when the work has not ended shortly after the deadline
 * @throws the reason of `disconnectSignal` when the client disconnects first
 */
export function withDeadline<T>(
  timeoutMs: number,
  disconnectSignal: AbortSignal | undefined,
  stop: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  if (disconnectSignal?.aborted === true) return Promise.reject(disconnectSignal.reason as Error);
  return new Promise<T>((resolve, reject) => {
    const watched = new WatchedWork(timeoutMs, disconnectSignal ?? NEVER, stop, reject);
    running.watch(watched);
    work().then(
      (value) => {
        running.release(watched);
        resolve(value);
      },
      (error: unknown) => {
        running.release(watched);
        reject(error);
      },
    );
  });
}

/**
 * State of one running operation: its deadline first, then the end of the grace period. It is a class to save memory, because each request
 * has one.
 */
class WatchedWork implements Pending {
  dueAt: number;
  signal: AbortSignal;
  index: number | undefined;
  readonly #stop: AbortController;
  readonly #reject: (error: Error) => void;
  #timeout: GatewayError | undefined;

  constructor(timeoutMs: number, signal: AbortSignal, stop: AbortController, reject: (error: Error) => void) {
    this.dueAt = systemClock.monotonic() + timeoutMs;
    this.signal = signal;
    this.#stop = stop;
    this.#reject = reject;
  }

  abort(reason: unknown): void {
    this.#stop.abort(reason);
    this.#reject(reason as Error);
  }

  expire(): void {
    if (this.#timeout !== undefined) return this.#reject(this.#timeout);
    this.#timeout = new GatewayError('GATEWAY_TIMEOUT', TIMEOUT_MESSAGE, { headers: { 'retry-after': '1' } });
    this.dueAt += GRACE_MS;
    this.signal = NEVER;
    running.watch(this);
    this.#stop.abort(this.#timeout);
  }
}

const TIMEOUT_MESSAGE = 'The operation exceeded its time limit.';
