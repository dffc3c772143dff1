import { systemClock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import { createPendingList, type Pending } from '../platform/deadline-watcher.ts';

/**
 * Time between the end of the deadline and giving up on work that does not end by itself: long enough to answer what has
 * arrived, far too short to be noticed. @unit milliseconds
 */
const GRACE_MS = 250;

/** All operations that run: one timer looks at their deadlines and at whether their clients have left. */
const running = createPendingList();

const NEVER = new AbortController().signal;

/**
 * Does work that must end by a deadline. At the deadline the work is stopped with `GATEWAY_TIMEOUT`, which lets it answer
 * with what it has; when the client leaves, with the reason of the client's signal, some milliseconds later.
 *
 * @param stop stops the work
 * @throws GatewayError `GATEWAY_TIMEOUT` when the work has not ended shortly after the deadline
 * @throws the reason of `clientGone` when the client leaves first
 */
export function withDeadline<T>(
  timeoutMs: number,
  clientGone: AbortSignal | undefined,
  stop: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  if (clientGone?.aborted === true) return Promise.reject(clientGone.reason as Error);
  return new Promise<T>((resolve, reject) => {
    const watched = new WatchedWork(timeoutMs, clientGone ?? NEVER, stop, reject);
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

/** What is watched of the work: its deadline first, and then the end of patience. A class, because each request has one. */
class WatchedWork implements Pending {
  dueAt: number;
  signal: AbortSignal;
  place: number | undefined;
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

const TIMEOUT_MESSAGE = 'The operation took too long.';
