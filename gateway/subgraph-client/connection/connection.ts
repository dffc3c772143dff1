import type { Socket } from 'node:net';
import { ConnectionClosed, MalformedResponse } from './connection-errors.ts';
import type { OpenSocket, SocketListener } from './open-socket.ts';
import { LARGE_BODY_BYTES } from '../large-responses.ts';
import type { Abortable, HttpRequest, ResponseHandler } from './response-handler.ts';
import { ResponseReader } from './response-reader.ts';

/** Whoever opened a connection, and gives it requests. */
export interface ConnectionOwner {
  /** It stands. */
  onOpen(connection: SubgraphConnection): void;
  /** Its request was answered, and it can take the next one. */
  onFree(connection: SubgraphConnection): void;
  /** It never stood. */
  onRefused(connection: SubgraphConnection, error: Error): void;
  /** It stood, and does no more. */
  onGone(connection: SubgraphConnection): void;
}

/** How long a connection is kept that nobody uses, where the server does not say: a second less than servers keep theirs. @unit milliseconds */
const KEPT_MS = 4_000;

/** So much earlier than a server says it closes, we do: a request that crosses the end of its connection is lost. @unit milliseconds */
const MARGIN_MS = 2_000;

const MAX_KEPT_MS = 600_000;

/**
 * Bytes of a large body that are received in one iteration of the event loop. Node reads from a socket up to 32 times in an iteration, and
 * copying 2 MB from each of several sockets would keep all other requests waiting. @unit bytes
 */
const MAX_BYTES_AT_ONCE = 262_144;

/** One connection, with one request on it at a time: no request waits behind another's answer. */
export class SubgraphConnection implements SocketListener, Abortable {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  #handler: ResponseHandler | undefined;
  #keptMs = KEPT_MS;
  /** While it rests: until when it may be used again, by the monotonic clock. @unit milliseconds */
  #keptUntil = 0;
  #hasStood = false;
  /** The handler was told that the body has so many bytes; 0 before it is large. */
  #toldBytes = 0;
  /** True while the rest of a large body waits for memory. */
  #isHeld = false;
  /** Bytes of a large body that were received since others had their turn. */
  #receivedAtOnce = 0;

  constructor(open: OpenSocket, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#socket = open(this);
  }

  /** Sends a request whose turn it is; only while it is free. */
  send({ head, body }: HttpRequest, handler: ResponseHandler): void {
    this.#handler = handler;
    this.#toldBytes = 0;
    this.#isHeld = false;
    this.#receivedAtOnce = 0;
    this.#reader.begin(handler);
    this.#socket.ref();
    const length = Buffer.byteLength(body);
    const start = `${head}content-length: ${length}\r\n\r\n`;
    // Where every character is a byte, all of it is one write.
    if (length === body.length) return void this.#socket.write(start + body, 'latin1');
    this.#socket.cork();
    this.#socket.write(start, 'latin1');
    this.#socket.write(body, 'utf8');
    this.#socket.uncork();
  }

  /** From now on nobody uses it. @param now monotonic @unit milliseconds */
  rest(now: number): void {
    this.#keptUntil = now + this.#keptMs;
    this.#socket.unref();
  }

  /**
   * Whether a request may be sent. A socket that broke is told of at the end of a turn of the event loop; others may be read
   * before.
   *
   * @param now monotonic @unit milliseconds
   */
  isUsable(now: number): boolean {
    return this.#keptUntil > now && this.#socket.writable;
  }

  /** Ends it without a word to whoever waits for an answer. */
  abort(): void {
    this.#handler = undefined;
    this.#socket.destroy();
  }

  /** Ends it. @param reason for whoever waits for an answer */
  close(reason: Error): void {
    const handler = this.#handler;
    this.abort();
    handler?.fail(reason);
  }

  onConnected(): void {
    this.#hasStood = true;
    this.#owner.onOpen(this);
  }

  onBytes(bytes: Buffer): void {
    if (this.#handler === undefined) return this.abort(); // it speaks unasked
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
    if (this.#hasStood) this.#owner.onGone(this);
    else this.#owner.onRefused(this, error);
  }

  #receiveLarge(length: number, handler: ResponseHandler): void {
    if (this.#reader.bodyBytes > this.#toldBytes) return this.#hold(handler);
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
    this.#toldBytes = isLengthKnown ? bodyBytes : Math.min(2 * bodyBytes, handler.maxBytes);
    this.#isHeld = true;
    this.#socket.pause();
    handler.hold(this.#toldBytes, () => {
      this.#isHeld = false;
      this.#reader.makeRoom();
      this.#socket.resume();
    });
  }

  #goOn(): void {
    this.#handler = undefined;
    const seconds = this.#reader.keptSeconds;
    this.#keptMs = seconds === undefined ? KEPT_MS : Math.min(seconds * 1_000 - MARGIN_MS, MAX_KEPT_MS);
    // A request of which not all is sent yet was answered early; its rest would come before the next one.
    const isFree = this.#reader.keepsConnection && this.#keptMs > 0 && this.#socket.writableLength === 0 && this.#socket.writable;
    if (isFree) this.#owner.onFree(this);
    else this.abort();
  }

  #fail(error: unknown): void {
    this.close(error instanceof Error ? error : new MalformedResponse(String(error)));
  }
}
