import type { OutgoingResponse } from '../platform/http/response/outgoing-response.ts';
import type { EventStream } from '../pipeline/streams/event-stream.ts';
import { toRequestErrors } from '../pipeline/response.ts';
import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import { admitResponse } from '../platform/http/limits/edge-limits.ts';
import { bytesWhileWaiting, encodeLong } from '../platform/http/limits/waiting-body.ts';
import type { WriteDeadlines } from '../platform/http/limits/write-deadlines.ts';
import type { CheckPermissions, Permissions } from './permissions.ts';
import type { ClientConnection, ClientConnections, Tick } from './client-connections.ts';
import type { StreamFormat } from './stream-formats.ts';

/** Settings that all streams over HTTP share. */
export interface HttpStreamRules {
  readonly connections: ClientConnections;
  readonly checkPermissions: CheckPermissions;
  readonly heartbeatIntervalMs: number;
  readonly credentialCheckIntervalMs: number;
  /** Deadlines of clients that stop reading. */
  readonly deadlines: Pick<WriteDeadlines, 'look'>;
  readonly clock: Clock;
  /** Called when a stream begins. @defaultValue no callback */
  readonly onBegin?: (response: OutgoingResponse) => void;
}

/** One stream and its client. */
export interface HttpStreamDependencies {
  readonly stream: EventStream;
  readonly format: StreamFormat;
  /** Response whose headers have not been written. */
  readonly response: OutgoingResponse;
  readonly headers: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
  readonly requestId: string;
  /** Converts the error that ended the stream early, and logs defects. */
  readonly toGatewayError: (error: unknown) => GatewayError;
}

/**
 * Sends events of a stream, each when the client can receive more, until the stream ends or the client disconnects. Never rejects. It is a
 * class to save memory, because there may be ten thousand streams.
 */
export class HttpStream implements ClientConnection {
  index: number | undefined = undefined;
  readonly #rules: HttpStreamRules;
  readonly #dependencies: HttpStreamDependencies;
  #isOver = false;
  #heartbeatAt: number;
  #checkAt: number;

  constructor(rules: HttpStreamRules, dependencies: HttpStreamDependencies) {
    const now = rules.clock.monotonic();
    this.#rules = rules;
    this.#dependencies = dependencies;
    this.#heartbeatAt = now + rules.heartbeatIntervalMs;
    this.#checkAt = now + rules.credentialCheckIntervalMs;
  }

  async send(): Promise<void> {
    const { stream, format, response, headers } = this.#dependencies;
    const { connections, onBegin } = this.#rules;
    if (response.destroyed) return this.#end('');
    connections.add(this);
    response.on('close', () => {
      connections.remove(this);
      this.#end('');
      this.#look();
    });
    onBegin?.(response);
    response.writeHead(200, headers);
    response.write(format.begin);
    try {
      for (;;) {
        const { done, value } = await stream.next();
        if (this.#isOver) return;
        if (done === true) return this.#end(format.complete);
        this.#heartbeatAt = this.#rules.clock.monotonic() + this.#rules.heartbeatIntervalMs;
        if (!this.#write(format.event(value))) await drained(response);
      }
    } catch (error) {
      if (!this.#isOver) this.#fail(this.#dependencies.toGatewayError(error));
    }
  }

  tick({ now, monotonic }: Tick): void {
    this.#look(); // also after the end, because the last events may still be unsent
    if (this.#isOver) return;
    const { permissions, response, format } = this.#dependencies;
    if (permissions.expiresAt !== undefined && now >= permissions.expiresAt) {
      return this.#fail(new GatewayError('TOKEN_EXPIRED', 'The credentials of this stream have expired.'));
    }
    if (monotonic >= this.#checkAt && permissions.principal.kind !== 'anonymous') this.#check(monotonic);
    if (response.writableNeedDrain || monotonic < this.#heartbeatAt) return;
    this.#heartbeatAt = monotonic + this.#rules.heartbeatIntervalMs;
    response.write(format.heartbeat);
  }

  leave(retryMs: number): void {
    this.#end(this.#dependencies.format.leave(retryMs, this.#dependencies.requestId), 'shutdown');
  }

  cut(): void {
    this.#dependencies.response.destroy();
  }

  /** @returns whether the client can receive more. @throws GatewayError `OVERLOADED` when the event cannot be buffered */
  #write(event: string): boolean {
    const { response } = this.#dependencies;
    const giveBack = admitResponse(response.req, response, bytesWhileWaiting(event));
    if (giveBack !== undefined) return response.write(encodeLong(event), giveBack);
    throw new GatewayError(
      'OVERLOADED',
      'The event cannot be buffered: too many responses are waiting to be read. Read the open responses.',
    );
  }

  #look(): void {
    const { response } = this.#dependencies;
    this.#rules.deadlines.look({ socket: response.req.socket, response });
  }

  #check(monotonic: number): void {
    this.#checkAt = monotonic + this.#rules.credentialCheckIntervalMs;
    void this.#rules.checkPermissions(this.#dependencies.permissions).then((lost) => {
      if (lost !== undefined) this.#fail(lost);
    });
  }

  #fail(error: GatewayError): void {
    const { format, requestId } = this.#dependencies;
    this.#end(format.fail(toRequestErrors(error, requestId)), error.code);
  }

  #end(lastWords: string, reason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { stream, response } = this.#dependencies;
    stream.return(reason).catch(() => undefined); // an error while closing affects no client
    if (!response.destroyed) response.end(lastWords);
  }
}

/** Resolves when the client has received the buffered data or has disconnected. */
function drained(response: OutgoingResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
    if (response.destroyed) settle();
  });
}
