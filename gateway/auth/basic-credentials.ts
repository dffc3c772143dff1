import { isUtf8 } from 'node:buffer';

/** Name and password of a request. */
export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

/** One scheme, one base64 (RFC 7617, section 2). Bounded, because every password is hashed. */
const BASIC = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i;

/** Whether an `Authorization` header is of the scheme `Basic`. */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization);
}

/** Name and password in one form of Unicode (RFC 8265); undefined where the header has none. */
export function readBasicCredentials(authorization: string): BasicCredentials | undefined {
  const bytes = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64');
  const text = bytes.toString('utf8').normalize('NFC');
  const colon = text.indexOf(':');
  if (colon < 1 || !isUtf8(bytes) || /\p{Cc}/u.test(text)) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
