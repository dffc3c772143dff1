import type { JWTPayload } from 'jose';
import type { Principal } from '../platform/principal.ts';
import { invalidToken } from './refusals.ts';

/** Keys that mean something to objects themselves; no claim is named so. */
const FORBIDDEN_CLAIMS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Verified claims to a principal: roles from `roles`, scopes from `scope` (RFC 8693, section 4.2) or `scp`.
 *
 * @throws GatewayError `UNAUTHENTICATED` when the token names nobody
 */
export function toPrincipal(payload: JWTPayload): Principal {
  const { sub, exp } = payload;
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') throw invalidToken('The bearer token is not valid here.');
  return Object.freeze({
    kind: 'user',
    id: sub,
    roles: readNames(payload['roles']),
    scopes: readNames(payload['scope'] ?? payload['scp']),
    claims: Object.freeze(Object.fromEntries(Object.entries(payload).filter(([name]) => !FORBIDDEN_CLAIMS.has(name)))),
    expiresAt: exp * 1_000,
  });
}

/** A list of names, or names separated by spaces; anything else grants nothing. */
function readNames(claim: unknown): ReadonlySet<string> {
  const names: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''));
}
