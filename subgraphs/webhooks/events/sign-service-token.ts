import { SignJWT } from 'jose';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Owner } from '../delivery/check-owner.ts';

/** Says to the gateway for whom events are read. */
export type SignServiceToken = (owner: Owner) => Promise<string>;

/** As long as the gateway believes one at most. @unit seconds */
const LIFETIME_SECONDS = 60;

/** @param secret shared with the gateway: its `identity.serviceSecret` */
export function createServiceTokens(secret: string, clock: Clock): SignServiceToken {
  const key = new TextEncoder().encode(secret);
  return async ({ id, roles }) => {
    const now = Math.floor(clock.now() / 1_000);
    return new SignJWT({ kind: 'service', roles })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience('gatefold')
      .setSubject(id)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(key);
  };
}
