import type { Pending, DeadlineWatcher } from '../platform/deadline-watcher.ts';
import { inSteps, type LongWork, runInTurn, serveBetweenTurns } from '../platform/run-in-turn.ts';
import { decodeUtf8 } from '../platform/decode-utf8.ts';
import type { JsonBytes } from '../platform/json-source.ts';
import { isWorkLimited, runWithinLimit } from '../platform/work-per-iteration.ts';
import type { SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { ConnectionPool } from './connection/connection-pool.ts';
import type { ResponseHead } from './connection/read-head.ts';
import type { Abortable, HttpRequest, ResponseHandler } from './connection/response-handler.ts';
import { type ParsedJson, parseLongJson, parseSubgraphJson, readJsonBytes } from './decode-json.ts';
import {
  responseLimitExceeded,
  responseRejected,
  type SubgraphFailure,
  subgraphInvalidResponse,
  subgraphTimeout,
  toSubgraphFailure,
} from './failures.ts';
import { LARGE_BODY_BYTES, type LargeResponse, type LargeResponses } from './large-responses.ts';
import type { ResponseLengths } from './response-lengths.ts';
import { addResponse, exceedsLimit } from './response-limit.ts';
import type { QueuedRequest } from './with-bulkhead.ts';

/** Settings and dependencies that all exchanges with one subgraph share. */
export interface ExchangeRules {
  /** Maximum body length, counted as the bytes arrive, so that memory is bounded. @unit bytes */
  readonly maxBytes: number;
  /** Maximum total size of the responses of one operation. @unit bytes */
  readonly maxBytesPerOperation: number;
  readonly pending: DeadlineWatcher;
  readonly largeResponses: LargeResponses;
  readonly lengths: ResponseLengths;
  /** Maximum number of large responses that can hold connections while they wait for their turn. */
  readonly maxWaiting: number;
  /** Checks a head before the body is received. @returns the failure that rejects the response */
  readonly checkHead: (head: ResponseHead, maxBytes: number) => SubgraphFailure | undefined;
  /** Reads a response whose head was accepted. @param text body as text; undefined for a long body without `decode` */
  readonly read: (request: SubgraphRequest, head: ResponseHead, parseBody: () => ParsedJson, text: string | undefined) => SubgraphResponse;
  /** Decodes a body that is needed as text. @returns undefined when it is not text @defaultValue as UTF-8, a long body slice by slice */
  readonly decode?: (bytes: Buffer, head: ResponseHead) => string | undefined;
  /** Whether a body that cannot be decoded is read as if it were empty. @defaultValue it makes the response invalid */
  readonly ignoresBody?: (head: ResponseHead) => boolean;
}

/** Request, deadline and signal of one exchange. */
export interface Exchange {
  readonly request: QueuedRequest;
  /**
   * Whether a timeout counts as an outage of the subgraph. It does not when the request spent most of its time in queues of the gateway.
   */
  readonly isOutageIfLate: boolean;
  /** Deadline for the complete response, by the monotonic clock. @unit milliseconds */
  readonly dueAt: number;
  /** Aborts the exchange. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request and receives the response. Deadline, signal and byte limit act directly on the connection. A stream with its own signal
 * and listeners would double the cost of a request.
 *
 * @throws GatewayError when the response is missing, late, too long or of an unsupported kind; `SUBGRAPH_RESPONSE_LIMIT_EXCEEDED` when the
 * responses of the operation are too long in total
 * @throws any error of `read`
 * @throws the reason of the signal
 */
export function exchange(
  connections: ConnectionPool,
  message: HttpRequest,
  subject: Exchange,
  rules: ExchangeRules,
): Promise<SubgraphResponse> {
  // Requests of the same operation may have used up its limit while this one waited in a queue.
  if (exceedsLimit(subject.request, 1, rules.maxBytesPerOperation))
    return Promise.reject(responseLimitExceeded(rules.maxBytesPerOperation));
  return new Promise((resolve, reject) => {
    const response = new PendingResponse(rules, subject, { resolve, reject });
    rules.pending.watch(response);
    connections.send(message, response);
  });
}

/** Number of exchanges in progress whose responses are not known to be large. */
let others = 0;
serveBetweenTurns(() => others > 0);

interface Promised {
  resolve(response: SubgraphResponse): void;
  reject(error: unknown): void;
}

/** Handler of one response. It is a class, because closures would cost a dozen allocations per request. */
class PendingResponse implements ResponseHandler, Pending {
  readonly dueAt: number;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  index: number | undefined;
  readonly #request: QueuedRequest;
  readonly #isOutageIfLate: boolean;
  readonly #rules: ExchangeRules;
  readonly #promised: Promised;
  #slot: Abortable | undefined;
  #hasBegun = false;
  /** Defined when the response is large. */
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

  enter(slot: Abortable): boolean {
    if (this.signal.aborted) this.abort(this.signal.reason);
    if (this.#isSettled) return false;
    this.#slot = slot;
    return true;
  }

  check(head: ResponseHead): Error | undefined {
    this.#hasBegun = true;
    return this.#rules.checkHead(head, this.maxBytes);
  }

  hold(minimum: number, bytes: number, proceed: () => void): void {
    if (exceedsLimit(this.#request, minimum, this.#rules.maxBytesPerOperation)) return this.#exceed();
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
    this.#large = { request: this.#request, bytes, maxWaiting, begin, refuse: () => this.#end(responseRejected()) };
    largeResponses.enter(this.#large);
  }

  complete(head: ResponseHead, body: Buffer): void {
    if (exceedsLimit(this.#request, body.length, this.#rules.maxBytesPerOperation)) {
      this.#leaveConnection(); // The response is complete, so the connection can be reused.
      return this.#exceed();
    }
    addResponse(this.#request, body.length);
    const isLarge = body.length >= LARGE_BODY_BYTES;
    if (isLarge || this.#request.isExpectedLarge === true) this.#rules.lengths.note(this.#request, body.length);
    if (!isLarge) {
      const text = this.#decode(head, body, this.#rules.decode ?? decodeUtf8);
      if (text === undefined) return;
      if (!isWorkLimited()) return this.#finish(head, text);
      this.#leaveConnection();
      return runWithinLimit(() => this.#finish(head, text), this.#request.isDependent);
    }
    this.#leaveConnection();
    runInTurn(() => this.#parseInTurns(head, body));
  }

  /** Starts parsing a large body, which takes several turns. */
  #parseInTurns(head: ResponseHead, body: Buffer): LongWork | void {
    const decoded = this.#decode<string | JsonBytes>(head, body, this.#rules.decode ?? readJsonBytes);
    if (decoded === undefined) return undefined;
    const text = typeof decoded === 'string' ? decoded : undefined;
    return inSteps(parseLongJson(decoded), {
      onDone: (parsed) => {
        const response = this.#read(head, () => parsed, text);
        // Merging and printing run after parsing and take about as long, so they get their own turns.
        return response && (() => this.#resolve({ ...response, isLarge: true }));
      },
      onFailed: (error) => this.#resolve(this.#read(head, () => raise(error), text)),
    });
  }

  fail(error: Error): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#promised.reject(toSubgraphFailure(error, this.#hasBegun));
  }

  expire(): void {
    // The subgraph is not responsible when the gateway pauses reading.
    this.#end(
      subgraphTimeout(new Error('The response did not arrive before the deadline.'), {
        isOutage: this.#mayBeReceived && this.#isOutageIfLate,
      }),
    );
  }

  abort(reason: unknown): void {
    this.#end(reason);
  }

  /** @returns undefined when the exchange has ended, or ends because the body is not valid text */
  #decode<Decoded>(
    head: ResponseHead,
    body: Buffer,
    decode: (bytes: Buffer, head: ResponseHead) => Decoded | undefined,
  ): Decoded | '' | undefined {
    if (!this.#isInFlight()) return undefined;
    try {
      const decoded = decode(body, head);
      if (decoded !== undefined) return decoded;
      if (this.#rules.ignoresBody?.(head) === true) return '';
      throw subgraphInvalidResponse(new Error('The body is not UTF-8, or not in the charset of its media type.'));
    } catch (error) {
      this.#refuse(error);
      return undefined;
    }
  }

  /** @returns undefined when the exchange has ended, or ends because the body cannot be read */
  #read(head: ResponseHead, parseBody: () => ParsedJson, text: string | undefined): SubgraphResponse | undefined {
    if (!this.#isInFlight()) return undefined;
    try {
      return this.#rules.read(this.#request, head, parseBody, text);
    } catch (error) {
      this.#refuse(error);
      return undefined;
    }
  }

  #isInFlight(): boolean {
    if (this.signal.aborted) this.abort(this.signal.reason);
    return !this.#isSettled;
  }

  #refuse(error: unknown): void {
    this.#settle();
    this.#promised.reject(error);
  }

  /**
   * Leaves the connection, which may serve other requests while the complete response waits to be read. Deadline and signal still apply. The
   * subgraph is not responsible for the wait.
   */
  #leaveConnection(): void {
    this.#slot = undefined;
    this.#mayBeReceived = false;
  }

  #finish(head: ResponseHead, text: string): void {
    this.#resolve(this.#read(head, () => parseSubgraphJson(text), text));
  }

  /** Resolves the exchange. The memory of its body becomes available for another response. */
  #resolve(response: SubgraphResponse | undefined): void {
    if (response === undefined || this.#isSettled) return;
    this.#settle();
    this.#promised.resolve(response);
  }

  #end(reason: unknown): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#promised.reject(reason);
    this.#slot?.abort();
  }

  /** Rejects a response that exceeds the limit of its operation. */
  #exceed(): void {
    this.#end(responseLimitExceeded(this.#rules.maxBytesPerOperation));
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
