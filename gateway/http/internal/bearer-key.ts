import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../../platform/errors.ts';
import type { RequestHeaders } from '../../platform/request-headers.ts';

/** Lets through who sends one key as a bearer token (RFC 6750). @throws GatewayError `UNAUTHENTICATED` */
export type CheckKey = (headers: RequestHeaders) => void;

/** @param setting that holds the key, for whoever does not have it */
export function createKeyCheck(key: string, setting: string): CheckKey {
  const expected = digestOf(`Bearer ${key}`);
  return ({ authorization = '' }) => {
    if (timingSafeEqual(digestOf(authorization), expected)) return;
    throw new GatewayError('UNAUTHENTICATED', `Send the key of ${setting} as a bearer token.`, {
      headers: { 'www-authenticate': 'Bearer realm="gatefold"' },
    });
  };
}

/** Of equal length whatever was sent, so that comparing takes equal time. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
