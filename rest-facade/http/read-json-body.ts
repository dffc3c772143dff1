import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { readContentType } from '../../gateway/platform/http/request/content-type.ts';
import { refuseForgeable } from '../../gateway/platform/http/request/csrf.ts';
import { hasBody } from '../../gateway/platform/http/request/content-type.ts';
import { parseJsonInTurn } from '../../gateway/platform/http/request/parse-json.ts';
import { readBody } from '../../gateway/platform/http/request/read-body.ts';
import type { RestMethod } from '../mapping/directive-values.ts';
import { type BodyVersion, requireBodyType } from '../request/body-types.ts';
import { findDuplicateKey } from '../request/find-duplicate-key.ts';

/** @unit characters */
const SHOWN_KEY_LENGTH = 100;

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

/** What of a body is taken. */
export interface BodyLimits extends BodyVersion {
  /** @unit bytes */
  readonly maxBytes: number;
  /** Takes the payment for the length of the body, before it is parsed. @throws GatewayError `RATE_LIMITED` */
  readonly pay?: (bytes: number) => Promise<void> | undefined;
}

/**
 * The JSON body of a request. Only a JSON content type is taken: a browser sends none for a foreign page without asking.
 *
 * @throws GatewayError `BAD_REQUEST`, `UNSUPPORTED_MEDIA_TYPE`, `VERSION_CONFLICT`, `PAYLOAD_TOO_LARGE`
 */
export async function readJsonBody(request: IncomingMessage, method: RestMethod, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request.headers)) throw new GatewayError('BAD_REQUEST', 'This request needs a JSON body.');
  // RFC 9110, section 14.5: taken as the whole, a part would put all the rest of the resource out.
  if (method === 'PUT' && request.headers['content-range'] !== undefined)
    throw new GatewayError('BAD_REQUEST', 'PUT replaces the whole resource: send all of it, without Content-Range.');
  requireBodyType(readContentType(request.headers)?.essence, method, limits);
  const text = await readBody(request, limits);
  const payment = limits.pay?.(text.length);
  if (payment !== undefined) await payment;
  const value: unknown = await parseJsonInTurn(text);
  const twice = findDuplicateKey(text);
  if (twice !== undefined) throw new GatewayError('BAD_REQUEST', `The body has the key "${twice.slice(0, SHOWN_KEY_LENGTH)}" twice.`);
  return value;
}
