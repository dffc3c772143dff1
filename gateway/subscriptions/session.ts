import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { ConnectionSlot } from './admission.ts';
import { type CheckPermissions, hasEqualPermissions, isSameCaller, type Permissions, permissionsOf } from './permissions.ts';
import { CLOSE_CODES, SocketClosure, toClosure, toSocketError } from './socket-closure.ts';
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
  withClientContext,
} from './session-messages.ts';
import { type ClientMessage, type Payload, readMessage } from './read-message.ts';

/** Settings that all sessions share. */
export interface SessionRules extends OperationRules {
  /** @throws GatewayError */
  readonly authenticate: (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;
  readonly checkPermissions: CheckPermissions;
  readonly rate: MessageRate;
  readonly maxMessageDepth: number;
  readonly initTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly stallTimeoutMs: number;
  readonly credentialCheckIntervalMs: number;
  readonly clock: Clock;
}

/** Request that opened a session. */
export interface SessionOrigin {
  /** Headers of the upgrade request. */
  readonly headers: RequestHeaders;
  /** Principal of the credentials of the upgrade; anonymous when it had none. */
  readonly principal: Principal;
  readonly remoteAddress: string;
  readonly slot: ConnectionSlot;
}

/**
 * One client connection with the protocol graphql-transport-ws. It is a class to save memory, because there are ten thousand of them,
 * mostly idle.
 */
export class Session implements ClientConnection, OperationsHost {
  index: number | undefined = undefined;
  readonly #rules: SessionRules;
  readonly #socket: SessionSocket;
  readonly #origin: SessionOrigin;
  readonly #allowance: MessageAllowance;
  readonly #operations: LiveOperations;
  #phase: 'opened' | 'initialising' | 'ready' | 'closed' = 'opened';
  #permissions: Permissions;
  /** Headers of the upgrade, with the trace and the client name of `connection_init`. */
  #received: RequestHeaders;
  #headers: RequestHeaders;
  #initBy: number;
  #pingAt: number;
  #checkAt: number;
  #isPongOutstanding = false;
  /** Closure of a session that leaves. */
  #farewell: SocketClosure | undefined;

  constructor(rules: SessionRules, socket: SessionSocket, origin: SessionOrigin) {
    const now = rules.clock.monotonic();
    this.#rules = rules;
    this.#socket = socket;
    this.#origin = origin;
    this.#operations = new LiveOperations(rules, socket, this);
    this.#allowance = { left: rules.rate.burst, at: now };
    this.#received = origin.headers;
    this.#headers = headersOfSocket(origin.headers, undefined);
    this.#permissions = permissionsOf(origin.principal, this.#headers);
    this.#initBy = now + rules.initTimeoutMs;
    this.#pingAt = now + rules.pingIntervalMs;
    this.#checkAt = now + rules.credentialCheckIntervalMs;
  }

  get permissions(): Permissions {
    return this.#permissions;
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

  /** Ends the session immediately, because its client does not read. */
  drop(): void {
    this.overflow();
    this.#socket.terminate();
  }

  /** Handles a message. Never throws. */
  receive(text: string): void {
    if (this.#phase === 'closed') return;
    try {
      this.#count();
      this.#handle(readMessage(text, this.#rules.maxMessageDepth));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Handles a binary message, which the protocol does not allow. */
  receiveBinary(): void {
    this.#fail(new SocketClosure(CLOSE_CODES.badRequest, 'Invalid message: messages must be text.'));
  }

  /** Handles a ping frame, which counts as a message. */
  receivePing(): void {
    if (this.#phase === 'closed') return;
    try {
      this.#count();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Handles a pong frame. An unsolicited pong counts as a message. */
  receivePong(): void {
    if (!this.#isPongOutstanding) return this.receivePing();
    this.#isPongOutstanding = false;
    return undefined;
  }

  /** Handles the close of the socket, by either side. */
  clientDisconnected(): void {
    this.#phase = 'closed';
    this.#origin.slot.release();
    this.#operations.endAll();
  }

  tick({ now, monotonic }: Tick): void {
    if (this.#phase === 'closed') return;
    if (this.#phase === 'opened' && monotonic >= this.#initBy) {
      return this.#close(new SocketClosure(CLOSE_CODES.initialisationTimeout, 'Connection initialisation timeout'));
    }
    const { expiresAt, principal } = this.#permissions;
    if (expiresAt !== undefined && now >= expiresAt) return this.expire();
    if (monotonic >= this.#checkAt && this.#phase === 'ready' && principal.kind !== 'anonymous') this.#check(monotonic);
    // Pongs are not read while the client is held back. Its deadline for reading applies instead.
    if (this.#socket.isDelayed) this.#pingAt = monotonic + this.#rules.pingIntervalMs;
    if (monotonic < this.#pingAt) return;
    if (this.#isPongOutstanding) return this.#socket.terminate();
    this.#isPongOutstanding = true;
    this.#pingAt = monotonic + this.#rules.pingIntervalMs;
    this.#socket.ping();
  }

  /**
   * Closes without `complete`, because a client that receives `complete` does not subscribe again. Results of queries and mutations are sent
   * first. Operations that arrive meanwhile are not started: the client sends them again after it has reconnected.
   */
  leave(retryMs: number): void {
    this.#farewell = new SocketClosure(CLOSE_CODES.serviceRestart, `The gateway is shutting down; retry in ${retryMs} ms`);
    this.operationEnded();
  }

  operationEnded(): void {
    if (this.#farewell !== undefined && !this.#operations.areExecuting) this.#close(this.#farewell);
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
        return this.#initialize(message.payload);
      case 'ping':
        return this.#pong(message.payload);
      case 'pong':
        return;
      case 'subscribe':
        if (this.#phase !== 'ready') throw new SocketClosure(CLOSE_CODES.unauthorized, 'Unauthorized');
        if (this.#farewell !== undefined) return;
        return this.#operations.start(message.id, message.payload);
      case 'complete':
        this.#operations.cancel(message.id);
        return this.operationEnded();
    }
  }

  #initialize(payload: Payload | undefined): void {
    if (this.#phase !== 'opened') throw new SocketClosure(CLOSE_CODES.tooManyRequests, 'Too many initialisation requests');
    this.#phase = 'initialising';
    void this.#login(payload).catch((error: unknown) => this.#fail(error));
  }

  async #login(payload: Payload | undefined): Promise<void> {
    const credentials = readCredentials(payload);
    const { principal: ofUpgrade, remoteAddress, slot } = this.#origin;
    this.#received = withClientContext(this.#origin.headers, payload);
    if (this.#received !== this.#origin.headers) this.#headers = headersOfSocket(this.#received, undefined);
    let principal = ofUpgrade;
    if (credentials !== undefined) {
      if (ofUpgrade.kind !== 'anonymous') throw severalPositions();
      this.#headers = headersOfSocket(this.#received, credentials);
      principal = await this.#rules.authenticate(this.#headers, remoteAddress);
    }
    if (this.#phase !== 'initialising') return;
    if (credentials !== undefined || ofUpgrade.kind === 'anonymous') slot.claim(principal);
    this.#permissions = permissionsOf(principal, this.#headers);
    this.#checkAt = this.#rules.clock.monotonic() + this.#rules.credentialCheckIntervalMs;
    this.#phase = 'ready';
    this.#send(CONNECTION_ACK);
  }

  /** Responds to a ping, which may carry new credentials: the protocol has no other message for them. */
  #pong(payload: Payload | undefined): void {
    const credentials = this.#phase === 'ready' ? readCredentials(payload) : undefined;
    if (credentials === undefined) return this.#send(pongMessage(payload));
    void this.#renew(credentials).catch((error: unknown) => this.#fail(error));
  }

  async #renew(credentials: RequestHeaders): Promise<void> {
    const headers = headersOfSocket(this.#received, credentials);
    let principal: Principal;
    try {
      principal = await this.#rules.authenticate(headers, this.#origin.remoteAddress);
    } catch (error) {
      const credentialsUnverified = error instanceof GatewayError && error.status === 503;
      if (credentialsUnverified && this.#phase === 'ready') return this.#send(pongAbout('not checked'));
      throw error;
    }
    if (this.#phase !== 'ready') return;
    const before = this.#permissions;
    if (!isSameCaller(principal, before.principal)) {
      throw new SocketClosure(CLOSE_CODES.forbidden, 'New credentials must belong to the same caller');
    }
    this.#headers = headers;
    if (hasEqualPermissions(principal, before.principal)) {
      before.headers = headers;
      before.expiresAt = principal.expiresAt;
    } else this.#permissions = permissionsOf(principal, headers); // running operations continue with their earlier permissions until those expire
    this.#send(pongAbout('accepted'));
  }

  #check(monotonic: number): void {
    this.#checkAt = monotonic + this.#rules.credentialCheckIntervalMs;
    const permissions = this.#permissions;
    void this.#rules.checkPermissions(permissions).then((lost) => {
      if (lost !== undefined && permissions === this.#permissions) this.#fail(lost);
    });
  }

  #send(text: string): void {
    if (!this.#socket.send(text)) this.overflow();
  }

  #fail(error: unknown): void {
    this.#close(error instanceof SocketClosure ? error : toClosure(toSocketError(error, this.#rules.logger)));
  }

  #close({ closeCode, message }: SocketClosure): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#operations.endAll(reasonOf(closeCode));
    this.#socket.close(closeCode, message);
  }
}

/** Returns the reason for which the operations of a socket end that the gateway closes. */
function reasonOf(closeCode: number): string {
  return closeCode === CLOSE_CODES.serviceRestart ? 'shutdown' : `closed_${closeCode}`;
}

function tooSlow(): SocketClosure {
  return new SocketClosure(CLOSE_CODES.tryAgainLater, 'Too slow: the client does not read its messages');
}

function severalPositions(): GatewayError {
  return new GatewayError('BAD_REQUEST', 'Send the credentials either in the upgrade or in connection_init, not in both.');
}
