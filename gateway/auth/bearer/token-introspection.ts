import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { IntrospectionConfig } from '../../config/sections/auth.ts';
import type { Clock } from '../../platform/clock.ts';
import { createTextClient, shownUrl } from '../../platform/http/client/fetch-text.ts';
import type { Logger } from '../../platform/logger.ts';
import { Unreachable } from '../../platform/start-polling.ts';
import { issuerOf } from '../owner-rules.ts';
import { credentialsUnverified, invalidToken } from '../authentication-errors.ts';
import { type Claims, type IsOwner, toPrincipal } from '../to-principal.ts';
import type { VerifiedToken, VerifyToken } from './verify-token.ts';

export interface IntrospectionOptions extends IntrospectionConfig {
  readonly isOwner: IsOwner;
  /** Returns the secret of the client as which the gateway authenticates. */
  readonly clientSecret: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Clock difference that is tolerated when the expiry time is checked. @unit milliseconds */
  readonly clockToleranceMs: number;
}

/** Client for a token introspection endpoint. */
export interface Introspection extends AsyncDisposable {
  readonly verify: VerifyToken;
}

/** Maximum size of an introspection response. @unit bytes */
const MAX_BYTES = 65_536;
/** Maximum number of rejected tokens that are cached. @unit entries */
const MAX_REJECTED = 10_000;

/**
 * Creates a client that verifies tokens at an authorization server (RFC 7662). A response without a valid `active` member counts as an
 * outage. During an outage, tokens are neither accepted nor reported as invalid.
 */
export function createIntrospection(options: IntrospectionOptions): Introspection {
  const { url, requestTimeoutMs, maxConcurrent, inactiveCacheMs, clock, logger } = options;
  const client = createTextClient();
  const closing = new AbortController();
  const inactiveUntil = new LRUCache<string, number>({ max: MAX_REJECTED });
  let running = 0;
  let isFailing = false;

  async function requestIntrospection(token: string): Promise<string> {
    const { status, text } = await client.fetch(
      { url, method: 'POST', headers: headersOf(options), body: String(new URLSearchParams({ token, token_type_hint: 'access_token' })) },
      { timeoutMs: requestTimeoutMs, maxBytes: MAX_BYTES, signal: closing.signal },
    );
    // Status 401 refers to the credentials of the gateway (RFC 7662, section 2.3).
    if (status !== 200) throw new Unreachable(`${shownUrl(url)} responded with status ${status}.`);
    return text;
  }

  async function introspect(token: string): Promise<Claims> {
    if (running >= maxConcurrent) throw credentialsUnverified();
    running += 1;
    try {
      const text = await requestIntrospection(token);
      const claims = parseClaims(text, url);
      isFailing = false;
      return claims;
    } catch (cause) {
      if (!isFailing && !closing.signal.aborted)
        logger.warn({ err: cause }, 'Token introspection failed. Tokens cannot be checked at the moment.');
      isFailing = true;
      throw credentialsUnverified(cause);
    } finally {
      running -= 1;
    }
  }

  async function verify(token: string): Promise<VerifiedToken> {
    const key = hash('sha256', token, 'base64');
    if (clock.monotonic() < (inactiveUntil.get(key) ?? 0)) throw invalidToken('the token was inactive when it was checked a moment ago');
    const claims = await introspect(token);
    try {
      return accept(claims, clock.now(), options);
    } catch (error) {
      inactiveUntil.set(key, clock.monotonic() + inactiveCacheMs);
      throw error;
    }
  }

  return {
    verify,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await client[Symbol.asyncDispose]();
    },
  };
}

/**
 * Builds the request headers. Client id and secret are form-encoded before they are used as user name and password (RFC 6749, section
 * 2.3.1).
 */
function headersOf({ clientId, clientSecret }: IntrospectionOptions): Readonly<Record<string, string>> {
  const credentials = [clientId, clientSecret()].map((text) => new URLSearchParams({ '': text }).toString().slice(1)).join(':');
  return {
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
}

function parseClaims(text: string, url: string): Claims {
  try {
    const claims = JSON.parse(text) as Claims | null;
    if (typeof claims?.['active'] === 'boolean') return claims;
  } catch {
    // The error is thrown below, without any part of the response text.
  }
  throw new Unreachable(`${shownUrl(url)} did not return a valid introspection response.`);
}

/**
 * Converts an introspection response to a verified token.
 *
 * @throws GatewayError `UNAUTHENTICATED` when the token is inactive, or was issued for another audience or by another issuer
 */
function accept(claims: Claims, now: number, options: IntrospectionOptions): VerifiedToken {
  const { audiences, cacheMs, clockToleranceMs } = options;
  if (claims['active'] !== true) throw invalidToken('the token is not active');
  const named = new Set<unknown>([claims['aud']].flat());
  if (audiences.length > 0 && !audiences.some((audience) => named.has(audience)))
    throw invalidToken('the audience of the token is not accepted');
  const { iss } = claims;
  const issuer = typeof iss === 'string' ? iss : issuerOf(options);
  if (options.issuer !== undefined && issuer !== options.issuer) throw invalidToken('the token was issued by another issuer');
  const principal = toPrincipal(claims, { ...options, issuer });
  const { expiresAt = Infinity } = principal;
  if (now >= expiresAt + clockToleranceMs) throw invalidToken('the token has expired');
  return { principal, validUntil: Math.min(expiresAt, now + cacheMs) };
}
