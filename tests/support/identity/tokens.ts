import { createHmac } from 'node:crypto';

/** Claims as they are written into the token, of the correct type or not. */
export interface TokenClaims {
  readonly sub?: unknown;
  readonly roles?: unknown;
  readonly scope?: unknown;
  readonly iss?: unknown;
  readonly aud?: unknown;
  /** @unit seconds since the epoch */
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

export interface TokenOptions {
  readonly key: string;
  /** Header of the JWS. @defaultValue `{ alg: 'HS256', typ: 'JWT' }` */
  readonly header?: Readonly<Record<string, unknown>>;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a development token by hand from RFC 7515, so that it does not share a mistake with the code under test. */
export function signToken(claims: TokenClaims, { key, header = { alg: 'HS256', typ: 'JWT' } }: TokenOptions): string {
  const now = Math.floor(Date.now() / 1_000);
  const payload = { iss: 'gatefold-dev', aud: 'gatefold', iat: now, exp: now + 3_600, ...claims };
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}
