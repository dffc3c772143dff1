import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { PlainMessage } from './plain-reader.ts';

/** Request that the gateway has read without the HTTP parser of Node.js. Its body was received before it is handled. */
export class PlainRequest {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly method: string;
  url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly socket: Socket;
  /** Whether the whole request has been received. */
  readonly complete = true;
  /** Whether the connection was closed before the response was sent. */
  destroyed = false;
  #body: Buffer | undefined;

  constructor({ head, body }: PlainMessage, socket: Socket) {
    this.method = head.method;
    this.url = head.target;
    // The head may be that of other requests, and handlers add headers.
    this.headers = { ...head.headers };
    this.rawHeaders = head.rawHeaders;
    this.socket = socket;
    this.#body = body;
  }

  /** Returns the body once. @throws Error when it was returned before */
  takeBody(): Buffer {
    const body = this.#body;
    if (body === undefined) throw new Error('The request body was already consumed by an outer handler.');
    this.#body = undefined;
    return body;
  }
}

/** Request of either way in: read by the HTTP server of Node.js, or by the gateway. */
export type ReceivedRequest = IncomingMessage | PlainRequest;
