import { IdentityRejected } from './identity-rejected.ts';
import { CALLER_KINDS, TOKEN_LIFETIME_SECONDS } from './identity-token.ts';

/** Caller of a request, as the gateway has authenticated it. */
export interface SubgraphIdentity {
  readonly kind: (typeof CALLER_KINDS)[number];
  /** Subject of the caller's credentials. Empty for anonymous callers. */
  readonly subject: string;
  /** Issuer of the caller's credentials. The same subject of two issuers is two callers. Empty if it is unknown. */
  readonly issuer: string;
  /** Whether `subject` is an id of the users of the graph (`auth.owners`). */
  readonly isOwner: boolean;
  readonly roles: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  /** Distinguishes the anonymous callers of a mutation. @defaultValue absent for queries and for callers with credentials */
  readonly session?: string;
  /** Expiry of the token, not of the caller's credentials. @unit seconds since the epoch */
  readonly expiresAt: number;
  /** All claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Reads the claims of a verified token.
 *
 * @throws IdentityRejected `INVALID_CLAIMS`
 */
export function toSubgraphIdentity(claims: Readonly<Record<string, unknown>>): SubgraphIdentity {
  const { kind, sub = '', issuer = '', owner = false, roles = [], scopes = [], session = '', iat, exp } = claims;
  const knownKind = CALLER_KINDS.find((one) => one === kind);
  if (knownKind === undefined) throw invalidClaim('kind', CALLER_KINDS.join(', '));
  if (typeof sub !== 'string' || (knownKind === 'user' && sub === '')) throw invalidClaim('sub', 'the subject of the caller');
  if (typeof issuer !== 'string') throw invalidClaim('issuer', 'a string');
  if (typeof owner !== 'boolean') throw invalidClaim('owner', 'a boolean');
  if (!isTextList(roles)) throw invalidClaim('roles', 'an array of strings');
  if (!isTextList(scopes)) throw invalidClaim('scopes', 'an array of strings');
  if (typeof session !== 'string') throw invalidClaim('session', 'a string');
  if (typeof exp !== 'number' || exp - Number(iat) > TOKEN_LIFETIME_SECONDS) {
    throw invalidClaim('exp', `a time at most ${TOKEN_LIFETIME_SECONDS} seconds after iat`);
  }
  return Object.freeze({
    kind: knownKind,
    subject: knownKind === 'anonymous' ? '' : sub,
    issuer,
    isOwner: owner,
    roles: new Set(roles),
    scopes: new Set(scopes),
    ...(session === '' ? {} : { session }),
    expiresAt: exp,
    claims: Object.freeze(claims),
  });
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function invalidClaim(name: string, expected: string): IdentityRejected {
  return new IdentityRejected('INVALID_CLAIMS', `The claim ${name} of the identity token is invalid; expected ${expected}.`);
}
