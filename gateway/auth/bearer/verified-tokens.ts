import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { bytesOfText, bytesOfValue } from '../../platform/bytes-of-value.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Principal } from '../../platform/principal.ts';
import { unreadableCredentials } from '../authentication-errors.ts';
import type { VerifiedToken, VerifyToken } from './verify-token.ts';

/** One scheme, one token of its alphabet (RFC 6750, section 2.1). Two headers, which our listeners join with a comma, do not match. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** Nothing longer is looked at; Node's parser lets no longer header through. @unit UTF-16 code units */
const MAX_LENGTH = 16_384;

/** The token of an `Authorization` header. @throws GatewayError `UNAUTHENTICATED` */
function readBearerToken(authorization: string): string {
  const token = authorization.length > MAX_LENGTH ? undefined : BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unreadableCredentials('The Authorization header must be one bearer token: "Bearer <token>".');
  return token;
}

/** Bearer tokens, of which good ones are remembered. */
export interface RememberedTokens {
  /** The caller behind an `Authorization` header. @throws GatewayError as `VerifyToken`, and when the header is no bearer token */
  authenticate(authorization: string): Promise<Principal>;
  /** Looks at every token anew, because what vouched for some of them is gone. */
  forget(): void;
}

/** @unit entries */
const MAX_TOKENS = 10_000;
/** @unit bytes */
const MAX_BYTES = 16_777_216;
/** Hash, principal and place in the cache. @unit bytes */
const ENTRY_BYTES = 1_000;
/** Keys of the principal that stores and subgraphs know it by, each as long as what they name. @unit keys */
const KEYS = 2;

/**
 * Checking a signature costs more than most requests, so what was found good is remembered until the moment it expires.
 * Tokens are known by their hash: the memory of this process has none in it that could be used.
 */
export function rememberTokens(
  verify: VerifyToken,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): RememberedTokens {
  const verified = new LRUCache<string, VerifiedToken>({
    max: MAX_TOKENS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ principal }) => bytesOfPrincipal(principal),
  });
  const running = new Map<string, Promise<Principal>>();
  let epoch = 0;

  async function check(authorization: string, key: string): Promise<Principal> {
    const startedIn = epoch;
    try {
      const token = await verify(readBearerToken(authorization));
      if (startedIn === epoch) verified.set(key, token);
      return token.principal;
    } catch (error) {
      logger.debug({ reason: error instanceof Error ? error.cause : error }, 'a bearer token was refused');
      throw error;
    }
  }

  return {
    authenticate(authorization) {
      const key = hash('sha256', authorization, 'base64');
      const known = verified.get(key);
      if (known !== undefined && clock.now() < known.validUntil) return Promise.resolve(known.principal);
      // What comes many times at once is looked at once.
      const checking = running.get(key) ?? check(authorization, key).finally(() => running.delete(key));
      running.set(key, checking);
      return checking;
    },
    forget() {
      epoch += 1;
      verified.clear();
    },
  };
}

function bytesOfPrincipal({ id, issuer = '', roles, scopes, claims }: Principal): number {
  const named = bytesOfText(id) + bytesOfText(issuer) + bytesOfValue(roles) + bytesOfValue(scopes);
  return ENTRY_BYTES + bytesOfValue(claims) + (1 + KEYS) * named;
}
