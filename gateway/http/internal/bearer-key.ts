import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../../platform/errors.ts';
import type { RequestHeaders } from '../../platform/request-headers.ts';

/** Checks that a request sends the configured key as a bearer token (RFC 6750). @throws GatewayError `UNAUTHENTICATED` */
export type CheckKey = (headers: RequestHeaders) => void;

/** @param setting configuration path of the key, for the error message */
export function createKeyCheck(key: string, setting: string): CheckKey {
  const expected = digestOf(`Bearer ${key}`);
  return ({ authorization = '' }) => {
    if (timingSafeEqual(digestOf(authorization), expected)) return;
    throw new GatewayError(
      'UNAUTHENTICATED',
      `The bearer token is missing or wrong; send the key of ${setting} in the Authorization header.`,
      {
        headers: { 'www-authenticate': 'Bearer realm="gatefold"' },
      },
    );
  };
}

/** Hashes a text, so that both operands of the constant-time comparison have the same length. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
