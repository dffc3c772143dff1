import type { Socket } from 'node:net';
import { ConnectionClosed, MalformedResponse } from './connection-errors.ts';
import type { OpenSocket, SocketListener } from './open-socket.ts';
import { LARGE_BODY_BYTES } from '../large-responses.ts';
import type { Abortable, HttpRequest, ResponseHandler } from './response-handler.ts';
import { ResponseReader } from './response-reader.ts';

/** Owner of a connection, which assigns requests to it. */
export interface ConnectionOwner {
  /** Called when the connection is established. */
  onOpen(connection: SubgraphConnection): void;
  /** Called when the response is complete and the connection can take the next request. */
  onFree(connection: SubgraphConnection): void;
  /** Called when the connection could not be established. */
  onRejected(connection: SubgraphConnection, error: Error): void;
  /** Called when an established connection is closed. */
  onDisconnect(connection: SubgraphConnection): void;
  /**
   * Called when the connection was closed before it could carry a request that may be sent again: it has carried an earlier one, and no byte
   * of a response has arrived.
   *
   * @param reason Error with which the request fails if it is not sent again.
   */
  onMissed(request: HttpRequest, handler: ResponseHandler, reason: Error): void;
}

/**
 * Idle time after which a connection is closed when the server does not announce a timeout: one second less than the usual server default.
 *
 * @unit milliseconds
 */
const KEEP_ALIVE_MS = 4_000;

/**
 * Margin before the announced idle timeout of a server. A request sent at the moment the server closes the connection would be lost.
 *
 * @unit milliseconds
 */
const MARGIN_MS = 2_000;

const MAX_KEEP_ALIVE_MS = 600_000;

/**
 * Maximum number of bytes of a large body that are received in one iteration of the event loop. Node reads from a socket up to 32 times per
 * iteration. Copying 2 MB from each of several sockets would delay all other requests.
 *
 * @unit bytes
 */
const MAX_BYTES_AT_ONCE = 262_144;

/** Maximum length of a body that is joined with the head of its request. @unit bytes */
const MAX_JOINED = 65_536;

/** One connection with at most one request in progress. No request waits behind another response. */
export class SubgraphConnection implements SocketListener, Abortable {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  #handler: ResponseHandler | undefined;
  /** Request in progress that is sent again on another connection if the server has closed this one. */
  #repeatable: HttpRequest | undefined;
  /** Whether the connection has carried a request before the current one. */
  #isReused = false;
  #keepAliveMs = KEEP_ALIVE_MS;
  /** Time until which the idle connection can be reused, by the monotonic clock. @unit milliseconds */
  #keptUntil = 0;
  #hasStood = false;
  /** Body length that was last reported to the handler; 0 before the body counts as large. @unit bytes */
  #reportedBytes = 0;
  /** Whether the rest of a large body waits for memory. */
  #isHeld = false;
  /** Bytes of a large body received since the event loop last ran other work. @unit bytes */
  #receivedAtOnce = 0;

  constructor(open: OpenSocket, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#socket = open(this);
  }

  /** Sends a request. The connection must be free. */
  send(request: HttpRequest, handler: ResponseHandler): void {
    const { head, body } = request;
    this.#handler = handler;
    this.#repeatable = this.#isReused && request.isRepeatable === true ? request : undefined;
    this.#isReused = true;
    this.#reportedBytes = 0;
    this.#isHeld = false;
    this.#receivedAtOnce = 0;
    this.#reader.begin(handler);
    this.#socket.ref();
    if (body === undefined) return void this.#socket.write(`${head}\r\n`, 'latin1');
    const length = Buffer.byteLength(body);
    const start = `${head}content-length: ${length}\r\n\r\n`;
    const encoding = length === body.length ? 'latin1' : 'utf8';
    // When every character is one byte, the whole request is a single write. Joining a long body with the head would copy it.
    if (encoding === 'latin1' && length <= MAX_JOINED) return void this.#socket.write(start + body, 'latin1');
    this.#socket.cork();
    this.#socket.write(start, 'latin1');
    this.#socket.write(body, encoding);
    this.#socket.uncork();
  }

  /** Marks the connection as idle. @param now Monotonic time. @unit milliseconds */
  rest(now: number): void {
    this.#keptUntil = now + this.#keepAliveMs;
    this.#socket.unref();
  }

  /**
   * Whether a request can be sent. A broken socket is reported only at the end of an event loop iteration, so the state of the socket is
   * checked here as well.
   *
   * @param now Monotonic time.
   * @unit milliseconds
   */
  isUsable(now: number): boolean {
    return this.#keptUntil > now && this.#socket.writable;
  }

  /** Closes the connection without calling its handler. */
  abort(): void {
    this.#handler = undefined;
    this.#socket.destroy();
  }

  /** Closes the connection. @param reason Error for the handler that waits for a response. */
  close(reason: Error): void {
    const handler = this.#handler;
    const missed = this.#repeatable;
    this.abort();
    if (handler === undefined) return;
    if (missed === undefined) handler.fail(reason);
    else this.#owner.onMissed(missed, handler, reason);
  }

  onConnected(): void {
    this.#hasStood = true;
    this.#owner.onOpen(this);
  }

  onBytes(bytes: Buffer): void {
    if (this.#handler === undefined) return this.abort(); // The server sent data without a request.
    this.#repeatable = undefined;
    try {
      if (this.#reader.read(bytes)) this.#goOn();
      else if (this.#reader.bodyBytes >= LARGE_BODY_BYTES) this.#receiveLarge(bytes.length, this.#handler);
    } catch (error) {
      this.#fail(error);
    }
  }

  onEnd(): void {
    try {
      if (this.#handler !== undefined) this.#reader.end();
      this.abort();
    } catch (error) {
      this.#fail(error);
    }
  }

  onClosed(error: Error = new ConnectionClosed('The connection was closed.')): void {
    this.close(error);
    if (this.#hasStood) this.#owner.onDisconnect(this);
    else this.#owner.onRejected(this, error);
  }

  #receiveLarge(length: number, handler: ResponseHandler): void {
    if (this.#reader.bodyBytes > this.#reportedBytes) return this.#hold(handler);
    this.#receivedAtOnce += length;
    if (this.#receivedAtOnce < MAX_BYTES_AT_ONCE) return;
    this.#receivedAtOnce = 0;
    this.#socket.pause();
    setImmediate(() => {
      if (!this.#isHeld) this.#socket.resume();
    });
  }

  #hold(handler: ResponseHandler): void {
    const { bodyBytes, isLengthKnown } = this.#reader;
    this.#reportedBytes = isLengthKnown ? bodyBytes : Math.min(2 * bodyBytes, handler.maxBytes);
    this.#isHeld = true;
    this.#socket.pause();
    handler.hold(bodyBytes, this.#reportedBytes, () => {
      this.#isHeld = false;
      this.#reader.ensureCapacity();
      this.#socket.resume();
    });
  }

  #goOn(): void {
    this.#handler = undefined;
    const seconds = this.#reader.keepAliveSeconds;
    this.#keepAliveMs = seconds === undefined ? KEEP_ALIVE_MS : Math.min(seconds * 1_000 - MARGIN_MS, MAX_KEEP_ALIVE_MS);
    // The response arrived before the whole request was sent. The unsent rest would precede the next request, so the connection cannot be
    // reused.
    const isFree = this.#reader.keepsAlive && this.#keepAliveMs > 0 && this.#socket.writableLength === 0 && this.#socket.writable;
    if (isFree) this.#owner.onFree(this);
    else this.abort();
  }

  #fail(error: unknown): void {
    this.close(error instanceof Error ? error : new MalformedResponse(String(error)));
  }
}
