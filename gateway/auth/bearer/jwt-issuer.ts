import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyResult, jwtVerify } from 'jose';
import type { JwtIssuerConfig } from '../../config/sections/auth.ts';
import type { Clock } from '../../platform/clock.ts';
import { GatewayError } from '../../platform/errors.ts';
import { invalidToken } from '../authentication-errors.ts';
import { type IsOwner, toPrincipal } from '../to-principal.ts';
import type { VerifyToken } from './verify-token.ts';

/** Requirements for the tokens of one issuer. */
export type TokenRules = Pick<
  JwtIssuerConfig,
  'issuer' | 'audiences' | 'algorithms' | 'types' | 'requiredClaims' | 'rolesClaims' | 'scopesClaims'
>;

export interface JwtIssuerOptions {
  readonly isOwner: IsOwner;
  readonly clock: Clock;
  /** Clock difference that is tolerated when the expiry time is checked. @unit milliseconds */
  readonly clockToleranceMs: number;
}

/** Maximum time that `iat` may be in the future. Beyond it, one of the clocks is wrong. @unit seconds */
const MAX_ISSUED_AHEAD_SECONDS = 300;

/**
 * Creates a verifier for the tokens of one issuer (RFC 7519, section 7.2; RFC 8725). Keys and algorithms come only from the configuration;
 * keys and URLs in a token are ignored.
 */
export function createJwtIssuer(
  rules: TokenRules,
  findKey: JWTVerifyGetKey,
  { isOwner, clock, clockToleranceMs }: JwtIssuerOptions,
): VerifyToken {
  const types = new Set(rules.types.map(bareType));
  const fixed = {
    algorithms: [...rules.algorithms],
    issuer: rules.issuer,
    audience: [...rules.audiences],
    requiredClaims: ['exp', 'sub', ...rules.requiredClaims],
    clockTolerance: clockToleranceMs / 1_000,
  };

  async function readClaims(token: string, now: number): Promise<JWTPayload> {
    const { payload, protectedHeader } = await verifySignature(token, findKey, { ...fixed, currentDate: new Date(now) });
    const { typ = 'JWT' }: { readonly typ?: unknown } = protectedHeader;
    if (typeof typ !== 'string' || !types.has(bareType(typ))) throw invalidToken('the type of the token is not accepted');
    if (payload.iat !== undefined && payload.iat > now / 1_000 + MAX_ISSUED_AHEAD_SECONDS)
      throw invalidToken('the token was issued in the future');
    // JSON allows numbers that overflow to Infinity, such as 1e400.
    if (!Number.isFinite(payload.exp)) throw invalidToken('the token does not expire');
    return payload;
  }

  return async (token) => {
    const claims = await readClaims(token, clock.now());
    const principal = toPrincipal(claims, { ...rules, isOwner });
    return { principal, validUntil: principal.expiresAt ?? 0 };
  };
}

async function verifySignature(
  token: string,
  findKey: JWTVerifyGetKey,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, findKey, options);
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw invalidToken(cause instanceof errors.JOSEError ? cause.message : cause);
  }
}

/** Normalizes a token type: the prefix `application/` is optional (RFC 7515, section 4.1.9). */
function bareType(type: string): string {
  return type.toLowerCase().replace(/^application\//, '');
}
