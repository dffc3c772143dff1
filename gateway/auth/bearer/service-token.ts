import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Principal } from '../../platform/principal.ts';
import type { RequestHeaders } from '../../platform/request-headers.ts';
import { BEARER_CHALLENGE, invalidToken } from '../authentication-errors.ts';
import { GatewayError } from '../../platform/errors.ts';
import { SERVICES } from '../owner-rules.ts';
import { createRejectionReport } from './report-rejections.ts';
import { rememberTokens } from './verified-tokens.ts';
import { toPrincipal } from '../to-principal.ts';
import type { VerifyToken } from './verify-token.ts';

export interface ServiceTokensOptions {
  /** Secret that is shared only with services that act on behalf of callers: `identity.serviceSecret`. */
  readonly secret: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum lifetime of a token. The permissions in it were looked up when it was created. @unit seconds */
const MAX_LIFETIME_SECONDS = 60;
/** Clock difference that is tolerated. @unit seconds */
const CLOCK_TOLERANCE_SECONDS = 5;

const AUDIENCE = 'gatefold';
/** Services act on behalf of owners, whose identity they received from the gateway. */
const CLAIMS = { issuer: SERVICES, isOwner: () => true, rolesClaims: ['roles'], scopesClaims: ['scope'] };

/**
 * Creates the authenticator of the service endpoint. It accepts `Authorization: Bearer` with a compact JWS (RFC 7515, HS256) that has `aud:
 * gatefold`, `kind: service`, the owner in `sub`, the owner's `roles`, `iat`, and `exp` at most 60 seconds later.
 *
 * @throws GatewayError `UNAUTHENTICATED` for an invalid or missing token, because the endpoint has no anonymous access
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
    if (claims['kind'] !== 'service') throw invalidToken('the token is not a service token');
    if (Number(claims.exp) - Number(claims.iat) > MAX_LIFETIME_SECONDS) throw invalidToken('the lifetime of the token is too long');
    const { expiresAt = 0, ...owner } = toPrincipal(claims, CLAIMS);
    const principal: Principal = Object.freeze({ ...owner, kind: 'service', claims: Object.freeze({}), expiresAt });
    return { principal, validUntil: expiresAt };
  };
  const report = createRejectionReport({ ...dependencies, rules: [], isExplained: false });
  const tokens = rememberTokens(verify, { ...dependencies, report });

  return async ({ authorization }) => {
    if (authorization !== undefined) return tokens.authenticate(authorization);
    throw new GatewayError('UNAUTHENTICATED', 'This endpoint requires a service token in the Authorization header.', {
      headers: { 'www-authenticate': BEARER_CHALLENGE },
    });
  };
}
