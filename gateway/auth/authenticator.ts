import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../config/sections.ts';
import type { Clock } from '../platform/clock.ts';
import { ANONYMOUS, type Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { readBearerToken } from './bearer-token.ts';
import { createDevelopmentTokenVerifier } from './development-token.ts';
import { invalidToken } from './refusals.ts';

/**
 * Credentials of one request to the caller's principal; `ANONYMOUS` where there are none.
 *
 * @throws GatewayError `UNAUTHENTICATED` with a `WWW-Authenticate` challenge when credentials were sent that are not good
 */
export type Authenticator = (headers: RequestHeaders) => Promise<Principal>;

/** Verified tokens that are remembered. @unit entries */
const MAX_CACHED_TOKENS = 10_000;
/** Their texts. @unit UTF-16 code units */
const MAX_CACHED_TOKEN_LENGTH = 8_388_608;

/**
 * An authenticator for bearer tokens (RFC 6750). Checking a signature costs more than most requests, so a token that
 * was found good is remembered until the moment it expires, and no longer.
 */
export function createAuthenticator(config: GatewayConfig['auth'], clock: Clock): Authenticator {
  const verify = createDevelopmentTokenVerifier(config, clock);
  const verified = new LRUCache<string, Principal>({
    max: MAX_CACHED_TOKENS,
    maxSize: MAX_CACHED_TOKEN_LENGTH,
    sizeCalculation: (_principal, token) => token.length,
  });

  return async ({ authorization }) => {
    if (authorization === undefined) return ANONYMOUS;
    const token = readBearerToken(authorization);
    if (verify === undefined) throw invalidToken('No issuer of bearer tokens is trusted here.');
    const known = verified.get(token);
    if (known !== undefined && clock.now() < (known.expiresAt ?? 0)) return known;
    verified.delete(token);
    const principal = await verify(token);
    verified.set(token, principal);
    return principal;
  };
}
