import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Principal } from '../../platform/principal.ts';
import type { RequestHeaders } from '../../platform/request-headers.ts';
import { BEARER_CHALLENGE, invalidToken } from '../authentication-errors.ts';
import { GatewayError } from '../../platform/errors.ts';
import { SERVICES } from '../owner-rules.ts';
import { rememberTokens } from './verified-tokens.ts';
import { toPrincipal } from '../to-principal.ts';
import type { VerifyToken } from './verify-token.ts';

export interface ServiceTokensOptions {
  /** Shared with the services that speak for others, and with nobody else: `identity.serviceSecret`. */
  readonly secret: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The longest that a token may hold: what it says of an owner's rights was looked up when it was made. @unit seconds */
const MAX_LIFETIME_SECONDS = 60;
/** Difference between clocks that is forgiven. @unit seconds */
const CLOCK_TOLERANCE_SECONDS = 5;

const AUDIENCE = 'gatefold';
/** Services speak for owners, whom they know from what the gateway has told them. */
const CLAIMS = { issuer: SERVICES, isOwner: () => true, rolesClaims: ['roles'], scopesClaims: ['scope'] };

/**
 * Who asks in the name of whom, for the door of services: `Authorization: Bearer` with a compact JWS (RFC 7515, HS256) that says
 * `aud: gatefold`, `kind: service`, `sub` the owner, `roles` theirs, `iat`, and `exp` 60 seconds later at most.
 *
 * @throws GatewayError `UNAUTHENTICATED`, also where there is no token: nobody is anonymous there
 */
export function createServiceAuthenticator({
  secret,
  ...dependencies
}: ServiceTokensOptions): (headers: RequestHeaders) => Promise<Principal> {
  const key = new TextEncoder().encode(secret);

  async function readClaims(token: string, now: number): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        maxTokenAge: MAX_LIFETIME_SECONDS,
        currentDate: new Date(now),
      });
      return payload;
    } catch (cause) {
      throw invalidToken(cause instanceof errors.JOSEError ? cause.message : cause);
    }
  }

  const verify: VerifyToken = async (token) => {
    const claims = await readClaims(token, dependencies.clock.now());
    if (claims['kind'] !== 'service') throw invalidToken('it is not that of a service');
    if (Number(claims.exp) - Number(claims.iat) > MAX_LIFETIME_SECONDS) throw invalidToken('it holds for too long');
    const { expiresAt = 0, ...owner } = toPrincipal(claims, CLAIMS);
    const principal: Principal = Object.freeze({ ...owner, kind: 'service', claims: Object.freeze({}), expiresAt });
    return { principal, validUntil: expiresAt };
  };
  const tokens = rememberTokens(verify, dependencies);

  return async ({ authorization }) => {
    if (authorization !== undefined) return tokens.authenticate(authorization);
    throw new GatewayError('UNAUTHENTICATED', 'Services say by a token for whom they ask.', {
      headers: { 'www-authenticate': BEARER_CHALLENGE },
    });
  };
}
