import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { GatewayError } from '../platform/errors.ts';

/**
 * What makes requests equal: parts that are JSON, in their canonical form (RFC 8785), so that neither white space nor the order of
 * keys counts.
 *
 * @throws GatewayError `BAD_REQUEST` for half of a character, of which there is no canonical form (RFC 8785, section 3.2.2.2)
 */
export function fingerprintOf(parts: readonly unknown[]): string {
  try {
    return hashOf(canonicalize(parts) ?? '');
  } catch (cause) {
    throw new GatewayError('BAD_REQUEST', 'With an Idempotency-Key, a text must not hold half of a surrogate pair.', { cause });
  }
}

/** A text of any length as 43 letters, digits, `-` and `_`. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
