import { GatewayError } from '../platform/errors.ts';

/**
 * Time between the end of the deadline and giving up on work that does not end by itself: long enough to answer what has
 * arrived, far too short to be noticed. @unit milliseconds
 */
const GRACE_MS = 250;

/**
 * Does work that must end by a deadline. At the deadline the signal is aborted with `GATEWAY_TIMEOUT`, which lets the
 * work answer with what it has; when the client leaves, with the reason of the client's signal.
 *
 * @throws GatewayError `GATEWAY_TIMEOUT` when the work has not ended shortly after the deadline
 * @throws the reason of `clientGone` when the client leaves first
 */
export async function withDeadline<T>(
  timeoutMs: number,
  clientGone: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  clientGone?.throwIfAborted();
  // One controller and one timer cost a tenth of AbortSignal.any over AbortSignal.timeout.
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => {
      controller.abort(clientGone?.reason);
      settle(() => reject(clientGone?.reason));
    };
    let timer = setTimeout(() => {
      const timeout = new GatewayError('GATEWAY_TIMEOUT', TIMEOUT_MESSAGE, { headers: { 'retry-after': '1' } });
      timer = setTimeout(() => settle(() => reject(timeout)), GRACE_MS);
      controller.abort(timeout);
    }, timeoutMs);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      clientGone?.removeEventListener('abort', giveUp);
      finish();
    };
    clientGone?.addEventListener('abort', giveUp, { once: true });
    work(controller.signal).then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

const TIMEOUT_MESSAGE = 'The operation took too long.';
