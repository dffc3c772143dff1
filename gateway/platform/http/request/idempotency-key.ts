import { GatewayError } from '../../errors.ts';

/** A structured string (RFC 8941, section 3.3.3): printable ASCII in quotes, quotes and backslashes escaped. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
/** What clients send in practice: a UUID or another word without quotes. */
const BARE = /^[!#-+\--:<-[\]-~]+$/;
const MAX_LENGTH = 255;

/** What tells clients how to make a key (draft-ietf-httpapi-idempotency-key-header-07, section 2.7). */
const DESCRIBED = { link: '<https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07>; rel="describedby"' };

/**
 * The key in an `Idempotency-Key` header, quoted as the draft of the header has it, or bare. A header that was sent twice is
 * no key: nobody could tell which one was meant.
 *
 * @throws GatewayError `IDEMPOTENCY_KEY_INVALID`
 */
export function readIdempotencyKey(header: string | readonly string[]): string {
  const key = typeof header === 'string' ? decode(header) : undefined;
  if (key !== undefined && key.length >= 1 && key.length <= MAX_LENGTH) return key;
  throw new GatewayError(
    'IDEMPOTENCY_KEY_INVALID',
    `The Idempotency-Key is 1 to ${MAX_LENGTH} printable ASCII characters; put them in quotes where there are spaces, commas or semicolons.`,
    { headers: DESCRIBED },
  );
}

/** Where there is no header. */
export function keyRequired(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_KEY_REQUIRED',
    'This request needs an Idempotency-Key header: a value of your own that is new for each new request.',
    { headers: DESCRIBED },
  );
}

function decode(header: string): string | undefined {
  const quoted = QUOTED.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, '$1');
  return BARE.test(header) ? header : undefined;
}
