import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { ReceivedRequest } from '../plain/plain-request.ts';

/** Headers of a response, by name or as a list of alternating names and values. */
export type HeadFields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Value of a header that is added to those of the same name. */
type AppendedHeader = string | readonly string[];

/**
 * Response of either way in: the members of `ServerResponse` of Node.js that the gateway uses, with the same meaning. Events are `prefinish`
 * when the response is complete, `finish` when it is sent, `close` after it or when the connection is closed, and `drain`.
 */
export interface OutgoingResponse {
  readonly req: ReceivedRequest;
  readonly socket: Socket | null;
  statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly closed: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  readonly writableNeedDrain: boolean;
  getHeader(name: string): OutgoingHttpHeader | undefined;
  setHeader(name: string, value: OutgoingHttpHeader | readonly string[]): unknown;
  appendHeader(name: string, value: AppendedHeader): unknown;
  removeHeader(name: string): void;
  writeHead(status: number, reason?: string | HeadFields, head?: HeadFields): unknown;
  flushHeaders(): void;
  write(chunk: string | Uint8Array, callback?: (error: Error | null | undefined) => void): boolean;
  end(chunk?: string | Uint8Array): unknown;
  destroy(error?: Error): unknown;
  on(event: string, listener: () => void): this;
  once(event: string, listener: () => void): this;
  off(event: string, listener: () => void): this;
}

/** Handles a request of either way in. */
export type ServeRequest = (request: ReceivedRequest, response: OutgoingResponse) => void;
