import type { Principal } from '../platform/principal.ts';
import { invalidToken } from './authentication-errors.ts';

/** Whether objects of the graph can belong to callers of an issuer and a kind. */
export type IsOwner = (issuer: string, kind: Principal['kind']) => boolean;

/** Keys that mean something to objects themselves; no claim is named so. */
const FORBIDDEN_CLAIMS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Size of issuer, subject, roles and scopes together, as JSON: they travel to every subgraph in one header, which servers cut off
 * between 8 and 16 KiB, and base64 adds a third to them. @unit bytes
 */
const MAX_PRINCIPAL_BYTES = 4_096;

/** What a token says of its bearer, after it was found good. */
export type Claims = Readonly<Record<string, unknown>>;

/** Claims in which roles and scopes may stand; the first that a token has counts. */
export interface ClaimPaths {
  /** Who has issued the token. */
  readonly issuer: string;
  readonly isOwner: IsOwner;
  readonly rolesClaims: readonly string[];
  readonly scopesClaims: readonly string[];
}

/**
 * Verified claims to a principal.
 *
 * @throws GatewayError `UNAUTHENTICATED` when the token names nobody, or more roles and scopes than can be passed on
 */
export function toPrincipal(claims: Claims, { issuer, isOwner, rolesClaims, scopesClaims }: ClaimPaths): Principal {
  const { sub, exp } = claims;
  if (typeof sub !== 'string' || sub === '') throw invalidToken('it has no subject');
  const roles = readNames(firstClaim(claims, rolesClaims));
  const scopes = readNames(firstClaim(claims, scopesClaims));
  if (Buffer.byteLength(JSON.stringify([issuer, sub, ...roles, ...scopes])) > MAX_PRINCIPAL_BYTES) {
    throw invalidToken(`its issuer, subject, roles and scopes are longer than ${MAX_PRINCIPAL_BYTES} bytes`);
  }
  return Object.freeze({
    issuer,
    kind: 'user',
    id: sub,
    isOwner: isOwner(issuer, 'user'),
    roles,
    scopes,
    claims: Object.freeze(Object.fromEntries(Object.entries(claims).filter(([name]) => !FORBIDDEN_CLAIMS.has(name)))),
    ...(typeof exp === 'number' ? { expiresAt: exp * 1_000 } : {}),
  });
}

function firstClaim(claims: Claims, paths: readonly string[]): unknown {
  for (const path of paths) {
    const claim = claimAt(claims, path);
    if (claim !== undefined && claim !== null) return claim;
  }
  return undefined;
}

/** A name may have dots itself, as namespaces of some issuers do: `https://example.org/roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), claims);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A list of names, or names separated by spaces; anything else grants nothing. */
function readNames(claim: unknown): ReadonlySet<string> {
  const names: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''));
}
