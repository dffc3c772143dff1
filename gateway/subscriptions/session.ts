import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { ConnectionSlot } from './admission.ts';
import { type CheckRights, isEqualInRights, isSameCaller, type Rights, rightsOf } from './permissions.ts';
import { CLOSE_CODES, SocketClosure, toClosure, toSocketRefusal } from './socket-closure.ts';
import type { ClientConnection, Tick } from './client-connections.ts';
import { LiveOperations, type OperationRules, type OperationsHost } from './live-operations.ts';
import {
  CONNECTION_ACK,
  headersOfSocket,
  type MessageAllowance,
  type MessageRate,
  pongAbout,
  pongMessage,
  readCredentials,
  type SessionSocket,
  takeMessage,
} from './session-messages.ts';
import { type ClientMessage, type Payload, readMessage } from './read-message.ts';

/** What all sessions share. */
export interface SessionRules extends OperationRules {
  /** @throws GatewayError */
  readonly authenticate: (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;
  readonly checkRights: CheckRights;
  readonly rate: MessageRate;
  readonly maxMessageDepth: number;
  readonly initTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly stallTimeoutMs: number;
  readonly credentialCheckIntervalMs: number;
  readonly clock: Clock;
}

/** Where a session comes from. */
export interface SessionOrigin {
  /** Of the upgrade. */
  readonly headers: RequestHeaders;
  /** Whom the credentials of the upgrade named, if there were any. */
  readonly principal: Principal;
  readonly remoteAddress: string;
  readonly place: ConnectionSlot;
}

/** One client that speaks graphql-transport-ws. A class, because there are ten thousand of them, and idle most of the time. */
export class Session implements ClientConnection, OperationsHost {
  place: number | undefined = undefined;
  readonly #rules: SessionRules;
  readonly #socket: SessionSocket;
  readonly #origin: SessionOrigin;
  readonly #allowance: MessageAllowance;
  readonly #operations: LiveOperations;
  #phase: 'opened' | 'initialising' | 'ready' | 'closed' = 'opened';
  #rights: Rights;
  #headers: RequestHeaders;
  #initBy: number;
  #pingAt: number;
  #checkAt: number;
  #isPongOutstanding = false;

  constructor(rules: SessionRules, socket: SessionSocket, origin: SessionOrigin) {
    const now = rules.clock.monotonic();
    this.#rules = rules;
    this.#socket = socket;
    this.#origin = origin;
    this.#operations = new LiveOperations(rules, socket, this);
    this.#allowance = { left: rules.rate.burst, at: now };
    this.#headers = headersOfSocket(origin.headers, undefined);
    this.#rights = rightsOf(origin.principal, this.#headers);
    this.#initBy = now + rules.initTimeoutMs;
    this.#pingAt = now + rules.pingIntervalMs;
    this.#checkAt = now + rules.credentialCheckIntervalMs;
  }

  get rights(): Rights {
    return this.#rights;
  }

  get remoteAddress(): string {
    return this.#origin.remoteAddress;
  }

  expire(): void {
    this.#close(new SocketClosure(CLOSE_CODES.forbidden, 'Token expired'));
  }

  overflow(): void {
    this.#close(tooSlow());
  }

  /** Ends it at once: its client does not read what was sent. */
  drop(): void {
    this.overflow();
    this.#socket.terminate();
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

  /** The answer to a ping of the transport has come; one that nobody asked for costs as much as a message. */
  receivePong(): void {
    if (!this.#isPongOutstanding) return this.receivePing();
    this.#isPongOutstanding = false;
    return undefined;
  }

  /** The socket is gone, whoever closed it. */
  gone(): void {
    this.#phase = 'closed';
    this.#origin.place.release();
    this.#operations.endAll();
  }

  tick({ now, monotonic }: Tick): void {
    if (this.#phase === 'closed') return;
    if (this.#phase === 'opened' && monotonic >= this.#initBy) {
      return this.#close(new SocketClosure(CLOSE_CODES.initialisationTimeout, 'Connection initialisation timeout'));
    }
    const { expiresAt, principal } = this.#rights;
    if (expiresAt !== undefined && now >= expiresAt) return this.expire();
    if (monotonic >= this.#checkAt && this.#phase === 'ready' && principal.kind !== 'anonymous') this.#check(monotonic);
    // Its pongs are not read meanwhile; it has a deadline for reading what was sent.
    if (this.#socket.isHeldBack) this.#pingAt = monotonic + this.#rules.pingIntervalMs;
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
        if (this.#phase !== 'ready') throw new SocketClosure(CLOSE_CODES.unauthorized, 'Unauthorized');
        return this.#operations.start(message.id, message.payload);
      case 'complete':
        return this.#operations.cancel(message.id);
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
    this.#send(CONNECTION_ACK);
  }

  /** The protocol has no other message by which a client could send fresh credentials. */
  #pong(payload: Payload | undefined): void {
    const credentials = this.#phase === 'ready' ? readCredentials(payload) : undefined;
    if (credentials === undefined) return this.#send(pongMessage(payload));
    void this.#renew(credentials).catch((error: unknown) => this.#fail(error));
  }

  async #renew(credentials: RequestHeaders): Promise<void> {
    const headers = headersOfSocket(this.#origin.headers, credentials);
    let principal: Principal;
    try {
      principal = await this.#rules.authenticate(headers, this.#origin.remoteAddress);
    } catch (error) {
      const cannotTell = error instanceof GatewayError && error.status === 503;
      if (cannotTell && this.#phase === 'ready') return this.#send(pongAbout('not checked'));
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
    this.#send(pongAbout('accepted'));
  }

  #check(monotonic: number): void {
    this.#checkAt = monotonic + this.#rules.credentialCheckIntervalMs;
    const rights = this.#rights;
    void this.#rules.checkRights(rights).then((lost) => {
      if (lost !== undefined && rights === this.#rights) this.#fail(lost);
    });
  }

  #send(text: string): void {
    if (!this.#socket.send(text)) this.overflow();
  }

  #fail(error: unknown): void {
    this.#close(error instanceof SocketClosure ? error : toClosure(toSocketRefusal(error, this.#rules.logger)));
  }

  #close({ closeCode, message }: SocketClosure): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#operations.endAll();
    this.#socket.close(closeCode, message);
  }
}

function tooSlow(): SocketClosure {
  return new SocketClosure(CLOSE_CODES.tryAgainLater, 'Too slow: what was sent is not read');
}

function severalPlaces(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'A connection has one credential: on the upgrade or in connection_init, not in both.');
}
