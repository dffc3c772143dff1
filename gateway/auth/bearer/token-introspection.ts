import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { IntrospectionConfig } from '../../config/sections/auth.ts';
import type { Clock } from '../../platform/clock.ts';
import { createTextClient, shownUrl } from '../../platform/http/client/fetch-text.ts';
import type { Logger } from '../../platform/logger.ts';
import { Unreachable } from '../../platform/start-polling.ts';
import { issuerOf } from '../owner-rules.ts';
import { cannotTell, invalidToken } from '../authentication-errors.ts';
import { type Claims, type IsOwner, toPrincipal } from '../to-principal.ts';
import type { VerifiedToken, VerifyToken } from './verify-token.ts';

export interface IntrospectionOptions extends IntrospectionConfig {
  readonly isOwner: IsOwner;
  /** Of the client as which the gateway asks. */
  readonly clientSecret: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** @unit milliseconds */
  readonly clockToleranceMs: number;
}

/** Somebody who is asked about tokens. */
export interface Introspection extends AsyncDisposable {
  readonly verify: VerifyToken;
}

/** Largest answer. @unit bytes */
const MAX_BYTES = 65_536;
/** Tokens that are known not to be good. @unit entries */
const MAX_REFUSED = 10_000;

/**
 * Asks an authorization server about tokens (RFC 7662). An answer that says neither yes nor no is an outage: nobody is taken
 * for signed in, nor for a forger, because a server is down.
 */
export function createIntrospection(options: IntrospectionOptions): Introspection {
  const { url, requestTimeoutMs, maxConcurrent, refusedCacheMs, clock, logger } = options;
  const client = createTextClient();
  const closing = new AbortController();
  const refusedUntil = new LRUCache<string, number>({ max: MAX_REFUSED });
  let running = 0;
  let isFailing = false;

  async function ask(token: string): Promise<string> {
    const { status, text } = await client.fetch(
      { url, method: 'POST', headers: headersOf(options), body: String(new URLSearchParams({ token, token_type_hint: 'access_token' })) },
      { timeoutMs: requestTimeoutMs, maxBytes: MAX_BYTES, signal: closing.signal },
    );
    // 401 is about our own credentials (RFC 7662, section 2.3).
    if (status !== 200) throw new Unreachable(`${shownUrl(url)} answered with status ${status}.`);
    return text;
  }

  async function introspect(token: string): Promise<Claims> {
    if (running >= maxConcurrent) throw cannotTell();
    running += 1;
    try {
      const text = await ask(token);
      const claims = parseClaims(text, url);
      isFailing = false;
      return claims;
    } catch (cause) {
      if (!isFailing && !closing.signal.aborted) logger.warn({ err: cause }, 'tokens cannot be introspected');
      isFailing = true;
      throw cannotTell(cause);
    } finally {
      running -= 1;
    }
  }

  async function verify(token: string): Promise<VerifiedToken> {
    const key = hash('sha256', token, 'base64');
    if (clock.monotonic() < (refusedUntil.get(key) ?? 0)) throw invalidToken('it was not active a moment ago');
    const claims = await introspect(token);
    try {
      return accept(claims, clock.now(), options);
    } catch (error) {
      refusedUntil.set(key, clock.monotonic() + refusedCacheMs);
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

/** The client's id and secret are form-encoded before they become a name and a password (RFC 6749, section 2.3.1). */
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
    // told below, without the text
  }
  throw new Unreachable(`${shownUrl(url)} answered with something that is no introspection response.`);
}

/** @throws GatewayError `UNAUTHENTICATED` when the token is not active, or not for us */
function accept(claims: Claims, now: number, options: IntrospectionOptions): VerifiedToken {
  const { audiences, cacheMs, clockToleranceMs } = options;
  if (claims['active'] !== true) throw invalidToken('it is not active');
  const named = new Set<unknown>([claims['aud']].flat());
  if (audiences.length > 0 && !audiences.some((audience) => named.has(audience))) throw invalidToken('it is for somebody else');
  const { iss } = claims;
  const issuer = typeof iss === 'string' ? iss : issuerOf(options);
  if (options.issuer !== undefined && issuer !== options.issuer) throw invalidToken('it is of another issuer');
  const principal = toPrincipal(claims, { ...options, issuer });
  const { expiresAt = Infinity } = principal;
  if (now >= expiresAt + clockToleranceMs) throw invalidToken('it has ended');
  return { principal, validUntil: Math.min(expiresAt, now + cacheMs) };
}
