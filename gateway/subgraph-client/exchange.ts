import type { Dispatcher } from 'undici';
import { subgraphInvalidResponse, subgraphTimeout } from './failures.ts';
import { checkHead, type ResponseHead } from './read-response.ts';

/** What bounds one exchange. */
export interface ExchangeLimits {
  /** Until the answer must be there in full, waiting for a free connection included. @unit milliseconds */
  readonly timeoutMs: number;
  /** Largest body; counted as it arrives, so that no more is ever held. @unit bytes */
  readonly maxBytes: number;
  /** Ends the exchange with its reason. */
  readonly signal: AbortSignal;
}

/** One answer, of a kind that is worth reading. */
export interface Answer {
  readonly head: ResponseHead;
  readonly text: string;
}

/**
 * Sends one request and takes the answer in. By `dispatch`, because it lets deadline, signal and limit act on the
 * connection itself: a stream, a signal of its own and their listeners double the cost of a request.
 *
 * @throws GatewayError when the answer is late, too long, or of a kind that is not read
 * @throws whatever the HTTP client fails with, and the reason of the signal
 */
export function exchange(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, limits: ExchangeLimits): Promise<Answer> {
  const { timeoutMs, maxBytes, signal } = limits;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let head: ResponseHead | undefined;
    let connection: Dispatcher.DispatchController | undefined;
    let failure: Error | undefined;

    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', follow);
    };
    const fail = (error: Error): void => {
      if (failure !== undefined) return;
      failure = error;
      settle();
      reject(error);
      connection?.abort(error);
    };
    const follow = (): void => fail(signal.reason as Error);
    const timer = setTimeout(() => fail(subgraphTimeout(new Error(`No answer within ${timeoutMs} ms.`))), timeoutMs);
    signal.addEventListener('abort', follow, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart(controller) {
        connection = controller;
        if (failure !== undefined) controller.abort(failure); // it ended while it waited for a connection
      },
      onResponseStart(_controller, statusCode, headers) {
        if (statusCode < 200) return; // not the answer yet (RFC 9110, section 15.2)
        head = { statusCode, headers };
        const refusal = checkHead(head, maxBytes);
        if (refusal !== undefined) fail(refusal);
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else fail(subgraphInvalidResponse(new Error(`The body is longer than ${maxBytes} bytes.`)));
      },
      onResponseEnd() {
        if (failure !== undefined || head === undefined) return;
        settle();
        resolve({ head, text: Buffer.concat(chunks, size).toString('utf8') });
      },
      onResponseError: (_controller, error) => fail(error),
    });
  });
}
