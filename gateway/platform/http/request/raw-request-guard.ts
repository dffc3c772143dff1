import type { ReceivedRequest } from '../plain/plain-request.ts';
import { GatewayError } from '../../errors.ts';
import { hasBody } from './content-type.ts';

const CREDENTIAL_PARAMETERS: ReadonlySet<string> = new Set(['access_token', 'token', 'api_key']);

/**
 * Rejects credentials in the query string, because URLs are stored in logs, browser histories and `Referer` headers.
 *
 * @throws GatewayError `BAD_REQUEST`
 */
function refuseUrlCredentials(target: string): void {
  const mark = target.indexOf('?');
  if (mark === -1) return;
  for (const name of new URLSearchParams(target.slice(mark + 1)).keys()) {
    if (CREDENTIAL_PARAMETERS.has(name.toLowerCase())) {
      throw new GatewayError(
        'BAD_REQUEST',
        `Credentials are not accepted in the URL. Send them in the Authorization header instead of the parameter "${name}".`,
      );
    }
  }
}

/** Properties of a request that the guard reads. */
export type RawRequest = Pick<ReceivedRequest, 'httpVersionMajor' | 'httpVersionMinor' | 'method' | 'url' | 'headers' | 'rawHeaders'>;

export interface RawRequestLimits {
  /** Maximum length of the request target. @unit bytes */
  readonly maxUrlBytes: number;
}

const NO_PATH = 'The request target must be a path that starts with "/", or an absolute URL with the host of the Host header.';
const HOST = /^[A-Za-z0-9._~!$&'()*+,;=:[\]%-]+$/;
/** Characters outside visible ASCII, and `#`, because a request target has no fragment (RFC 9112, section 3.2). */
const FOREIGN_CHARACTER = /[^\x21-\x7e]|#/;

/**
 * Rejects requests that the parser of Node.js accepts but that two servers may interpret differently.
 *
 * @throws GatewayError `BAD_REQUEST`, `METHOD_NOT_IMPLEMENTED` or `URI_TOO_LONG`. An error with `connection: close` means that the framing
 * is ambiguous, so that nothing more may be read from the connection.
 * @param isTargetKnown whether a request with the same target was accepted before, under the same limits
 */
export function guardRawRequest(request: RawRequest, limits: RawRequestLimits, isTargetKnown = false): void {
  guardFraming(request);
  guardMethod(request);
  if (isTargetKnown) return;
  if (request.method === 'OPTIONS' && request.url === '*') return; // The request is about the server as a whole (RFC 9110, section 9.3.7).
  guardTarget(request.url ?? '', limits);
  refuseUrlCredentials(request.url ?? '');
}

/** Checks that the end and the host of a request are unambiguous (RFC 9112, sections 3.2 and 6.1). */
function guardFraming({ httpVersionMajor, httpVersionMinor, rawHeaders, headers }: RawRequest): void {
  // The parser of Node.js accepts a start line of HTTP/2.0 as HTTP/1.1.
  if (httpVersionMajor !== 1) throw ambiguous('The HTTP version is not supported. Use HTTP/1.1.', 505);
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // HTTP/1.0 has no Host header (RFC 9112, section 3.2). Load balancers use that version for health checks.
  const isHostKnown = hosts === 1 ? HOST.test(headers.host ?? '') : hosts === 0 && httpVersionMinor === 0;
  if (!isHostKnown) throw ambiguous('The request must have exactly one Host header with a valid host. Only HTTP/1.0 requests may omit it.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersionMinor === 0) throw ambiguous('HTTP/1.0 requests must not have a Transfer-Encoding header.');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw ambiguous('The transfer encoding is not supported. Use "chunked".', isUnderChunks(coding) ? 501 : 400);
}

/**
 * Whether `chunked` is the last coding. Then the end of the content is known, but the other codings are not supported (RFC 9112, section
 * 6.1). Otherwise the end is ambiguous (section 6.3).
 */
function isUnderChunks(coding: string): boolean {
  const codings = coding.toLowerCase().split(',');
  return codings.findIndex((name) => name.trim() === 'chunked') === codings.length - 1;
}

function guardMethod({ method, headers }: RawRequest): void {
  if (method === 'TRACE' || method === 'CONNECT') {
    // No resource supports these methods, so the target does not have to be resolved for an `Allow` header.
    throw new GatewayError('METHOD_NOT_IMPLEMENTED', `The method ${method} is not supported.`, { headers: { connection: 'close' } });
  }
  if ((method === 'GET' || method === 'HEAD') && hasBody(headers)) throw ambiguous(`A ${method} request must not have a body.`);
}

function guardTarget(target: string, { maxUrlBytes }: RawRequestLimits): void {
  if (target.length > maxUrlBytes) throw new GatewayError('URI_TOO_LONG', `The request target is longer than ${maxUrlBytes} bytes.`);
  if (!target.startsWith('/')) throw new GatewayError('BAD_REQUEST', NO_PATH);
  if (FOREIGN_CHARACTER.test(target))
    throw new GatewayError('BAD_REQUEST', 'The request target contains characters that must be percent-encoded.');
  if (target.includes('%') && !isDecodable(target))
    throw new GatewayError('BAD_REQUEST', 'The percent-encoding of the request target is malformed.');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function ambiguous(message: string, status = 400): GatewayError {
  return new GatewayError('BAD_REQUEST', message, { status, headers: { connection: 'close' } });
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)([/?].*)?$/i;

/**
 * Returns the target of a request as a path with a query. Servers must accept targets in absolute form (RFC 9112, section 3.2.2). Other
 * targets are unchanged, including those whose host differs from the `Host` header; the guard rejects targets that are not a path.
 *
 * @param host `Host` header; undefined in HTTP/1.0, where only the target names the host
 */
export function toOriginForm(target: string, host: string | undefined): string {
  if (target.startsWith('/')) return target;
  const [, authority, rest = '/'] = ABSOLUTE_FORM.exec(target) ?? [];
  if (authority === undefined) return target;
  if (host !== undefined && authority.toLowerCase() !== host.toLowerCase()) return target;
  return rest.startsWith('?') ? `/${rest}` : rest;
}
