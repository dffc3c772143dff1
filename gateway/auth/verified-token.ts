import type { Principal } from '../platform/principal.ts';

/** A bearer token that was found good. */
export interface VerifiedToken {
  readonly principal: Principal;
  /** Until this may be believed without another look at the token. @unit milliseconds since the epoch */
  readonly validUntil: number;
}

/** @throws GatewayError `UNAUTHENTICATED` when the token is not good, `AUTH_UNAVAILABLE` when nobody can tell */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;
