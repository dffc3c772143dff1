import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { readContentType } from '../../gateway/platform/http/content-type.ts';
import { refuseForgeable } from '../../gateway/platform/http/csrf.ts';
import { hasBody } from '../../gateway/platform/http/has-body.ts';
import { parseJson } from '../../gateway/platform/http/parse-json.ts';
import { readBody } from '../../gateway/platform/http/read-body.ts';
import type { RestMethod } from '../mapping/directive-values.ts';
import { bodyTypes, isBodyType } from '../request/body-types.ts';
import { findDuplicateKey } from '../request/find-duplicate-key.ts';

/** @unit characters */
const SHOWN_KEY_LENGTH = 100;

/** The header that tells which bodies a method takes (RFC 5789, section 3.1; W3C Linked Data Platform; RFC 9110, section 15.5.16). */
export function bodyTypesHeader(method: RestMethod): Readonly<Record<string, string>> {
  const name = method === 'PATCH' ? 'accept-patch' : method === 'POST' ? 'accept-post' : 'accept';
  return { [name]: bodyTypes(method).join(', ') };
}

/**
 * Content that has no meaning here is more likely a mistake than a habit. Without any, the content type does not keep pages of other
 * sites from having a browser send the request.
 *
 * @throws GatewayError `BAD_REQUEST`, `CSRF_BLOCKED`
 */
export function refuseBody(request: Pick<IncomingMessage, 'headers' | 'method'>): undefined {
  if (hasBody(request.headers)) throw new GatewayError('BAD_REQUEST', `A ${request.method} request has no body here.`);
  if (request.method === 'POST') refuseForgeable(request);
}

/**
 * The JSON body of a request. Only a JSON content type is taken: a browser sends none for a foreign page without asking.
 *
 * @throws GatewayError `BAD_REQUEST`, `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`
 */
export async function readJsonBody(request: IncomingMessage, method: RestMethod, maxBytes: number): Promise<unknown> {
  if (!hasBody(request.headers)) throw new GatewayError('BAD_REQUEST', 'This request needs a JSON body.');
  // RFC 9110, section 14.5: taken as the whole, a part would put all the rest of the resource out.
  if (method === 'PUT' && request.headers['content-range'] !== undefined)
    throw new GatewayError('BAD_REQUEST', 'PUT replaces the whole resource: send all of it, without Content-Range.');
  const essence = readContentType(request.headers)?.essence;
  if (essence === undefined || !isBodyType(essence, method)) {
    const types = bodyTypes(method).join(' or ');
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `Send the content type ${types}.`, { headers: bodyTypesHeader(method) });
  }
  const text = await readBody(request, { maxBytes });
  const value = parseJson(text);
  const twice = findDuplicateKey(text);
  if (twice !== undefined) throw new GatewayError('BAD_REQUEST', `The body has the key "${twice.slice(0, SHOWN_KEY_LENGTH)}" twice.`);
  return value;
}
