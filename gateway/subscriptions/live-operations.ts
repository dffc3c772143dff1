import { randomUUID } from 'node:crypto';
import type { DocumentReference } from '../persisted/document-reference.ts';
import type { AnswerOrStream } from '../pipeline/answer-or-stream.ts';
import type { EventStream, SubscriptionRequest } from '../pipeline/event-stream.ts';
import { toRefusalErrors } from '../pipeline/refusal-errors.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Rights } from './permissions.ts';
import type { Payload } from './read-message.ts';
import { completeMessage, errorMessage, nextMessage, type SessionSocket } from './session-messages.ts';
import { CLOSE_CODES, SocketClosure, toSocketRefusal } from './socket-closure.ts';

/** An operation that runs on a socket. It is known by itself and not by its id, which a client may use again while it ends. */
class LiveOperation {
  readonly rights: Rights;
  readonly #controller = new AbortController();
  #stream: EventStream | undefined;

  constructor(rights: Rights) {
    this.rights = rights;
  }

  /** Aborted when nobody waits for it any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The stream that it came to. One that comes too late is ended at once. */
  adopt(stream: EventStream): void {
    this.#stream = stream;
    if (this.signal.aborted) endQuietly(stream);
  }

  /** Nobody waits for it any more. */
  end(): void {
    if (this.signal.aborted) return;
    this.#controller.abort();
    if (this.#stream !== undefined) endQuietly(this.#stream);
  }
}

/** What goes wrong while a stream ends concerns nobody. */
function endQuietly(stream: EventStream): void {
  stream.return().catch(() => undefined);
}

/** What a request for an operation says itself. */
export interface RequestContent {
  readonly document: DocumentReference;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The last event that the client has seen. */
  readonly lastEventId?: string;
}

/** Reads the parameters of a request as all doors do. @throws GatewayError `BAD_REQUEST` */
type ReadRequest = (parameters: Readonly<Record<string, unknown>>) => RequestContent;

/** What the operations of all sessions share. */
export interface OperationRules {
  readonly answer: AnswerOrStream;
  readonly readRequest: ReadRequest;
  readonly maxOperations: number;
  readonly logger: Logger;
}

/** Whose operations they are. */
export interface OperationsHost {
  readonly rights: Rights;
  readonly remoteAddress: string;
  /** The rights that the session still has are over. */
  expire(): void;
  /** A message that cannot be left out does not fit: the client does not read what was sent. */
  overflow(): void;
}

/** Below that much waiting the next event is made without waiting for the socket. @unit bytes */
export const WATERMARK_BYTES = 65_536;

/** The operations that run on one socket. */
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

  /** @throws SocketClosure 4409 where the id is in use */
  start(id: string, payload: Payload): void {
    const { maxOperations } = this.#rules;
    if (this.#running.has(id)) throw new SocketClosure(CLOSE_CODES.subscriberExists, `Subscriber for ${id} already exists`);
    if (this.#running.size >= maxOperations) {
      const refusal = new GatewayError('SUBSCRIPTION_LIMIT', `${maxOperations} operations run on this socket already.`);
      return this.#tell(errorMessage(JSON.stringify(id), toRefusalErrors(refusal, randomUUID())));
    }
    const operation = new LiveOperation(this.#host.rights);
    this.#running.set(id, operation);
    void this.#run(id, operation, payload);
  }

  /** The client wants no more of it. */
  cancel(id: string): void {
    this.#running.get(id)?.end();
    this.#running.delete(id);
  }

  /** The socket is gone, or about to be: nothing is sent any more. */
  endAll(): void {
    for (const operation of this.#running.values()) operation.end();
    this.#running.clear();
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
      } else if (!operation.signal.aborted) this.#send(nextMessage(jsonId, { result: outcome.answer }));
      if (this.#finish(id, operation)) this.#tell(completeMessage(jsonId));
    } catch (error) {
      const isExpired = error instanceof GatewayError && error.code === 'TOKEN_EXPIRED';
      if (!this.#finish(id, operation)) return;
      if (isExpired && operation.rights === this.#host.rights) return this.#host.expire();
      const refusal = toSocketRefusal(error, this.#rules.logger, correlationId);
      this.#tell(errorMessage(jsonId, toRefusalErrors(refusal, correlationId)));
    }
  }

  /** @throws GatewayError `OVERLOADED` where it does not fit, with which the operation ends */
  #send(text: string, sent?: () => void): void {
    if (this.#socket.send(text, sent)) return;
    throw new GatewayError('OVERLOADED', 'The response is not sent: too many responses wait to be read. Read those of your connections.');
  }

  /** Sends how an operation ended, which the client must know. */
  #tell(text: string): void {
    if (!this.#socket.send(text)) this.#host.overflow();
  }

  async #pass(jsonId: string, operation: LiveOperation, stream: EventStream): Promise<void> {
    for (;;) {
      const { done, value } = await stream.next();
      if (done === true || operation.signal.aborted) return;
      const text = nextMessage(jsonId, value);
      if (this.#socket.bufferedAmount < WATERMARK_BYTES) this.#send(text);
      else await this.#sendAndWait(text); // a client that does not read is the engine's to deal with: its queue has an end
    }
  }

  #sendAndWait(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#send(text, resolve);
    });
  }

  #toRequest(operation: LiveOperation, payload: Payload, correlationId: string): SubscriptionRequest {
    const { rights, signal } = operation;
    const { principal } = rights;
    const { remoteAddress } = this.#host;
    const read = this.#rules.readRequest(payload);
    const circumstances = { principal, door: 'websocket', headers: rights.headers, correlationId, remoteAddress, signal } as const;
    return { ...read, ...circumstances, expiresAt: () => rights.expiresAt };
  }

  /** Whether it was still running. */
  #finish(id: string, operation: LiveOperation): boolean {
    if (operation.signal.aborted) return false;
    operation.end();
    this.#running.delete(id);
    return true;
  }
}
