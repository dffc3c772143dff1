import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { bytesOfText, bytesOfValue } from '../../platform/bytes-of-value.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Principal } from '../../platform/principal.ts';
import { unreadableCredentials } from '../authentication-errors.ts';
import type { ReportRejection } from './report-rejections.ts';
import type { VerifiedToken, VerifyToken } from './verify-token.ts';

/** Header with one scheme and one token (RFC 6750, section 2.1). Two headers, which Node.js joins with a comma, do not match. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** Maximum length of the header value. The parser of Node.js rejects longer headers. @unit UTF-16 code units */
const MAX_LENGTH = 16_384;

/** Reads the token of an `Authorization` header. @throws GatewayError `UNAUTHENTICATED` when the header is not a bearer token */
function readBearerToken(authorization: string): string {
  const token = authorization.length > MAX_LENGTH ? undefined : BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unreadableCredentials('The Authorization header must be one bearer token: "Bearer <token>".');
  return token;
}

/** Verifier for bearer tokens that caches valid tokens. */
export interface RememberedTokens {
  /**
   * Returns the principal for an `Authorization` header.
   *
   * @param requestId correlation id of the request, for the log
   * @throws GatewayError as `VerifyToken`, and when the header is not a bearer token
   */
  authenticate(authorization: string, requestId?: unknown): Promise<Principal>;
  /** Clears the cache, because some keys are no longer trusted. */
  forget(): void;
}

/** Maximum number of cached tokens. @unit entries */
const MAX_TOKENS = 10_000;
/** Maximum memory for cached tokens. @unit bytes */
const MAX_BYTES = 16_777_216;
/** Size of hash, principal and cache slot. @unit bytes */
const ENTRY_BYTES = 1_000;
/** Cache keys that are derived from the principal in other stores. Each is as long as the names in it. @unit keys */
const KEYS = 2;

/**
 * Caches valid tokens until they expire, because checking a signature costs more than most requests. Tokens are stored by their hash, so
 * that process memory contains no usable token.
 */
export function rememberTokens(
  verify: VerifyToken,
  { clock, report }: { readonly clock: Clock; readonly report: ReportRejection },
): RememberedTokens {
  const verified = new LRUCache<string, VerifiedToken>({
    max: MAX_TOKENS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ principal }) => bytesOfPrincipal(principal),
  });
  const running = new Map<string, Promise<Principal>>();
  let epoch = 0;

  async function check(authorization: string, key: string, requestId: unknown): Promise<Principal> {
    const startedIn = epoch;
    let presented: string | undefined;
    try {
      presented = readBearerToken(authorization);
      const token = await verify(presented);
      if (startedIn === epoch) verified.set(key, token);
      return token.principal;
    } catch (error) {
      report({ token: presented, error, requestId });
      throw error;
    }
  }

  return {
    authenticate(authorization, requestId) {
      const key = hash('sha256', authorization, 'base64');
      const known = verified.get(key);
      if (known !== undefined && clock.now() < known.validUntil) return Promise.resolve(known.principal);
      // Concurrent requests with the same token share one verification.
      const checking = running.get(key) ?? check(authorization, key, requestId).finally(() => running.delete(key));
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
