import type { Principal } from '../platform/principal.ts';
import { invalidToken } from './authentication-errors.ts';

/** Returns whether callers of an issuer and a kind can own objects of the graph. */
export type IsOwner = (issuer: string, kind: Principal['kind']) => boolean;

/** Property names with a special meaning in JavaScript. Claims with these names are dropped. */
const FORBIDDEN_CLAIMS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Maximum size of issuer, subject, roles and scopes together, as JSON. They are sent to every subgraph in one header. Servers limit headers
 * to 8 to 16 KiB, and base64 adds a third.
 *
 * @unit bytes
 */
const MAX_PRINCIPAL_BYTES = 4_096;

/** Claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Claims that may contain roles and scopes. The first claim that is present in a token is used. */
export interface ClaimPaths {
  /** Issuer of the token. */
  readonly issuer: string;
  readonly isOwner: IsOwner;
  readonly rolesClaims: readonly string[];
  readonly scopesClaims: readonly string[];
}

/**
 * Converts verified claims to a principal.
 *
 * @throws GatewayError `UNAUTHENTICATED` when the token has no subject, or its roles and scopes are too large to be forwarded
 */
export function toPrincipal(claims: Claims, { issuer, isOwner, rolesClaims, scopesClaims }: ClaimPaths): Principal {
  const { sub, exp } = claims;
  if (typeof sub !== 'string' || sub === '') throw invalidToken('the token has no subject');
  const roles = readNames(firstClaim(claims, rolesClaims));
  const scopes = readNames(firstClaim(claims, scopesClaims));
  if (Buffer.byteLength(JSON.stringify([issuer, sub, ...roles, ...scopes])) > MAX_PRINCIPAL_BYTES) {
    throw invalidToken(`issuer, subject, roles and scopes of the token exceed ${MAX_PRINCIPAL_BYTES} bytes`);
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

/** Returns the claim at a path. A claim name may contain dots, such as the namespaced claim `https://example.org/roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), claims);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Reads an array of names or a space-separated string. Other values yield no names. */
function readNames(claim: unknown): ReadonlySet<string> {
  const names: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''));
}
