import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { HeadFields, OutgoingResponse } from '../response/outgoing-response.ts';
import type { PlainRequest } from './plain-request.ts';
import type { HeaderField, PrintHead } from './print-head.ts';

/** Connection on which a response is sent. */
export interface PlainExchangeOwner {
  readonly printHead: PrintHead;
  /** Called when the whole response is sent. */
  onSent(response: PlainResponse): void;
}

type WriteCallback = (error: Error | null | undefined) => void;

function ignore(): void {
  // No caller waits for the bytes.
}

/**
 * Response to a plain request. A response whose body is known when its head is written is one write. Other responses are sent in chunks, like
 * those of Node.js.
 */
export class PlainResponse extends EventEmitter implements OutgoingResponse {
  readonly req: PlainRequest;
  readonly socket: Socket;
  statusCode = 200;
  headersSent = false;
  destroyed = false;
  closed = false;
  writableEnded = false;
  writableFinished = false;
  /** Whether the connection is closed after the response. */
  isLast: boolean;
  readonly #owner: PlainExchangeOwner;
  /** Headers that were set before the head is written, by lower-case name. Absent until there is one. */
  #fields: Map<string, readonly [string, HeaderField]> | undefined;
  /** Head that is not sent yet. */
  #head = '';
  #knownLength: number | undefined;
  #isChunked = false;
  #hasBody = true;

  constructor(request: PlainRequest, owner: PlainExchangeOwner, isLast: boolean) {
    super();
    this.req = request;
    this.socket = request.socket;
    this.#owner = owner;
    this.isLast = isLast;
  }

  get writableNeedDrain(): boolean {
    return this.socket.writableNeedDrain;
  }

  getHeader(name: string): OutgoingHttpHeader | undefined {
    const value = this.#fields?.get(name.toLowerCase())?.[1];
    return typeof value === 'object' ? [...value] : value;
  }

  setHeader(name: string, value: OutgoingHttpHeader | readonly string[]): this {
    this.#requireOpenHead('set');
    this.#fields ??= new Map();
    this.#fields.set(name.toLowerCase(), [name, value]);
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    if (before === undefined) return this.setHeader(name, value);
    return this.setHeader(name, [...(Array.isArray(before) ? before : [String(before)]), ...(typeof value === 'string' ? [value] : value)]);
  }

  removeHeader(name: string): void {
    this.#requireOpenHead('remove');
    this.#fields?.delete(name.toLowerCase());
  }

  writeHead(status: number, reason?: string | HeadFields, head?: HeadFields): this {
    this.#requireOpenHead('write');
    const given = typeof reason === 'string' ? head : (head ?? reason);
    const fields = this.#mergeFields(given);
    this.statusCode = status;
    this.#hasBody = this.req.method !== 'HEAD' && status !== 204 && status !== 304;
    const context = { hasBody: this.#hasBody, knownLength: this.#knownLength, isLast: this.isLast };
    const { text, isChunked, statedLength, isLast } = this.#owner.printHead(status, fields, context);
    this.#knownLength ??= statedLength;
    this.#head = text;
    this.#isChunked = isChunked;
    this.isLast = isLast;
    this.headersSent = true;
    return this;
  }

  flushHeaders(): void {
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.#send('', ignore);
  }

  write(chunk: string | Uint8Array, callback: WriteCallback = ignore): boolean {
    if (this.destroyed || this.writableEnded) {
      process.nextTick(callback, new Error('The response has ended.'));
      return false;
    }
    if (!this.headersSent) this.writeHead(this.statusCode);
    const length = lengthOf(chunk);
    if (!this.#hasBody || length === 0) {
      process.nextTick(callback, null);
      return true;
    }
    if (!this.#isChunked) return this.#send(chunk, callback, length);
    this.socket.cork();
    this.#send(`${length.toString(16)}\r\n`, ignore);
    this.#send(chunk, ignore, length);
    const isBelowMark = this.#send('\r\n', callback);
    this.socket.uncork();
    return isBelowMark;
  }

  end(chunk: string | Uint8Array = ''): this {
    if (this.destroyed || this.writableEnded) return this;
    if (!this.headersSent) {
      this.#knownLength = lengthOf(chunk);
      this.writeHead(this.statusCode);
    }
    // A head that is not sent precedes the whole body.
    const isWhole = this.#head !== '';
    if (this.#isChunked && chunk.length > 0) this.write(chunk);
    this.writableEnded = true;
    if (this.#isChunked) this.#send(LAST_CHUNK, this.#onSent);
    else if (!this.#hasBody) this.#send('', this.#onSent);
    else this.#send(chunk, this.#onSent, isWhole ? this.#knownLength : undefined);
    this.emit('prefinish');
    return this;
  }

  destroy(error?: Error): this {
    this.destroyed = true;
    this.socket.destroy(error);
    return this;
  }

  /** Marks the response as closed, because it was sent or its connection was closed. */
  close(): void {
    if (this.closed) return;
    this.destroyed = true;
    this.closed = true;
    this.emit('close');
  }

  /** Called when the connection has accepted all bytes, or when it fails, in which case it is closed. */
  readonly #onSent: WriteCallback = (error) => {
    if (error !== null && error !== undefined) return;
    this.writableFinished = true;
    this.emit('finish');
    this.close();
    this.#owner.onSent(this);
  };

  /** Sends bytes after the head, if it is not sent yet. An ASCII text and its head are one write without a conversion. */
  #send(chunk: string | Uint8Array, callback: WriteCallback, length = lengthOf(chunk)): boolean {
    const head = this.#head;
    this.#head = '';
    const { socket } = this;
    // The client has closed its side. No byte can be sent, and the connection will be closed.
    if (!socket.writable) return false;
    if (typeof chunk === 'string') {
      const text = head + chunk;
      if (text === '') {
        if (socket.writableLength > 0) return socket.write('', callback);
        process.nextTick(callback, null);
        return true;
      }
      // The length in bytes was computed for the head. It is that of the chunk unless the body is sent in several ones.
      if (length === chunk.length) return socket.write(text, 'latin1', callback);
    }
    if (head === '') return socket.write(chunk, 'utf8', callback);
    socket.cork();
    socket.write(head, 'latin1');
    const isBelowMark = socket.write(chunk, 'utf8', callback);
    socket.uncork();
    return isBelowMark;
  }

  /** Adds the headers of the head to those that were set before, which they override. */
  #mergeFields(given: HeadFields | undefined): readonly HeaderField[] {
    if (this.#fields === undefined) return given === undefined ? [] : toList(given);
    const list = given === undefined ? [] : toList(given);
    const names = new Set<string>();
    for (let index = 0; index < list.length; index += 2) names.add(String(list[index]));
    for (const name of names) this.removeHeader(name);
    for (let index = 0; index < list.length; index += 2) {
      const value = list[index + 1];
      if (value !== undefined) this.appendHeader(String(list[index]), typeof value === 'object' ? value : String(value));
    }
    return [...this.#fields.values()].flat() as readonly HeaderField[];
  }

  #requireOpenHead(action: string): void {
    if (this.headersSent) throw new Error(`Cannot ${action} headers after they are sent to the client`);
  }
}

const LAST_CHUNK = '0\r\n\r\n';

function lengthOf(chunk: string | Uint8Array): number {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength;
}

function toList(head: HeadFields): readonly HeaderField[] {
  return Array.isArray(head) ? head : ofNames(head);
}

function ofNames(head: OutgoingHttpHeaders): HeaderField[] {
  const list: HeaderField[] = [];
  for (const name in head) {
    const value = head[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}
