import { GatewayError } from '../../errors.ts';

/** Structured string (RFC 8941, section 3.3.3): printable ASCII in quotes, with escaped quotes and backslashes. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
/** Unquoted value, such as a UUID, as most clients send it. */
const BARE = /^[!#-+\--:<-[\]-~]+$/;
const MAX_LENGTH = 255;

/** Link to the documentation of the key format (draft-ietf-httpapi-idempotency-key-header-07, section 2.7). */
const DESCRIBED = { link: '<https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07>; rel="describedby"' };

/**
 * Reads the key of an `Idempotency-Key` header, quoted as in the draft or unquoted. A repeated header is rejected, because it is unclear
 * which key is meant.
 *
 * @throws GatewayError `IDEMPOTENCY_KEY_INVALID`
 */
export function readIdempotencyKey(header: string | readonly string[]): string {
  const key = typeof header === 'string' ? decode(header) : undefined;
  if (key !== undefined && key.length >= 1 && key.length <= MAX_LENGTH) return key;
  throw new GatewayError(
    'IDEMPOTENCY_KEY_INVALID',
    `The Idempotency-Key header must contain 1 to ${MAX_LENGTH} printable ASCII characters. Quote the value if it contains spaces, commas or semicolons.`,
    { headers: DESCRIBED },
  );
}

/** Creates the error for a missing header. */
export function keyRequired(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_KEY_REQUIRED',
    'This request requires an Idempotency-Key header with a unique value for each new request.',
    { headers: DESCRIBED },
  );
}

function decode(header: string): string | undefined {
  const quoted = QUOTED.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, '$1');
  return BARE.test(header) ? header : undefined;
}
