import { decodeJwt } from 'jose';
import type { Principal } from '../../platform/principal.ts';
import { invalidToken } from '../authentication-errors.ts';

/** Bearer token that was verified. */
export interface VerifiedToken {
  readonly principal: Principal;
  /** Time until which the result can be used without verifying the token again. @unit milliseconds since the epoch */
  readonly validUntil: number;
}

/**
 * Verifies a bearer token.
 *
 * @throws GatewayError `UNAUTHENTICATED` when the token is invalid, `AUTH_UNAVAILABLE` when it cannot be checked
 */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

/**
 * Selects the verifier by the issuer that a token names. Tokens of other issuers go to `others`, which is token introspection. The
 * unverified issuer is used only for this selection; each issuer verifies the `iss` claim itself.
 */
export function verifyByIssuer(issuers: ReadonlyMap<string, VerifyToken>, others: VerifyToken | undefined): VerifyToken {
  return async (token) => {
    const verify = issuers.get(issuerOf(token) ?? '') ?? others;
    if (verify === undefined) throw invalidToken('the issuer of the token is not trusted');
    return await verify(token);
  };
}

/** Returns the `iss` claim; undefined if the text is not a JWT. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
