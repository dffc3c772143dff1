import type { RequestHeaders } from '../platform/request-headers.ts';
import { severalCredentials } from './refusals.ts';

/** Header for API keys. */
const API_KEY = 'x-api-key';

/** The scheme that the challenge for API keys names; schemes have no case (RFC 9110, section 11.1). */
const SCHEME = /^apikey(?: +|$)/i;

/** Tells if a request has a header that can carry credentials. */
export function hasCredentials({ authorization, [API_KEY]: header }: RequestHeaders): boolean {
  return authorization !== undefined || header !== undefined;
}

/**
 * The API key of a request, from `X-API-Key` or `Authorization: ApiKey`; undefined where it has none.
 *
 * @throws GatewayError `BAD_REQUEST` where the request has another credential as well, or two keys that are not equal
 */
export function presentedKeyOf({ authorization, [API_KEY]: header }: RequestHeaders): string | undefined {
  const inScheme = authorization !== undefined && SCHEME.test(authorization) ? authorization.replace(SCHEME, '').trim() : undefined;
  if (header === undefined) return inScheme;
  if (authorization !== undefined && inScheme !== String(header)) throw severalCredentials();
  return String(header);
}
