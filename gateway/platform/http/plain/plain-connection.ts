import type { Socket } from 'node:net';
import type { SwapRemoveItem } from '../../swap-remove-list.ts';
import type { PlainMessage, PlainReader } from './plain-reader.ts';
import { PlainRequest } from './plain-request.ts';
import { type PlainExchangeOwner, PlainResponse } from './plain-response.ts';
import type { PrintHead } from './print-head.ts';

/** Listener of a plain connection, which is the same for all connections. */
export interface PlainConnectionOwner {
  readonly reader: PlainReader;
  readonly printHead: PrintHead;
  /** Whether a plain request is served without the HTTP server of Node.js. */
  accepts(message: PlainMessage, socket: Socket): boolean;
  /** Whether no further request is read after the next response. */
  isEnding(): boolean;
  serve(request: PlainRequest, response: PlainResponse): void;
  /**
   * Counts requests that wait behind a response.
   *
   * @returns function that releases them; undefined if they do not fit, so that the connection is closed
   */
  hold(request: PlainRequest): (() => void) | undefined;
  /** Gives the connection to the HTTP server of Node.js. Its unread bytes are in the buffer of the socket. */
  handOver(connection: PlainConnection): void;
  /** Called when the connection is closed. */
  onClose(connection: PlainConnection): void;
  /** Number of the current check for timeouts. */
  checkNumber(): number;
}

/** State of a connection. `looking`: a part of a request has arrived, and the rest is expected within the iteration of the event loop. */
type State = 'idle' | 'looking' | 'serving' | 'over';

/**
 * Connection whose requests the gateway reads as long as they are plain, complete and not pipelined. In all other cases the HTTP server of
 * Node.js takes the connection with all bytes of requests without a response, and never returns it.
 */
export class PlainConnection implements SwapRemoveItem, PlainExchangeOwner {
  index: number | undefined = undefined;
  readonly socket: Socket;
  readonly printHead: PrintHead;
  /** Response in progress, or the last one. */
  response: PlainResponse | undefined = undefined;
  /** Number of the check for timeouts at which the connection became idle. */
  idleSince: number;
  readonly #owner: PlainConnectionOwner;
  #state: State = 'idle';
  /** Releases the share of the requests that wait behind the response. */
  #release: (() => void) | undefined = undefined;

  constructor(socket: Socket, owner: PlainConnectionOwner) {
    this.socket = socket;
    this.printHead = owner.printHead;
    this.#owner = owner;
    this.idleSince = owner.checkNumber();
    socket.on('data', this.#onData).on('end', this.#onEnd).on('drain', this.#onDrain);
    socket.on('error', this.#onError).on('close', this.#onClose);
  }

  get isIdle(): boolean {
    return this.#state === 'idle' || this.#state === 'over';
  }

  /** Sends `Connection: close` with the response in progress, if its head is not sent. */
  announceEnd(): void {
    const { response } = this;
    if (response?.headersSent === false) response.setHeader('connection', 'close');
  }

  onSent(response: PlainResponse): void {
    if (this.#state === 'over' || this.socket.destroyed) return;
    this.#releaseWaiting();
    this.idleSince = this.#owner.checkNumber();
    if (response.isLast) {
      this.#state = 'over';
      this.socket.destroySoon();
      return;
    }
    this.#state = 'idle';
    if (this.socket.isPaused()) this.#handOver();
  }

  /** Stops reading, so that another owner can take the connection. */
  leave(): void {
    this.#state = 'over';
    this.socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain);
    this.socket.off('error', this.#onError).off('close', this.#onClose);
    this.#owner.onClose(this);
  }

  readonly #onData = (bytes: Buffer): void => {
    // While the connection is `looking`, the stream emits the bytes that are read from its buffer.
    if (this.#state === 'over' || this.#state === 'looking') return;
    if (this.#state === 'serving') {
      this.#keep(bytes);
      this.#wait();
      return;
    }
    const read = this.#owner.reader.read(bytes);
    if (read === 'incomplete') {
      this.#keep(bytes);
      this.#state = 'looking';
      setImmediate(this.#lookAgain);
    } else if (read === 'other' || !this.#owner.accepts(read, this.socket)) {
      this.#keep(bytes);
      this.#handOver();
    } else {
      this.#serve(read);
    }
  };

  /** Reads the bytes that have arrived since an incomplete request, once. */
  readonly #lookAgain = (): void => {
    if (this.#state !== 'looking') return;
    const { socket } = this;
    const bytes: Buffer | null = socket.readableLength === 0 ? null : socket.read();
    const read = bytes === null ? 'other' : this.#owner.reader.read(bytes);
    if (typeof read === 'object' && this.#owner.accepts(read, socket)) {
      this.#serve(read);
      socket.resume();
      return;
    }
    if (bytes !== null) socket.unshift(bytes);
    this.#handOver();
  };

  #serve(message: PlainMessage): void {
    const request = new PlainRequest(message, this.socket);
    this.#state = 'serving';
    this.response = new PlainResponse(request, this, message.head.isLast || this.#owner.isEnding());
    this.#owner.serve(request, this.response);
  }

  /** Returns bytes to the buffer of the socket, which then emits no data and no end. */
  #keep(bytes: Buffer): void {
    this.socket.pause();
    this.socket.unshift(bytes);
  }

  /** Counts the requests that wait behind the response in progress. The pause limits their size. */
  #wait(): void {
    if (this.#release !== undefined || this.response === undefined) return;
    this.#release = this.#owner.hold(this.response.req);
    if (this.#release === undefined) this.socket.destroy();
  }

  #releaseWaiting(): void {
    this.#release?.();
    this.#release = undefined;
  }

  #handOver(): void {
    this.leave();
    this.#owner.handOver(this);
  }

  /** A client that closes its side receives no response, as with the HTTP server of Node.js. */
  readonly #onEnd = (): void => void this.socket.end();

  readonly #onDrain = (): void => void this.response?.emit('drain');

  readonly #onError = (): void => void this.socket.destroy();

  readonly #onClose = (): void => {
    this.#releaseWaiting();
    this.#owner.onClose(this);
    const { response } = this;
    this.#state = 'over';
    if (response === undefined || response.closed) return;
    response.req.destroyed = true;
    response.close();
  };
}
