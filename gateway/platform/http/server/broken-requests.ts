import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from '../node-http.ts';
import { type ErrorCode, statusOf } from '../../errors.ts';
import type { Connections, HttpExchange } from './connections.ts';
import { hangUp } from './upgrades.ts';

interface ConnectionError {
  readonly code: ErrorCode;
  /** HTTP status. @defaultValue the status of the code */
  readonly status?: number;
  readonly message: string;
}

/** Error of the HTTP parser of Node.js. */
interface ParseFailure extends NodeJS.ErrnoException {
  /** Packet in which the error was detected. */
  readonly rawPacket?: Buffer;
  /** Number of bytes of the packet that were parsed. */
  readonly bytesParsed?: number;
}

const OTHER_VERSION: ConnectionError = { code: 'BAD_REQUEST', status: 505, message: 'The HTTP version is not supported. Use HTTP/1.1.' };

/** Errors by the code of the HTTP parser of Node.js. */
const CONNECTION_ERRORS: ReadonlyMap<string, ConnectionError> = new Map([
  ['HPE_HEADER_OVERFLOW', { code: 'HEADERS_TOO_LARGE', message: 'The request line and headers are too large.' }],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', { code: 'PAYLOAD_TOO_LARGE', message: 'The chunk extensions of the body are too large.' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time.' }],
  ['HPE_INVALID_VERSION', OTHER_VERSION],
  ['HPE_PAUSED_H2_UPGRADE', OTHER_VERSION],
]);

const MALFORMED: ConnectionError = { code: 'BAD_REQUEST', message: 'The request is not well-formed HTTP.' };
const UNKNOWN_METHOD: ConnectionError = { code: 'METHOD_NOT_IMPLEMENTED', message: 'The request method is not supported by any resource.' };
const CONNECT_REFUSED: ConnectionError = { code: 'METHOD_NOT_IMPLEMENTED', message: 'The method CONNECT is not supported.' };

/**
 * Responds to data that is not a valid request (invalid HTTP, too large or too slow headers, CONNECT) in the format of all other errors,
 * and ends the connection.
 */
export function respondToBrokenRequests(server: Server, connections: Pick<Connections, 'latestOf' | 'dropIncomplete' | 'detach'>): void {
  const lastResponses = new WeakSet<ServerResponse>();
  /** Connections whose error is about to be handled. */
  const failing = new WeakSet<Duplex>();

  /**
   * Ends the connection once, regardless of the number of packets that follow the invalid bytes. Node.js reports each of them until the
   * response is sent.
   */
  function hangUpAfter(response: ServerResponse, socket: Duplex): void {
    if (lastResponses.has(response)) return;
    lastResponses.add(response);
    response.once('finish', () => hangUp(socket));
  }

  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    connections.detach(socket, () => refuse(socket, CONNECT_REFUSED));
  });
  function respond(error: ParseFailure, socket: Duplex): void {
    const { code = '' } = error;
    connections.dropIncomplete(socket);
    const latest = connections.latestOf(socket);
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (latest !== undefined && !latest.response.writableFinished && latest.request.complete) {
      // The invalid data follows a valid request whose response is in progress. The client must not take the error for that response.
      hangUpAfter(latest.response, socket);
    } else if (code === 'HPE_CLOSED_CONNECTION' || isResponding(latest)) {
      hangUp(socket);
    } else {
      refuse(socket, connectionErrorOf(code, error));
    }
  }

  server.on('clientError', (error: ParseFailure, socket) => {
    if (failing.has(socket)) return;
    failing.add(socket);
    // When the client closes its side, these listeners of Node.js would end the connection before the response.
    socket.removeAllListeners('end');
    // Node.js may parse several requests before their handlers continue, and handlers may respond to the part that is valid. The response
    // must not depend on that.
    setImmediate(() => {
      failing.delete(socket);
      respond(error, socket);
    });
  });
}

function connectionErrorOf(code: string, error: ParseFailure): ConnectionError {
  if (code === 'HPE_INVALID_METHOD' && isRequestLine(error)) return UNKNOWN_METHOD;
  return CONNECTION_ERRORS.get(code) ?? MALFORMED;
}

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?$/;
const METHOD_END = /[\w!#$%&'*+.^`|~-]+$/;

/** Maximum length of a method that is searched for. @unit bytes */
const MAX_METHOD_BYTES = 64;

/**
 * Whether the packet contains a valid request line. Node.js also reports data of other protocols as invalid methods. The line may follow the
 * body of another request.
 */
function isRequestLine({ rawPacket, bytesParsed = 0 }: ParseFailure): boolean {
  if (rawPacket === undefined) return false;
  const end = rawPacket.indexOf('\n', bytesParsed);
  const [begun = ''] = METHOD_END.exec(rawPacket.toString('latin1', Math.max(0, bytesParsed - MAX_METHOD_BYTES), bytesParsed)) ?? [];
  return end !== -1 && REQUEST_LINE.test(rawPacket.toString('latin1', bytesParsed - begun.length, end));
}

/** Whether a response is in progress. A second status line in the middle of it would confuse the client. */
function isResponding(latest: HttpExchange | undefined): boolean {
  return latest !== undefined && latest.response.headersSent && !latest.response.writableFinished;
}

function refuse(socket: Duplex, { code, message, status = statusOf(code) }: ConnectionError): void {
  const traceId = randomUUID();
  const body = JSON.stringify({ error: code, message, traceId });
  hangUp(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Date: ${new Date().toUTCString()}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Correlation-Id: ${traceId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
