import { decodeJwt } from 'jose';
import { invalidToken } from './refusals.ts';
import type { VerifyToken } from './verified-token.ts';

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
