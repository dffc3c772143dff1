import { SignJWT } from 'jose';
import { DEVELOPMENT_AUDIENCE, DEVELOPMENT_ISSUER } from './owner-rules.ts';

export interface DevelopmentTokenClaims {
  /** Id of the user. */
  readonly subject: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** @unit seconds */
  readonly ttlSeconds: number;
}

/** Signs a bearer token that the dev profile trusts. `key` is the content of `.gatefold/development.key`. */
export async function signDevelopmentToken(key: string, { subject, roles, scopes, ttlSeconds }: DevelopmentTokenClaims): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1_000);
  return new SignJWT({ roles, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(DEVELOPMENT_ISSUER)
    .setAudience(DEVELOPMENT_AUDIENCE)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttlSeconds)
    .sign(new TextEncoder().encode(key));
}
