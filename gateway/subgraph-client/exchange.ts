import type { Dispatcher } from 'undici';
import type { Pending, PendingList } from '../platform/pending.ts';
import type { SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { decodeBody } from './decode-body.ts';
import { subgraphInvalidResponse, subgraphTimeout, toSubgraphFailure } from './failures.ts';
import { checkHead, type ResponseHead } from './read-response.ts';

/** What all exchanges with one subgraph have in common. */
export interface ExchangeRules {
  /** Largest body; counted as it arrives, so that no more is ever held. @unit bytes */
  readonly maxBytes: number;
  readonly pending: PendingList;
  /** Reads an answer of a kind that is worth reading. */
  readonly read: (request: SubgraphRequest, head: ResponseHead, text: string) => SubgraphResponse;
}

/** What one exchange is for, and what ends it. */
export interface Exchange {
  readonly request: SubgraphRequest;
  /** When the answer must be there in full, by the monotonic clock. @unit milliseconds */
  readonly dueAt: number;
  /** Ends the exchange with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request and takes the answer in. By `dispatch`, because it lets deadline, signal and limit act on the
 * connection itself: a stream, a signal of its own and their listeners double the cost of a request.
 *
 * @throws GatewayError when there is no answer, or one that is late, too long, or of a kind that is not read
 * @throws whatever `read` throws
 * @throws the reason of the signal
 */
export function exchange(
  dispatcher: Dispatcher,
  message: Dispatcher.DispatchOptions,
  subject: Exchange,
  rules: ExchangeRules,
): Promise<SubgraphResponse> {
  return new Promise((resolve, reject) => {
    const answer = new PendingAnswer(rules, subject, { resolve, reject });
    rules.pending.watch(answer);
    dispatcher.dispatch(message, answer);
  });
}

interface Promised {
  resolve(response: SubgraphResponse): void;
  reject(error: unknown): void;
}

/** A class, because a request would otherwise cost a dozen closures. */
class PendingAnswer implements Dispatcher.DispatchHandler, Pending {
  readonly dueAt: number;
  readonly signal: AbortSignal;
  place: number | undefined;
  readonly #request: SubgraphRequest;
  readonly #rules: ExchangeRules;
  readonly #promised: Promised;
  #connection: Dispatcher.DispatchController | undefined;
  #head: ResponseHead | undefined;
  #first: Buffer | undefined;
  #rest: Buffer[] | undefined;
  #size = 0;
  #isSettled = false;

  constructor(rules: ExchangeRules, { request, dueAt, signal }: Exchange, promised: Promised) {
    this.dueAt = dueAt;
    this.signal = signal;
    this.#request = request;
    this.#rules = rules;
    this.#promised = promised;
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
    const refusal = checkHead(this.#head, this.#rules.maxBytes);
    if (refusal !== undefined) this.#fail(refusal);
  }

  onResponseData(_connection: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#rules.maxBytes) {
      this.#fail(subgraphInvalidResponse(new Error(`The body is longer than ${this.#rules.maxBytes} bytes.`)));
    } else if (this.#first === undefined) this.#first = chunk;
    else (this.#rest ??= []).push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isSettled || this.#head === undefined) return;
    if (this.signal.aborted) return this.abort(this.signal.reason);
    const text = decodeBody(this.#first, this.#rest);
    if (text === undefined) return this.#fail(subgraphInvalidResponse(new Error('The body is not UTF-8.')));
    this.#settle();
    try {
      this.#promised.resolve(this.#rules.read(this.#request, this.#head, text));
    } catch (error) {
      this.#promised.reject(error);
    }
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
    this.#promised.reject(error);
    this.#connection?.abort(error instanceof Error ? error : new Error('The request was ended.', { cause: error }));
  }

  #settle(): void {
    this.#isSettled = true;
    this.#first = undefined;
    this.#rest = undefined;
    this.#rules.pending.release(this);
  }
}
