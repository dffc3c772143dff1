import { hash } from 'node:crypto';

/** Who is asking, as far as the credentials of one request tell. */
export interface Principal {
  /**
   * Who vouches for the subject: `iss` of a token, or a name of the gateway's own for credentials without an issuer. The same subject of
   * two issuers is two callers. Absent where the process that embeds the gateway vouches for its callers itself.
   */
  readonly issuer?: string;
  readonly kind: 'anonymous' | 'user' | 'service';
  /** The subject of the credentials; empty for anonymous callers. */
  readonly id: string;
  /**
   * Whether objects of the graph can belong to the caller, which is so where `id` is an id of the graph's users (`auth.owners`).
   *
   * @defaultValue true without an issuer, false with one
   */
  readonly isOwner?: boolean;
  readonly roles: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** When the credentials end. @unit milliseconds since the epoch */
  readonly expiresAt?: number;
}

/** The caller without credentials. */
export const ANONYMOUS: Principal = Object.freeze({
  kind: 'anonymous',
  id: '',
  roles: new Set<string>(),
  scopes: new Set<string>(),
  claims: Object.freeze({}),
});

/** What names a caller. */
export type NamedCaller = Pick<Principal, 'issuer' | 'kind' | 'id'>;

const keys = new WeakMap<NamedCaller, string>();

/**
 * Names a caller: issuer, kind and subject. The key of every store that holds something for one caller. As JSON, so that no issuer and
 * no subject can be written to look like another pair; it begins with `[`, as no address does. A long one is replaced by its hash: stores hold
 * many keys, and an issuer chooses how long a subject is.
 */
export function principalKeyOf(principal: NamedCaller): string {
  const known = keys.get(principal); // one principal makes many requests
  if (known !== undefined) return known;
  const key = boundedKey([principal.issuer ?? '', principal.kind, principal.id]);
  keys.set(principal, key);
  return key;
}

/** Longest key that is kept as it is. @unit characters */
const MAX_KEY_LENGTH = 256;

/** Writes parts of a key as JSON, or a list of one hash when that is long. Lists of several parts never equal a list of one. */
export function boundedKey(parts: readonly [string, string, string]): string {
  const key = JSON.stringify(parts);
  return key.length <= MAX_KEY_LENGTH ? key : JSON.stringify([hash('sha256', key, 'base64url')]);
}

/** What decides about ownership; subgraphs have it from the gateway. */
export type PossibleOwner = NamedCaller & Pick<Principal, 'isOwner'>;

/** The id by which objects of the graph name the caller as their owner; undefined where they cannot belong to the caller. */
export function ownerIdOf({ issuer, kind, id, isOwner = issuer === undefined }: PossibleOwner): string | undefined {
  return isOwner && kind !== 'anonymous' && id !== '' ? id : undefined;
}

/** Claims that are new in each token and say nothing about what its owner may see (RFC 7519, section 4.1). */
const OF_ONE_TOKEN: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'jti']);

/** Who somebody is, and with which rights: equal for all credentials by which the same caller may do the same. */
export function lastingIdentityOf(principal: Principal): string {
  const { roles, scopes, claims } = principal;
  const lasting = Object.entries(claims)
    .filter(([name]) => !OF_ONE_TOKEN.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([principalKeyOf(principal), ownerIdOf(principal) ?? null, [...roles].sort(), [...scopes].sort(), lasting]);
}
