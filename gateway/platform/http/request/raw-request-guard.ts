import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../errors.ts';
import { hasBody } from './content-type.ts';

const CREDENTIAL_PARAMETERS: ReadonlySet<string> = new Set(['access_token', 'token', 'api_key']);

/**
 * Refuses credentials in the query string: addresses end up in logs, histories and `Referer` headers.
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
        `Credentials are not read from the address; send them in the Authorization header instead of "${name}".`,
      );
    }
  }
}

/** What the guard reads of a request. */
export type RawRequest = Pick<IncomingMessage, 'httpVersionMajor' | 'httpVersionMinor' | 'method' | 'url' | 'headers' | 'rawHeaders'>;

export interface RawRequestLimits {
  /** Longest request target. @unit bytes */
  readonly maxUrlBytes: number;
}

const NO_PATH =
  'The request target must be a path that starts with "/", alone or after the address of the host that the Host header names.';
const HOST = /^[A-Za-z0-9._~!$&'()*+,;=:[\]%-]+$/;
/** Anything outside visible ASCII; a fragment never belongs into a request (RFC 9112, section 3.2). */
const FOREIGN_CHARACTER = /[^\x21-\x7e]|#/;

/**
 * Refuses what Node's parser lets through and two servers may read in two ways, before any byte of it is believed.
 *
 * @throws GatewayError `BAD_REQUEST`, `METHOD_NOT_IMPLEMENTED` or `URI_TOO_LONG`. A refusal with `connection: close` says
 * that the framing itself is in doubt: nothing more may be read from that connection.
 * @param isTargetKnown a request with the very same target was let through before, under the same limits
 */
export function guardRawRequest(request: RawRequest, limits: RawRequestLimits, isTargetKnown = false): void {
  guardFraming(request);
  guardMethod(request);
  if (isTargetKnown) return;
  if (request.method === 'OPTIONS' && request.url === '*') return; // it asks about the server as a whole (RFC 9110, section 9.3.7)
  guardTarget(request.url ?? '', limits);
  refuseUrlCredentials(request.url ?? '');
}

/** One reading only of where a request ends and whom it is for (RFC 9112, sections 3.2 and 6.1). */
function guardFraming({ httpVersionMajor, httpVersionMinor, rawHeaders, headers }: RawRequest): void {
  // Node's parser takes a start line of HTTP/2.0 for one of HTTP/1.1.
  if (httpVersionMajor !== 1) throw ambiguous('Only HTTP/1.1 is spoken here.', 505);
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // HTTP/1.0 has no Host header (RFC 9112, section 3.2); load balancers ask for health in that version.
  const isHostKnown = hosts === 1 ? HOST.test(headers.host ?? '') : hosts === 0 && httpVersionMinor === 0;
  if (!isHostKnown) throw ambiguous('A request names exactly one host in its Host header; HTTP/1.0 may leave it out.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersionMinor === 0) throw ambiguous('HTTP/1.0 has no transfer encodings.');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw ambiguous('The only transfer encoding understood here is "chunked".', isUnderChunks(coding) ? 501 : 400);
}

/** Such content has an end, and nobody here to read it (RFC 9112, section 6.1); any other has none that is sure (section 6.3). */
function isUnderChunks(coding: string): boolean {
  const codings = coding.toLowerCase().split(',');
  return codings.findIndex((name) => name.trim() === 'chunked') === codings.length - 1;
}

function guardMethod({ method, headers }: RawRequest): void {
  if (method === 'TRACE' || method === 'CONNECT') {
    // No resource has them, so none has to be found to say which methods it has in their place.
    throw new GatewayError('METHOD_NOT_IMPLEMENTED', `The method ${method} is not served.`, { headers: { connection: 'close' } });
  }
  if ((method === 'GET' || method === 'HEAD') && hasBody(headers)) throw ambiguous(`A ${method} request has no body here.`);
}

function guardTarget(target: string, { maxUrlBytes }: RawRequestLimits): void {
  if (target.length > maxUrlBytes) throw new GatewayError('URI_TOO_LONG', `The request target is longer than ${maxUrlBytes} bytes.`);
  if (!target.startsWith('/')) throw new GatewayError('BAD_REQUEST', NO_PATH);
  if (FOREIGN_CHARACTER.test(target))
    throw new GatewayError('BAD_REQUEST', 'The request target has characters that must be percent-encoded.');
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
 * Returns the target of a request as a path with a query. A target that names its origin too must be understood (RFC 9112, section 3.2.2).
 * Every other target stays as it is, also one that names another host than the `Host` header; the guard refuses those that are no path.
 *
 * @param host the `Host` header; undefined in HTTP/1.0, where the target alone names the host
 */
export function toOriginForm(target: string, host: string | undefined): string {
  if (target.startsWith('/')) return target;
  const [, authority, rest = '/'] = ABSOLUTE_FORM.exec(target) ?? [];
  if (authority === undefined) return target;
  if (host !== undefined && authority.toLowerCase() !== host.toLowerCase()) return target;
  return rest.startsWith('?') ? `/${rest}` : rest;
}
