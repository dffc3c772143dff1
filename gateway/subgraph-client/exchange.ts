import type { Dispatcher } from 'undici';
import type { Pending, PendingList } from '../platform/pending.ts';
import { decodeBody } from './decode-body.ts';
import { subgraphInvalidResponse, subgraphTimeout, toSubgraphFailure } from './failures.ts';
import { checkHead, type ResponseHead } from './read-response.ts';

/** What bounds one exchange. */
export interface ExchangeLimits {
  /** When the answer must be there in full, by the monotonic clock. @unit milliseconds */
  readonly dueAt: number;
  /** Largest body; counted as it arrives, so that no more is ever held. @unit bytes */
  readonly maxBytes: number;
  /** Ends the exchange with its reason. */
  readonly signal: AbortSignal;
  readonly pending: PendingList;
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
 * @throws GatewayError when there is no answer, or one that is late, too long, or of a kind that is not read
 * @throws the reason of the signal
 */
export function exchange(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, limits: ExchangeLimits): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer = new PendingAnswer(limits, resolve, reject);
    limits.pending.watch(answer);
    dispatcher.dispatch(request, answer);
  });
}

/** A class, because a request would otherwise cost a dozen closures. */
class PendingAnswer implements Dispatcher.DispatchHandler, Pending {
  readonly dueAt: number;
  readonly signal: AbortSignal;
  place: number | undefined;
  readonly #limits: ExchangeLimits;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: unknown) => void;
  #connection: Dispatcher.DispatchController | undefined;
  #head: ResponseHead | undefined;
  #first: Buffer | undefined;
  #rest: Buffer[] | undefined;
  #size = 0;
  #isSettled = false;

  constructor(limits: ExchangeLimits, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    this.dueAt = limits.dueAt;
    this.signal = limits.signal;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    this.#connection = connection;
    if (this.signal.aborted)
      this.abort(this.signal.reason); // and nothing is sent: it ended while it waited for a connection
    else if (this.#isSettled) connection.abort(new Error('It was late before it had a connection.'));
  }

  onResponseStart(_connection: Dispatcher.DispatchController, statusCode: number, headers: ResponseHead['headers']): void {
    if (statusCode < 200) return; // not the answer yet (RFC 9110, section 15.2)
    this.#head = { statusCode, headers };
    const refusal = checkHead(this.#head, this.#limits.maxBytes);
    if (refusal !== undefined) this.#fail(refusal);
  }

  onResponseData(_connection: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limits.maxBytes) {
      this.#fail(subgraphInvalidResponse(new Error(`The body is longer than ${this.#limits.maxBytes} bytes.`)));
    } else if (this.#first === undefined) this.#first = chunk;
    else (this.#rest ??= []).push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isSettled || this.#head === undefined) return;
    if (this.signal.aborted) return this.abort(this.signal.reason);
    const text = decodeBody(this.#first, this.#rest);
    if (text === undefined) return this.#fail(subgraphInvalidResponse(new Error('The body is not UTF-8.')));
    this.#settle();
    this.#resolve({ head: this.#head, text });
  }

  onResponseError(_connection: Dispatcher.DispatchController, error: Error): void {
    this.#fail(toSubgraphFailure(error, this.#head !== undefined));
  }

  expire(): void {
    this.#fail(subgraphTimeout(new Error('There was no answer by the deadline.'), true));
  }

  abort(reason: unknown): void {
    this.#fail(reason);
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#reject(error);
    this.#connection?.abort(error instanceof Error ? error : new Error('The request was ended.', { cause: error }));
  }

  #settle(): void {
    this.#isSettled = true;
    this.#first = undefined;
    this.#rest = undefined;
    this.#limits.pending.release(this);
  }
}
