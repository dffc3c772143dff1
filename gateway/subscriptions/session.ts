import { randomUUID } from 'node:crypto';
import type { AnswerOrStream } from '../pipeline/answer-or-stream.ts';
import type { EventStream, SubscriptionRequest } from '../pipeline/event-stream.ts';
import { toRefusalErrors } from '../pipeline/refusal-errors.ts';
import type { Clock } from '../platform/clock.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { Place } from './admission.ts';
import type { CheckRights } from './check-rights.ts';
import { CLOSE_CODES, SocketClosure, toClosure } from './closure.ts';
import type { Connection, Tick } from './connections.ts';
import { LiveOperation } from './live-operation.ts';
import { type MessageAllowance, type MessageRate, takeMessage } from './message-rate.ts';
import { headersOfSocket, readCredentials } from './read-credentials.ts';
import type { ReadRequest } from './read-request.ts';
import { type ClientMessage, type Payload, readMessage } from './read-message.ts';
import { isEqualInRights, isSameCaller, type Rights, rightsOf } from './rights.ts';
import { completeMessage, CONNECTION_ACK, errorMessage, nextMessage, PONG, pongAbout } from './write-messages.ts';

/** What carries messages, whatever it is made of. */
export interface SessionSocket {
  /** What was sent and has not left yet. @unit bytes */
  readonly bufferedAmount: number;
  /** @param sent called when it has left, or the socket is gone */
  send(text: string, sent?: () => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Without another word. */
  terminate(): void;
}

/** What all sessions share. */
export interface SessionRules {
  readonly answer: AnswerOrStream;
  /** @throws GatewayError */
  readonly authenticate: (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;
  readonly checkRights: CheckRights;
  readonly readRequest: ReadRequest;
  readonly rate: MessageRate;
  readonly maxMessageDepth: number;
  readonly maxOperations: number;
  readonly initTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly stallTimeoutMs: number;
  readonly credentialCheckIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Where a session comes from. */
export interface SessionOrigin {
  /** Of the upgrade. */
  readonly headers: RequestHeaders;
  /** Whom the credentials of the upgrade named, if there were any. */
  readonly principal: Principal;
  readonly remoteAddress: string;
  readonly place: Place;
}

/** Below that much waiting the next event is made without waiting for the socket. @unit bytes */
const WATERMARK_BYTES = 65_536;

/** One client that speaks graphql-transport-ws. A class, because there are ten thousand of them, and idle most of the time. */
export class Session implements Connection {
  place: number | undefined = undefined;
  readonly #rules: SessionRules;
  readonly #socket: SessionSocket;
  readonly #origin: SessionOrigin;
  readonly #allowance: MessageAllowance;
  readonly #operations = new Map<string, LiveOperation>();
  #phase: 'opened' | 'initialising' | 'ready' | 'closed' = 'opened';
  #rights: Rights;
  #headers: RequestHeaders;
  #initBy: number;
  #pingAt: number;
  #checkAt: number;
  #isPongOutstanding = false;
  #stalledSince: number | undefined;

  constructor(rules: SessionRules, socket: SessionSocket, origin: SessionOrigin) {
    const now = rules.clock.monotonic();
    this.#rules = rules;
    this.#socket = socket;
    this.#origin = origin;
    this.#allowance = { left: rules.rate.burst, at: now };
    this.#headers = headersOfSocket(origin.headers, undefined);
    this.#rights = rightsOf(origin.principal, this.#headers);
    this.#initBy = now + rules.initTimeoutMs;
    this.#pingAt = now + rules.pingIntervalMs;
    this.#checkAt = now + rules.credentialCheckIntervalMs;
  }

  /** A message has come. Never throws. */
  receive(text: string): void {
    if (this.#phase === 'closed') return;
    try {
      this.#count();
      this.#handle(readMessage(text, this.#rules.maxMessageDepth));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A message in binary has come, which the protocol does not know. */
  receiveBinary(): void {
    this.#fail(new SocketClosure(CLOSE_CODES.badRequest, 'Invalid message: messages are text.'));
  }

  /** A ping of the transport has come; it costs as much as a message. */
  receivePing(): void {
    if (this.#phase === 'closed') return;
    try {
      this.#count();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The answer to a ping of the transport has come. */
  receivePong(): void {
    this.#isPongOutstanding = false;
  }

  /** The socket is gone, whoever closed it. */
  gone(): void {
    this.#phase = 'closed';
    this.#origin.place.release();
    for (const operation of this.#operations.values()) operation.end();
    this.#operations.clear();
  }

  tick({ now, monotonic }: Tick): void {
    if (this.#phase === 'closed') return;
    if (this.#phase === 'opened' && monotonic >= this.#initBy) {
      return this.#close(new SocketClosure(CLOSE_CODES.initialisationTimeout, 'Connection initialisation timeout'));
    }
    const { expiresAt, principal } = this.#rights;
    if (expiresAt !== undefined && now >= expiresAt) return this.#close(new SocketClosure(CLOSE_CODES.forbidden, 'Token expired'));
    if (monotonic >= this.#checkAt && this.#phase === 'ready' && principal.kind !== 'anonymous') this.#check(monotonic);
    if (this.#isStalled(monotonic)) {
      this.#close(new SocketClosure(CLOSE_CODES.tryAgainLater, 'Too slow: what was sent is not read'));
      return this.#socket.terminate();
    }
    if (monotonic < this.#pingAt) return;
    if (this.#isPongOutstanding) return this.#socket.terminate();
    this.#isPongOutstanding = true;
    this.#pingAt = monotonic + this.#rules.pingIntervalMs;
    this.#socket.ping();
  }

  /** Without `complete`: a client that is told so does not come back for its events. */
  leave(retryMs: number): void {
    this.#close(new SocketClosure(CLOSE_CODES.serviceRestart, `The gateway closes; retry in ${retryMs} ms`));
  }

  cut(): void {
    this.#socket.terminate();
  }

  #count(): void {
    if (takeMessage(this.#allowance, this.#rules.rate, this.#rules.clock.monotonic())) return;
    throw new SocketClosure(CLOSE_CODES.tooManyRequests, 'Too many messages');
  }

  #handle(message: ClientMessage): void {
    switch (message.type) {
      case 'connection_init':
        return this.#initialise(message.payload);
      case 'ping':
        return this.#pong(message.payload);
      case 'pong':
        return;
      case 'subscribe':
        return this.#subscribe(message.id, message.payload);
      case 'complete':
        this.#operations.get(message.id)?.end();
        this.#operations.delete(message.id);
    }
  }

  #initialise(payload: Payload | undefined): void {
    if (this.#phase !== 'opened') throw new SocketClosure(CLOSE_CODES.tooManyRequests, 'Too many initialisation requests');
    this.#phase = 'initialising';
    void this.#login(payload).catch((error: unknown) => this.#fail(error));
  }

  async #login(payload: Payload | undefined): Promise<void> {
    const credentials = readCredentials(payload);
    const { headers, principal: ofUpgrade, remoteAddress, place } = this.#origin;
    let principal = ofUpgrade;
    if (credentials !== undefined) {
      if (ofUpgrade.kind !== 'anonymous') throw severalPlaces();
      this.#headers = headersOfSocket(headers, credentials);
      principal = await this.#rules.authenticate(this.#headers, remoteAddress);
    }
    if (this.#phase !== 'initialising') return;
    if (credentials !== undefined || ofUpgrade.kind === 'anonymous') place.claim(principal);
    this.#rights = rightsOf(principal, this.#headers);
    this.#checkAt = this.#rules.clock.monotonic() + this.#rules.credentialCheckIntervalMs;
    this.#phase = 'ready';
    this.#socket.send(CONNECTION_ACK);
  }

  /** The protocol has no other message by which a client could send fresh credentials. */
  #pong(payload: Payload | undefined): void {
    const credentials = this.#phase === 'ready' ? readCredentials(payload) : undefined;
    if (credentials === undefined) return this.#socket.send(PONG);
    void this.#renew(credentials).catch((error: unknown) => this.#fail(error));
  }

  async #renew(credentials: RequestHeaders): Promise<void> {
    const headers = headersOfSocket(this.#origin.headers, credentials);
    let principal: Principal;
    try {
      principal = await this.#rules.authenticate(headers, this.#origin.remoteAddress);
    } catch (error) {
      const cannotTell = error instanceof GatewayError && error.status === 503;
      if (cannotTell && this.#phase === 'ready') return this.#socket.send(pongAbout('not checked'));
      throw error;
    }
    if (this.#phase !== 'ready') return;
    const before = this.#rights;
    if (!isSameCaller(principal, before.principal)) {
      throw new SocketClosure(CLOSE_CODES.forbidden, 'Fresh credentials must be of the same caller');
    }
    this.#headers = headers;
    if (isEqualInRights(principal, before.principal)) {
      before.headers = headers;
      before.expiresAt = principal.expiresAt;
    } else this.#rights = rightsOf(principal, headers); // what runs goes on with the rights that it began with, until they end
    this.#socket.send(pongAbout('accepted'));
  }

  #check(monotonic: number): void {
    this.#checkAt = monotonic + this.#rules.credentialCheckIntervalMs;
    const rights = this.#rights;
    void this.#rules.checkRights(rights).then((lost) => {
      if (lost !== undefined && rights === this.#rights) this.#fail(lost);
    });
  }

  #subscribe(id: string, payload: Payload): void {
    if (this.#phase !== 'ready') throw new SocketClosure(CLOSE_CODES.unauthorized, 'Unauthorized');
    if (this.#operations.has(id)) throw new SocketClosure(CLOSE_CODES.subscriberExists, `Subscriber for ${id} already exists`);
    if (this.#operations.size >= this.#rules.maxOperations) {
      const { maxOperations } = this.#rules;
      const refusal = new GatewayError('SUBSCRIPTION_LIMIT', `${maxOperations} operations run on this socket already.`);
      return this.#socket.send(errorMessage(JSON.stringify(id), toRefusalErrors(refusal, randomUUID())));
    }
    const operation = new LiveOperation(this.#rights);
    this.#operations.set(id, operation);
    void this.#run(id, operation, payload);
  }

  /** Never rejects. Nothing is sent of an operation that is over, for its id may be another's by then. */
  async #run(id: string, operation: LiveOperation, payload: Payload): Promise<void> {
    const correlationId = randomUUID();
    const jsonId = JSON.stringify(id);
    try {
      const outcome = await this.#rules.answer(this.#toRequest(operation, payload, correlationId));
      if ('stream' in outcome) {
        operation.adopt(outcome.stream);
        await this.#pass(jsonId, operation, outcome.stream);
      } else if (!operation.signal.aborted) this.#socket.send(nextMessage(jsonId, { result: outcome.answer }));
      if (this.#finish(id, operation)) this.#socket.send(completeMessage(jsonId));
    } catch (error) {
      const isExpired = error instanceof GatewayError && error.code === 'TOKEN_EXPIRED';
      if (!this.#finish(id, operation)) return;
      if (isExpired && operation.rights === this.#rights) return this.#close(new SocketClosure(CLOSE_CODES.forbidden, 'Token expired'));
      this.#socket.send(errorMessage(jsonId, toRefusalErrors(this.#toRefusal(error, correlationId), correlationId)));
    }
  }

  async #pass(jsonId: string, operation: LiveOperation, stream: EventStream): Promise<void> {
    for (;;) {
      const { done, value } = await stream.next();
      if (done === true || operation.signal.aborted) return;
      const text = nextMessage(jsonId, value);
      if (this.#socket.bufferedAmount < WATERMARK_BYTES) this.#socket.send(text);
      else await this.#sendAndWait(text); // a client that does not read is the engine's to deal with: its queue has an end
    }
  }

  #sendAndWait(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(text, resolve);
    });
  }

  #toRequest(operation: LiveOperation, payload: Payload, correlationId: string): SubscriptionRequest {
    const { rights, signal } = operation;
    const { principal } = rights;
    const { remoteAddress } = this.#origin;
    const read = this.#rules.readRequest(payload);
    const circumstances = { principal, door: 'websocket', headers: rights.headers, correlationId, remoteAddress, signal } as const;
    return { ...read, ...circumstances, expiresAt: () => rights.expiresAt };
  }

  /** Whether it was still running. */
  #finish(id: string, operation: LiveOperation): boolean {
    if (operation.signal.aborted) return false;
    operation.end();
    this.#operations.delete(id);
    return this.#phase !== 'closed';
  }

  #isStalled(monotonic: number): boolean {
    if (this.#socket.bufferedAmount < WATERMARK_BYTES) {
      this.#stalledSince = undefined;
      return false;
    }
    this.#stalledSince ??= monotonic;
    return monotonic - this.#stalledSince >= this.#rules.stallTimeoutMs;
  }

  #toRefusal(error: unknown, correlationId?: string): GatewayError {
    if (error instanceof GatewayError) return error;
    this.#rules.logger.error({ err: error, correlationId }, 'An operation of a socket failed unexpectedly.');
    return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
  }

  #fail(error: unknown): void {
    this.#close(error instanceof SocketClosure ? error : toClosure(this.#toRefusal(error)));
  }

  #close({ closeCode, message }: SocketClosure): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    for (const operation of this.#operations.values()) operation.end();
    this.#operations.clear();
    this.#socket.close(closeCode, message);
  }
}

function severalPlaces(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'A connection has one credential: on the upgrade or in connection_init, not in both.');
}
