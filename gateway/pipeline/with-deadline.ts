import { GatewayError } from '../platform/errors.ts';
import { createPendingList, type Pending } from '../platform/pending.ts';

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
    const watched = watch(timeoutMs, clientGone ?? NEVER, stop, reject);
    work().then(
      (value) => {
        running.release(watched.pending);
        resolve(value);
      },
      (error: unknown) => {
        running.release(watched.pending);
        reject(error);
      },
    );
  });
}

/** What is watched of the work: its deadline first, and then the end of patience. */
function watch(timeoutMs: number, signal: AbortSignal, stop: AbortController, reject: (error: Error) => void): { pending: Pending } {
  const abort = (reason: unknown): void => {
    stop.abort(reason);
    reject(reason as Error);
  };
  const now = performance.now();
  const expire = (): void => {
    const timeout = new GatewayError('GATEWAY_TIMEOUT', TIMEOUT_MESSAGE, { headers: { 'retry-after': '1' } });
    watched.pending = { dueAt: now + timeoutMs + GRACE_MS, signal: NEVER, place: undefined, abort, expire: () => reject(timeout) };
    running.watch(watched.pending);
    stop.abort(timeout);
  };
  const watched: { pending: Pending } = { pending: { dueAt: now + timeoutMs, signal, place: undefined, abort, expire } };
  running.watch(watched.pending);
  return watched;
}

const TIMEOUT_MESSAGE = 'The operation took too long.';
