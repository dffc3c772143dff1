import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import { admitResponse, refusalInPlace } from '../limits/edge-limits.ts';
import { bytesWhileWaiting, encodeLong } from '../limits/waiting-body.ts';
import { hasBody } from '../request/content-type.ts';

/** A whole answer. */
export interface Reply {
  readonly status: number;
  /**
   * Lower-case names; `content-length` and `x-content-type-options` are added. A list of names and values in turn is sent as it
   * stands: to put one together anew costs more than all else that is done for an answer.
   */
  readonly headers: OutgoingHttpHeaders | OutgoingHttpHeader[];
  readonly body: string | Uint8Array;
  /** Whether what GET would send has no end, and so no length that HEAD could tell. @defaultValue false */
  readonly isEndless?: boolean;
}

/** An answer whose headers have names, to which more may be added. */
export interface NamedReply extends Reply {
  readonly headers: OutgoingHttpHeaders;
}

/** An unread rest of a body up to this size is read and dropped, and the connection stays open. @unit bytes */
const KEPT_REST_BYTES = 65_536;

/** So much more is read and dropped before a connection is cut under a client that goes on sending. @unit bytes */
const LINGER_BYTES = 16_777_216;

/**
 * Writes an answer, once. When the body of the request was not read to its end, the client gets the answer all the
 * same: closing a socket with unread bytes resets the connection, and the client may lose what it had not read yet.
 * So the answer goes out with `Connection: close`, the rest is dropped, and only then the connection ends
 * (RFC 9112, section 9.6). The listener's request timeout bounds how long that takes. A response that does not fit into the listener's bound on
 * unread bytes is replaced by a short 503.
 */
export function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, isEndless = false } = reply;
  const isEmpty = status === 204 || status === 304;
  const isSent = !isEmpty && request.method !== 'HEAD';
  if (isSent && admitResponse(request, response, bytesWhileWaiting(reply.body)) === undefined) {
    sendReply(request, response, refusalInPlace(request));
    return;
  }
  const body = isSent ? encodeLong(reply.body) : reply.body;
  const lingers = hasUnreadRest(request);
  if (Array.isArray(headers)) {
    response.writeHead(status, lingers ? [...headers, 'connection', 'close'] : headers);
  } else {
    const length = isEmpty || isEndless ? undefined : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    response.writeHead(status, toHead(headers, length, lingers));
  }
  const payload = isSent ? body : '';
  if (!lingers) {
    response.end(payload);
    return;
  }
  if (payload.length === 0) response.flushHeaders();
  else response.write(payload);
  dropRest(request, () => response.end());
}

/** Names and values in turn: an object put together anew for each answer costs more than all else that is done here. */
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

function hasUnreadRest(request: IncomingMessage): boolean {
  if (request.complete || !hasBody(request.headers)) return false;
  const length = request.headers['content-length'];
  return length === undefined || Number(length) > KEPT_REST_BYTES;
}

function dropRest(request: IncomingMessage, done: () => void): void {
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

/** On answers that depend on who asks, or when: nobody keeps them. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/** On pages: no frames, no referrer, nothing of theirs into other sites. */
export const PAGE_SECURITY = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** What a status is called: `Not Found`. */
export function statusPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown Status';
}
