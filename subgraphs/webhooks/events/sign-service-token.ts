import { SignJWT } from 'jose';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Owner } from '../owners/owner-directory.ts';

/** Signs a token that identifies the owner for whom events are read. */
export type SignServiceToken = (owner: Owner) => Promise<string>;

/** Lifetime of a token: the maximum that the gateway accepts. @unit seconds */
const LIFETIME_SECONDS = 60;

/** @param secret secret that is shared with the gateway: `identity.serviceSecret` */
export function createServiceTokens(secret: string, clock: Clock): SignServiceToken {
  const key = new TextEncoder().encode(secret);
  return async ({ id, roles, scopes }) => {
    const now = Math.floor(clock.now() / 1_000);
    return new SignJWT({ kind: 'service', roles, scope: scopes.join(' ') })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience('gatefold')
      .setSubject(id)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(key);
  };
}
