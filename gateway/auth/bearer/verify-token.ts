import { decodeJwt } from 'jose';
import type { Principal } from '../../platform/principal.ts';
import { invalidToken } from '../authentication-errors.ts';

/** A bearer token that was found good. */
export interface VerifiedToken {
  readonly principal: Principal;
  /** Until this may be believed without another look at the token. @unit milliseconds since the epoch */
  readonly validUntil: number;
}

/** @throws GatewayError `UNAUTHENTICATED` when the token is not good, `AUTH_UNAVAILABLE` when nobody can tell */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

/**
 * Hands a token to the issuer that it names, and one that names none of ours to whoever can be asked about any. Nothing of the
 * token is believed by that: the issuer checks its name itself.
 */
export function verifyByIssuer(issuers: ReadonlyMap<string, VerifyToken>, others: VerifyToken | undefined): VerifyToken {
  return async (token) => {
    const verify = issuers.get(issuerOf(token) ?? '') ?? others;
    if (verify === undefined) throw invalidToken('it names no issuer that is trusted here');
    return await verify(token);
  };
}

/** Undefined for what is no JWT. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
