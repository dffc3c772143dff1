import type { Pending, PendingList } from '../platform/deadline-watcher.ts';
import { inSteps, runInTurn, serveBetweenTurns } from '../platform/run-in-turn.ts';
import type { SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { ConnectionPool } from './connection/connection-pool.ts';
import type { ResponseHead } from './connection/read-head.ts';
import type { Abortable, HttpRequest, ResponseHandler } from './connection/response-handler.ts';
import { decodeBody, type ParsedJson, parseLongJson, parseSubgraphJson } from './decode-json.ts';
import { responseRefused, subgraphInvalidResponse, subgraphTimeout, toSubgraphFailure } from './failures.ts';
import { LARGE_BODY_BYTES, type LargeResponse, type LargeResponses } from './large-responses.ts';
import { checkHead } from './read-response.ts';
import type { ResponseLengths } from './response-lengths.ts';
import type { QueuedRequest } from './with-bulkhead.ts';

/** What all exchanges with one subgraph have in common. */
export interface ExchangeRules {
  /** Largest body; counted as it arrives, so that no more is ever held. @unit bytes */
  readonly maxBytes: number;
  readonly pending: PendingList;
  readonly largeResponses: LargeResponses;
  readonly lengths: ResponseLengths;
  /** Large responses that may keep connections while they wait for their turn. */
  readonly maxWaiting: number;
  /** Reads an answer of a kind that is worth reading. */
  readonly read: (request: SubgraphRequest, head: ResponseHead, parseBody: () => ParsedJson) => SubgraphResponse;
}

/** What one exchange is for, and what ends it. */
export interface Exchange {
  readonly request: QueuedRequest;
  /** Whether a timeout counts as an outage of the subgraph: not if most of the time passed in queues of the gateway. */
  readonly isOutageIfLate: boolean;
  /** When the answer must be there in full, by the monotonic clock. @unit milliseconds */
  readonly dueAt: number;
  /** Ends the exchange with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request and takes the answer in. Deadline, signal and limit act on the connection itself: a stream, a signal of
 * its own and their listeners double the cost of a request.
 *
 * @throws GatewayError when there is no answer, or one that is late, too long, or of a kind that is not read
 * @throws whatever `read` throws
 * @throws the reason of the signal
 */
export function exchange(
  connections: ConnectionPool,
  message: HttpRequest,
  subject: Exchange,
  rules: ExchangeRules,
): Promise<SubgraphResponse> {
  return new Promise((resolve, reject) => {
    const answer = new PendingAnswer(rules, subject, { resolve, reject });
    rules.pending.watch(answer);
    connections.send(message, answer);
  });
}

/** Exchanges under way whose responses are not known to be large. */
let others = 0;
serveBetweenTurns(() => others > 0);

interface Promised {
  resolve(response: SubgraphResponse): void;
  reject(error: unknown): void;
}

/** A class, because a request would otherwise cost a dozen closures. */
class PendingAnswer implements ResponseHandler, Pending {
  readonly dueAt: number;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  place: number | undefined;
  readonly #request: QueuedRequest;
  readonly #isOutageIfLate: boolean;
  readonly #rules: ExchangeRules;
  readonly #promised: Promised;
  #place: Abortable | undefined;
  #hasBegun = false;
  /** Present where the response is large. */
  #large: LargeResponse | undefined;
  #mayBeReceived = true;
  #isSettled = false;

  constructor(rules: ExchangeRules, { request, isOutageIfLate, dueAt, signal }: Exchange, promised: Promised) {
    this.dueAt = dueAt;
    this.signal = signal;
    this.maxBytes = rules.maxBytes;
    this.#request = request;
    this.#isOutageIfLate = isOutageIfLate;
    this.#rules = rules;
    this.#promised = promised;
    others += 1;
  }

  enter(place: Abortable): boolean {
    if (this.signal.aborted) this.abort(this.signal.reason);
    if (this.#isSettled) return false;
    this.#place = place;
    return true;
  }

  check(head: ResponseHead): Error | undefined {
    this.#hasBegun = true;
    return checkHead(head, this.maxBytes);
  }

  hold(bytes: number, proceed: () => void): void {
    const { largeResponses, lengths, maxWaiting } = this.#rules;
    lengths.note(this.#request, bytes);
    this.#mayBeReceived = false;
    const begin = (): void => {
      this.#mayBeReceived = true;
      proceed();
    };
    if (this.#large !== undefined) return largeResponses.grow(this.#large, bytes, begin);
    others -= 1;
    this.#request.onLarge?.();
    this.#large = { request: this.#request, bytes, maxWaiting, begin, refuse: () => this.#end(responseRefused()) };
    largeResponses.enter(this.#large);
  }

  complete(head: ResponseHead, body: Buffer): void {
    const isLarge = body.length >= LARGE_BODY_BYTES;
    if (isLarge || this.#request.isExpectedLarge === true) this.#rules.lengths.note(this.#request, body.length);
    if (!isLarge) {
      const text = this.#decode(body);
      if (text !== undefined) this.#resolve(this.#read(head, () => parseSubgraphJson(text)));
      return;
    }
    // Deadline and signal still hold while it waits. The connection is done with it.
    this.#place = undefined;
    runInTurn(() => {
      const text = this.#decode(body);
      if (text === undefined) return undefined;
      return inSteps(parseLongJson(text), {
        onDone: (parsed) => {
          const response = this.#read(head, () => parsed);
          // Merging and printing follow from it, and take as long as parsing.
          return response && (() => this.#resolve(response));
        },
        onFailed: (error) => void this.#read(head, () => raise(error)),
      });
    });
  }

  fail(error: Error): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#promised.reject(toSubgraphFailure(error, this.#hasBegun));
  }

  expire(): void {
    // A subgraph is not to blame for what the gateway does not receive.
    this.#end(
      subgraphTimeout(new Error('There was no response by the deadline.'), { isOutage: this.#mayBeReceived && this.#isOutageIfLate }),
    );
  }

  abort(reason: unknown): void {
    this.#end(reason);
  }

  /** @returns undefined where the exchange has ended, or ends because the body is not text */
  #decode(body: Buffer): string | undefined {
    if (!this.#isUnderWay()) return undefined;
    try {
      const text = decodeBody(body);
      if (text === undefined) throw subgraphInvalidResponse(new Error('The body is not UTF-8.'));
      return text;
    } catch (error) {
      this.#refuse(error);
      return undefined;
    }
  }

  /** @returns undefined where the exchange has ended, or ends because the body cannot be read */
  #read(head: ResponseHead, parseBody: () => ParsedJson): SubgraphResponse | undefined {
    if (!this.#isUnderWay()) return undefined;
    try {
      return this.#rules.read(this.#request, head, parseBody);
    } catch (error) {
      this.#refuse(error);
      return undefined;
    }
  }

  #isUnderWay(): boolean {
    if (this.signal.aborted) this.abort(this.signal.reason);
    return !this.#isSettled;
  }

  #refuse(error: unknown): void {
    this.#settle();
    this.#promised.reject(error);
  }

  /** The memory of its body is free for another response. */
  #resolve(response: SubgraphResponse | undefined): void {
    if (response === undefined || this.#isSettled) return;
    this.#settle();
    this.#promised.resolve(response);
  }

  #end(reason: unknown): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#promised.reject(reason);
    this.#place?.abort();
  }

  #settle(): void {
    this.#isSettled = true;
    this.#rules.pending.release(this);
    if (this.#large === undefined) others -= 1;
    else this.#rules.largeResponses.leave(this.#large);
  }
}

function raise(error: unknown): never {
  throw error;
}
