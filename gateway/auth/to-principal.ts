import type { JWTPayload } from 'jose';
import type { Principal } from '../platform/principal.ts';
import { invalidToken } from './refusals.ts';

/** Keys that mean something to objects themselves; no claim is named so. */
const FORBIDDEN_CLAIMS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Size of subject, roles and scopes together, as JSON: they travel to every subgraph in one header, which servers cut off
 * between 8 and 16 KiB, and base64 adds a third to them. @unit bytes
 */
const MAX_PRINCIPAL_BYTES = 4_096;

/**
 * Verified claims to a principal: roles from `roles`, scopes from `scope` (RFC 8693, section 4.2) or `scp`.
 *
 * @throws GatewayError `UNAUTHENTICATED` when the token names nobody, or more roles and scopes than can be passed on
 */
export function toPrincipal(payload: JWTPayload): Principal {
  const { sub, exp } = payload;
  if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') throw invalidToken('The bearer token is not valid here.');
  const roles = readNames(payload['roles']);
  const scopes = readNames(payload['scope'] ?? payload['scp']);
  if (Buffer.byteLength(JSON.stringify([sub, ...roles, ...scopes])) > MAX_PRINCIPAL_BYTES) {
    throw invalidToken(`Subject, roles and scopes of the bearer token are longer than ${MAX_PRINCIPAL_BYTES} bytes.`);
  }
  return Object.freeze({
    kind: 'user',
    id: sub,
    roles,
    scopes,
    claims: Object.freeze(Object.fromEntries(Object.entries(payload).filter(([name]) => !FORBIDDEN_CLAIMS.has(name)))),
    expiresAt: exp * 1_000,
  });
}

/** A list of names, or names separated by spaces; anything else grants nothing. */
function readNames(claim: unknown): ReadonlySet<string> {
  const names: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''));
}
