import { ConnectionClosed, MalformedResponse } from './connection-errors.ts';
import { type Framing, isBeginningOfHead, readFields, readFraming, readHead, type ResponseHead } from './read-head.ts';
import { LARGE_BODY_BYTES } from '../large-responses.ts';
import type { ResponseHandler } from './response-handler.ts';

/** Maximum total length of the head, the heads of interim responses and the trailer of a chunked body. @unit bytes */
const MAX_FIELDS = 16_384;

/** Maximum length of a chunk size line, including extensions. @unit bytes */
const MAX_CHUNK_LINE = 1_024;

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

/** Matches the size of a chunk and its extensions, which are ignored (RFC 9112, section 7.1.1). */
const CHUNK_SIZE =
  /^([0-9A-Fa-f]{1,8})(?:;[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]*"))?)*$/;

const NO_BYTES = Buffer.alloc(0);

/** Maximum memory allocated for announced bytes that have not arrived, before memory for the whole body is granted. @unit bytes */
const MAX_AHEAD = LARGE_BODY_BYTES;

/** A parsed head and its bytes. */
interface KnownHead {
  readonly bytes: Buffer;
  readonly head: ResponseHead;
  readonly framing: Framing;
}

/** Part of the response that is expected next. */
type Expected = 'head' | 'sized body' | 'body until the end' | 'chunk line' | 'chunk' | 'end of chunk' | 'trailer' | 'nothing';

/**
 * Finds the boundaries of the responses on one connection (RFC 9112, sections 6 and 7). An ambiguous message, for example with two lengths
 * or with a length and chunks, is rejected. Otherwise the data after it could be taken for the next response.
 */
export class ResponseReader {
  #handler: ResponseHandler | undefined;
  #expected: Expected = 'nothing';
  #head: ResponseHead | undefined;
  #keepsAlive = false;
  #keepAliveSeconds: number | undefined;
  /** The last head. Equal responses have byte-identical heads for up to a second each, and comparing a head is faster than parsing it. */
  #known: KnownHead | undefined;
  /** Incomplete data that waits for more bytes. */
  #rest: Buffer | undefined;
  /** Buffer for a body that arrives in several pieces. Many small pieces take no more memory than the length of the body. */
  #body = NO_BYTES;
  /** Number of bytes in `#body`. @unit bytes */
  #received = 0;
  /** Number of bytes of the body or the chunk that have not arrived. @unit bytes */
  #missing = 0;
  /** Number of received bytes of heads and trailer. @unit bytes */
  #fieldBytes = 0;

  /** Starts reading a response for a handler. */
  begin(handler: ResponseHandler): void {
    this.#handler = handler;
    this.#expected = 'head';
    this.#head = undefined;
    this.#received = 0;
    this.#fieldBytes = 0;
  }

  /** Whether another request can be sent after the response that was read. */
  get keepsAlive(): boolean {
    return this.#keepsAlive;
  }

  /** `timeout` parameter of the `Keep-Alive` header, if present. @unit seconds */
  get keepAliveSeconds(): number | undefined {
    return this.#keepAliveSeconds;
  }

  /** Length of the body that is being read, or the received length when the length is unknown. @unit bytes */
  get bodyBytes(): number {
    return this.#expected === 'head' ? 0 : this.#received + (this.isLengthKnown ? this.#missing : 0);
  }

  get isLengthKnown(): boolean {
    return this.#expected === 'sized body';
  }

  /** Allocates memory for the whole body when its length is known. */
  ensureCapacity(): void {
    if (this.isLengthKnown) this.#grow(this.#received + this.#missing);
  }

  /**
   * Processes received bytes.
   *
   * @param bytes Received bytes. The buffer can be overwritten after the call.
   * @returns true when the response is complete and was passed to the handler
   * @throws MalformedResponse when the response is invalid
   * @throws the error that the handler rejects the head with
   */
  read(bytes: Buffer): boolean {
    const all = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = undefined;
    let at = 0;
    while (at >= 0) {
      at = this.#step(all, at);
      if (this.#expected !== 'nothing') continue;
      // The server sent more data than this response. The connection cannot be reused, because the data belongs to no request.
      if (at !== all.length) this.#keepsAlive = false;
      return true;
    }
    return false;
  }

  /**
   * Handles the end of the data from the server.
   *
   * @throws ConnectionClosed when no head was received
   * @throws MalformedResponse when the body is incomplete
   */
  end(): void {
    if (this.#expected === 'body until the end') return this.#complete(NO_BYTES);
    if (this.#expected === 'head') throw new ConnectionClosed('The connection was closed.');
    throw new MalformedResponse('The connection was closed before the body was complete.');
  }

  /** @returns Index where reading continues, or -1 to wait for more data. */
  #step(all: Buffer, at: number): number {
    switch (this.#expected) {
      case 'head':
        return this.#readHead(all, at);
      case 'sized body':
        return this.#readSized(all, at);
      case 'body until the end':
        if (at < all.length) this.#retain(all.subarray(at));
        return -1;
      case 'chunk line':
        return this.#readChunkLine(all, at);
      case 'chunk':
        return this.#readChunk(all, at);
      case 'end of chunk':
        return this.#readEndOfChunk(all, at);
      case 'trailer':
        return this.#readTrailer(all, at);
      case 'nothing':
      default:
        throw new MalformedResponse('The server sent a response without a request.');
    }
  }

  #readHead(all: Buffer, at: number): number {
    const known = this.#known;
    if (known !== undefined && beginsWith(all, at, known.bytes)) {
      this.#countFields(known.bytes.length);
      this.#checkHead(known.head);
      this.#expectBody(known.framing);
      return at + known.bytes.length;
    }
    const end = all.indexOf(HEAD_END, at, 'latin1');
    if (end < 0) {
      if (!isBeginningOfHead(all.toString('latin1', at, at + MAX_FIELDS)))
        throw new MalformedResponse('The data does not start like an HTTP/1 response.');
      return this.#wait(all, at, MAX_FIELDS);
    }
    const next = end + HEAD_END.length;
    this.#countFields(next - at);
    const head = readHead(all.toString('latin1', at, end + LINE_END.length));
    if (head.statusCode === 101) throw new MalformedResponse('The server switched protocols without a request to do so.');
    if (head.statusCode < 200) return next; // Interim response (RFC 9110, section 15.2).
    this.#checkHead(head);
    const framing = readFraming(head);
    this.#known = { bytes: copyUnpooled(all.subarray(at, next)), head, framing };
    this.#expectBody(framing);
    return next;
  }

  #checkHead(head: ResponseHead): void {
    this.#head = head;
    const error = this.#handler?.check(head);
    if (error !== undefined) throw error;
  }

  #expectBody({ body, length, keepsAlive, keepAliveSeconds }: Framing): void {
    this.#keepsAlive = keepsAlive;
    this.#keepAliveSeconds = keepAliveSeconds;
    if (body === 'sized') this.#expectSized(length);
    else this.#expected = body === 'chunked' ? 'chunk line' : 'body until the end';
  }

  #expectSized(length: number): void {
    this.#checkLength(length);
    this.#missing = length;
    this.#expected = 'sized body';
  }

  #readSized(all: Buffer, at: number): number {
    const end = at + this.#missing;
    if (all.length >= end) {
      this.#complete(all.subarray(at, end));
      return end;
    }
    if (at < all.length) {
      this.#missing -= all.length - at;
      this.#retain(all.subarray(at));
    }
    return -1;
  }

  #readChunkLine(all: Buffer, at: number): number {
    const end = all.indexOf(LINE_END, at, 'latin1');
    if (end < 0) return this.#wait(all, at, MAX_CHUNK_LINE);
    const [, size] = CHUNK_SIZE.exec(all.toString('latin1', at, end)) ?? [];
    if (size === undefined || end - at > MAX_CHUNK_LINE) throw new MalformedResponse('A chunk size line is invalid or too long.');
    this.#missing = Number.parseInt(size, 16);
    this.#checkLength(this.#received + this.#missing);
    this.#expected = this.#missing === 0 ? 'trailer' : 'chunk';
    return end + LINE_END.length;
  }

  #readChunk(all: Buffer, at: number): number {
    const end = Math.min(all.length, at + this.#missing);
    this.#missing -= end - at;
    if (at < end) this.#retain(all.subarray(at, end));
    if (this.#missing > 0) return -1;
    this.#expected = 'end of chunk';
    return end;
  }

  #readEndOfChunk(all: Buffer, at: number): number {
    const end = at + LINE_END.length;
    if (all.length < end) return this.#wait(all, at, LINE_END.length);
    if (all.toString('latin1', at, end) !== LINE_END) throw new MalformedResponse('A chunk is longer than its announced size.');
    this.#expected = 'chunk line';
    return end;
  }

  /** Trailer fields after the last chunk are ignored (RFC 9112, section 7.1.2). */
  #readTrailer(all: Buffer, at: number): number {
    const end = all.indexOf(LINE_END, at, 'latin1');
    if (end < 0) return this.#wait(all, at, MAX_FIELDS);
    if (end === at) {
      this.#complete(NO_BYTES);
      return end + LINE_END.length;
    }
    this.#countFields(end - at);
    readFields(`${all.toString('latin1', at, end)}\r\n`);
    return end + LINE_END.length;
  }

  /** Stores incomplete data until the rest arrives. */
  #wait(all: Buffer, at: number, maxLength: number): number {
    if (all.length - at > maxLength) throw new MalformedResponse('A part of the response exceeds its length limit.');
    if (at < all.length) this.#rest = Buffer.from(all.subarray(at));
    return -1;
  }

  #countFields(length: number): void {
    this.#fieldBytes += length;
    if (this.#fieldBytes > MAX_FIELDS) throw new MalformedResponse('The head or the trailer is too long.');
  }

  #retain(piece: Buffer): void {
    const received = this.#received + piece.length;
    this.#checkLength(received);
    if (received > this.#body.length) this.#grow(Math.max(received + Math.min(this.#missing, MAX_AHEAD), 2 * this.#body.length));
    piece.copy(this.#body, this.#received);
    this.#received = received;
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(length);
    this.#body.copy(grown, 0, 0, this.#received);
    this.#body = grown;
  }

  #checkLength(length: number): void {
    const { maxBytes = 0 } = this.#handler ?? {};
    if (length > maxBytes) throw new MalformedResponse(`The body is longer than ${maxBytes} bytes.`);
  }

  #complete(last: Buffer): void {
    const [handler, head] = [this.#handler, this.#head];
    if (this.#received > 0) this.#retain(last);
    const body = this.#received > 0 ? this.#body.subarray(0, this.#received) : last;
    this.#expected = 'nothing';
    this.#handler = undefined;
    this.#body = NO_BYTES;
    if (handler === undefined || head === undefined) return;
    handler.complete(head, body);
  }
}

/** Copies bytes that stay in memory for long. A buffer from the pool of Node.js would retain up to 64 KB of the pool. */
function copyUnpooled(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function beginsWith(all: Buffer, at: number, known: Buffer): boolean {
  const end = at + known.length;
  return all.length >= end && all.compare(known, 0, known.length, at, end) === 0;
}
