import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { STATUS_CODES } from '../node-http.ts';
import type { ReceivedRequest } from '../plain/plain-request.ts';
import { LongText } from '../../long-text.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
import { admitResponse, errorResponseInTurn } from '../limits/edge-limits.ts';
import { bytesWhileWaiting, encodeLong } from '../limits/waiting-body.ts';
import { hasUnreadBody } from '../request/unread-body.ts';
import { isLongText, sendLongText } from './send-long-text.ts';

/** Complete response. */
export interface HttpResponse {
  readonly status: number;
  /**
   * Headers with lower-case names. `content-length` and `x-content-type-options` are added. A list of alternating names and values is sent
   * unchanged, because creating an object costs more than everything else that is done for a response.
   */
  readonly headers: OutgoingHttpHeaders | OutgoingHttpHeader[];
  readonly body: string | Uint8Array;
  /** The same body in pieces, which is sent instead. A function that replaces the body must remove it. @defaultValue `body` is sent */
  readonly longBody?: LongText | undefined;
  /** Whether the response to GET is an endless stream, so that HEAD has no length. @defaultValue false */
  readonly isEndless?: boolean;
}

/** Response whose headers are an object, so that headers can be added. */
export interface NamedHttpResponse extends HttpResponse {
  readonly headers: OutgoingHttpHeaders;
}

/** Maximum size that is discarded before the connection of a client that continues to send is closed. @unit bytes */
const LINGER_BYTES = 16_777_216;

/**
 * Sends a response once. If the request body was not read to its end, closing the socket would reset the connection, and the client could
 * lose the response. The response is therefore sent with `Connection: close`, the rest of the body is discarded, and the connection is
 * closed afterwards (RFC 9112, section 9.6). The request timeout of the listener limits this time. A response that exceeds the limit on
 * unread bytes is replaced by a short 503.
 */
export function sendResponse(request: ReceivedRequest, response: OutgoingResponse, httpResponse: HttpResponse): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, isEndless = false } = httpResponse;
  const body = httpResponse.longBody ?? httpResponse.body;
  const isEmpty = status === 204 || status === 304;
  const isSent = !isEmpty && request.method !== 'HEAD';
  if (isSent && admitResponse(request, response, bytesWhileWaiting(body)) === undefined) {
    sendResponse(request, response, errorResponseInTurn(request));
    return;
  }
  const unread = hasUnreadBody(request) ? request : undefined;
  const lingers = unread !== undefined;
  if (Array.isArray(headers)) {
    response.writeHead(status, lingers ? [...headers, 'connection', 'close'] : headers);
  } else {
    const length = isEmpty || isEndless ? undefined : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    response.writeHead(status, toHead(headers, length, lingers));
  }
  sendBody(response, isSent ? body : '', unread);
}

function sendBody(response: OutgoingResponse, body: string | Uint8Array | LongText, unread: IncomingMessage | undefined): void {
  if (unread !== undefined) endAfterRest(unread, response, encodeLong(body instanceof LongText ? body.toString() : body));
  else if (isLongText(body)) sendLongText(response, body);
  else response.end(encodeLong(body));
}

/** Sends a body, and ends the response when the rest of the request body is discarded. */
function endAfterRest(unread: IncomingMessage, response: OutgoingResponse, body: string | Uint8Array): void {
  if (body.length === 0) response.flushHeaders();
  else response.write(body);
  dropRest(unread, () => response.end());
}

/** Returns headers as a list of alternating names and values. Creating an object for each response costs more than everything else here. */
function toHead(headers: OutgoingHttpHeaders, length: number | undefined, closes: boolean): OutgoingHttpHeader[] {
  const head: OutgoingHttpHeader[] = ['x-content-type-options', 'nosniff'];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !(closes && name === 'connection')) head.push(name, value);
  }
  if (length !== undefined) head.push('content-length', length);
  if (closes) head.push('connection', 'close');
  return head;
}

function dropRest(request: IncomingMessage, done: () => void): void {
  // The rest of a rejected body may have been read meanwhile. No further events are emitted then.
  if (request.readableEnded || request.closed) return done();
  let dropped = 0;
  const finish = (): void => {
    request.off('data', count).off('end', finish).off('close', finish).off('error', finish);
    done();
  };
  const count = (chunk: Buffer): void => {
    dropped += chunk.length;
    if (dropped > LINGER_BYTES) finish();
  };
  request.on('data', count).on('end', finish).on('close', finish).on('error', finish).resume();
}

/** Headers of responses that depend on the caller or the time, so that caches do not store them. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/** Headers of pages. They prevent framing, referrers and access from other sites. */
export const PAGE_SECURITY = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Returns the reason phrase of a status, such as `Not Found`. */
export function statusPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Status';
}
