import { randomUUID } from 'node:crypto';
import type { DocumentReference } from '../persisted/document-reference.ts';
import type { ExecuteOrSubscribe } from '../pipeline/pipeline.ts';
import type { EventStream, SubscriptionRequest } from '../pipeline/streams/event-stream.ts';
import { toRequestErrors } from '../pipeline/response.ts';
import type { ClientName } from '../platform/client-name.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { TraceHeaders } from '../platform/trace-context.ts';
import type { Permissions } from './permissions.ts';
import type { Payload } from './read-message.ts';
import { completeMessage, errorMessage, nextMessage, type SessionSocket } from './session-messages.ts';
import { CLOSE_CODES, SocketClosure, toSocketError } from './socket-closure.ts';

/**
 * An operation that is running on a socket. Its identity is the object and not its id, because a client may reuse the id while the
 * operation ends.
 */
class LiveOperation {
  readonly permissions: Permissions;
  readonly #controller = new AbortController();
  #stream: EventStream | undefined;

  constructor(permissions: Permissions) {
    this.permissions = permissions;
  }

  /** Aborted when the result is no longer needed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the operation is a query or mutation, or has not been prepared yet. */
  get isExecuting(): boolean {
    return this.#stream === undefined;
  }

  /** Attaches the stream. A stream that arrives after the end is closed immediately. */
  adopt(stream: EventStream): void {
    this.#stream = stream;
    if (this.signal.aborted) endQuietly(stream);
  }

  /**
   * Ends the operation when its result is no longer needed.
   *
   * @param reason why the gateway ends it. @defaultValue the client has ended it
   */
  end(reason?: string): void {
    if (this.signal.aborted) return;
    this.#controller.abort();
    if (this.#stream !== undefined) endQuietly(this.#stream, reason);
  }
}

/** Closes a stream. An error while closing affects no client. */
function endQuietly(stream: EventStream, reason?: string): void {
  stream.return(reason).catch(() => undefined);
}

/** Content of a request for an operation. */
export interface RequestContent {
  readonly document: DocumentReference;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Id of the last event that the client received. */
  readonly lastEventId?: string;
  /** Library of the client: `extensions.clientLibrary`. */
  readonly clientLibrary?: ClientName;
  /** Trace of the operation: `extensions.traceparent`. */
  readonly trace?: TraceHeaders;
}

/** Reads the parameters of a request in the same way as all transports. @throws GatewayError `BAD_REQUEST` */
type ReadRequest = (parameters: Readonly<Record<string, unknown>>) => RequestContent;

/** Settings that the operations of all sessions share. */
export interface OperationRules {
  readonly executeOrSubscribe: ExecuteOrSubscribe;
  readonly readRequest: ReadRequest;
  readonly maxOperations: number;
  readonly logger: Logger;
}

/** Owner of the operations: one session. */
export interface OperationsHost {
  readonly permissions: Permissions;
  readonly remoteAddress: string;
  /** Ends the session because its current permissions have expired. */
  expire(): void;
  /** Called when an operation no longer executes: its result was sent, or it is a stream. */
  operationEnded(): void;
  /** Ends the session because a required message cannot be buffered: the client does not read. */
  overflow(): void;
}

/** Buffered bytes below which the next event is executed without waiting for the socket. @unit bytes */
export const WATERMARK_BYTES = 65_536;

/** Operations that run on one socket. */
export class LiveOperations {
  readonly #rules: OperationRules;
  readonly #socket: SessionSocket;
  readonly #host: OperationsHost;
  readonly #running = new Map<string, LiveOperation>();

  constructor(rules: OperationRules, socket: SessionSocket, host: OperationsHost) {
    this.#rules = rules;
    this.#socket = socket;
    this.#host = host;
  }

  /** Whether queries or mutations are being executed, whose results would be lost if the socket were closed. */
  get areExecuting(): boolean {
    for (const operation of this.#running.values()) if (operation.isExecuting) return true;
    return false;
  }

  /** @throws SocketClosure 4409 when the id is in use */
  start(id: string, payload: Payload): void {
    const { maxOperations } = this.#rules;
    if (this.#running.has(id)) throw new SocketClosure(CLOSE_CODES.subscriberExists, `Subscriber for ${id} already exists`);
    if (this.#running.size >= maxOperations) {
      const error = new GatewayError('SUBSCRIPTION_LIMIT', `The limit of ${maxOperations} operations per connection has been reached.`);
      return this.#report(errorMessage(JSON.stringify(id), toRequestErrors(error, randomUUID())));
    }
    const operation = new LiveOperation(this.#host.permissions);
    this.#running.set(id, operation);
    void this.#run(id, operation, payload);
  }

  /** Cancels an operation for the client. */
  cancel(id: string): void {
    this.#running.get(id)?.end();
    this.#running.delete(id);
  }

  /** Ends all operations without a message, because the socket is closed or about to close. */
  endAll(reason?: string): void {
    for (const operation of this.#running.values()) operation.end(reason);
    this.#running.clear();
  }

  /** Runs an operation. Never rejects. Sends nothing after the operation has ended, because another operation may use its id by then. */
  async #run(id: string, operation: LiveOperation, payload: Payload): Promise<void> {
    const correlationId = randomUUID();
    const jsonId = JSON.stringify(id);
    try {
      const request = this.#toRequest(operation, payload, correlationId);
      const result = await this.#rules.executeOrSubscribe(request, () => request);
      if ('stream' in result) {
        operation.adopt(result.stream);
        this.#host.operationEnded(); // A subscription has no result that a closing socket would wait for.
        await this.#pass(jsonId, operation, result.stream);
      } else if (!operation.signal.aborted) this.#send(nextMessage(jsonId, { result: result.response }));
      if (this.#finish(id, operation)) this.#report(completeMessage(jsonId));
    } catch (error) {
      const isExpired = error instanceof GatewayError && error.code === 'TOKEN_EXPIRED';
      if (!this.#finish(id, operation)) return;
      if (isExpired && operation.permissions === this.#host.permissions) return this.#host.expire();
      const rejection = toSocketError(error, this.#rules.logger, correlationId);
      this.#report(errorMessage(jsonId, toRequestErrors(rejection, correlationId)));
    }
    this.#host.operationEnded();
  }

  /** @throws GatewayError `OVERLOADED` when the message cannot be buffered, which ends the operation */
  #send(text: string, sent?: () => void): void {
    if (this.#socket.send(text, sent)) return;
    throw new GatewayError(
      'OVERLOADED',
      'The response cannot be buffered: too many responses are waiting to be read. Read the open responses.',
    );
  }

  /** Sends the end of an operation, which the client must receive. */
  #report(text: string): void {
    if (!this.#socket.send(text)) this.#host.overflow();
  }

  async #pass(jsonId: string, operation: LiveOperation, stream: EventStream): Promise<void> {
    for (;;) {
      const { done, value } = await stream.next();
      if (done === true || operation.signal.aborted) return;
      const text = nextMessage(jsonId, value);
      if (this.#socket.bufferedAmount < WATERMARK_BYTES) this.#send(text);
      else await this.#sendAndWait(text); // the engine limits its queue, and drops a client that does not read
    }
  }

  #sendAndWait(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#send(text, resolve);
    });
  }

  #toRequest(operation: LiveOperation, payload: Payload, correlationId: string): SubscriptionRequest {
    const { permissions, signal } = operation;
    const { principal } = permissions;
    const { remoteAddress } = this.#host;
    const read = this.#rules.readRequest(payload);
    const context = { principal, transport: 'websocket', headers: permissions.headers, correlationId, remoteAddress, signal } as const;
    return { ...read, ...context, expiresAt: () => permissions.expiresAt };
  }

  /** Removes an operation. @returns whether it was still running */
  #finish(id: string, operation: LiveOperation): boolean {
    if (operation.signal.aborted) return false;
    operation.end();
    this.#running.delete(id);
    return true;
  }
}
