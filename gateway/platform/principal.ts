import { hash } from 'node:crypto';

/** Caller of a request, as identified by its credentials. */
export interface Principal {
  /**
   * Authority that identifies the subject: the `iss` claim of a token, or a name of the gateway for credentials without an issuer. The same
   * subject of two issuers is two callers. Absent if the embedding application authenticates its callers.
   */
  readonly issuer?: string;
  readonly kind: 'anonymous' | 'user' | 'service';
  /** Subject of the credentials. Empty for anonymous callers. */
  readonly id: string;
  /**
   * Whether the caller can own objects of the graph, which requires that `id` is an id of the graph's users (`auth.owners`).
   *
   * @defaultValue true without an issuer, false with one
   */
  readonly isOwner?: boolean;
  readonly roles: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Id of the API key that identified the caller. Absent for other credentials. */
  readonly keyId?: string;
  /** Expiry time of the credentials. @unit milliseconds since the epoch */
  readonly expiresAt?: number;
}

/** Principal of callers without credentials. */
export const ANONYMOUS: Principal = Object.freeze({
  kind: 'anonymous',
  id: '',
  roles: new Set<string>(),
  scopes: new Set<string>(),
  claims: Object.freeze({}),
});

/** Properties that identify a caller. */
export type NamedCaller = Pick<Principal, 'issuer' | 'kind' | 'id'>;

const keys = new WeakMap<NamedCaller, string>();

/**
 * Returns the key of a caller, from issuer, kind and subject, for stores that hold data of one caller. The key is JSON, so different pairs
 * of issuer and subject never have equal keys. It begins with `[`, so it never equals an address. Long keys are replaced by their hash,
 * because stores hold many keys and issuers choose the length of subjects.
 */
export function principalKeyOf(principal: NamedCaller): string {
  const known = keys.get(principal); // The key is cached, because one principal makes many requests.
  if (known !== undefined) return known;
  const key = boundedKey([principal.issuer ?? '', principal.kind, principal.id]);
  keys.set(principal, key);
  return key;
}

/** Maximum length of a key that is not hashed. @unit characters */
const MAX_KEY_LENGTH = 256;

/**
 * Serializes the parts of a key as JSON, or as a list with one hash if that is long. A list of several components never equals a list of one.
 */
export function boundedKey(parts: readonly [string, string, string]): string {
  const key = JSON.stringify(parts);
  return key.length <= MAX_KEY_LENGTH ? key : JSON.stringify([hash('sha256', key, 'base64url')]);
}

/** Properties that decide whether a caller can own objects. The gateway sends them to subgraphs. */
export type PossibleOwner = NamedCaller & Pick<Principal, 'isOwner'>;

/** Returns the id that identifies the caller as an owner of objects in the graph; undefined if the caller cannot own objects. */
export function ownerIdOf({ issuer, kind, id, isOwner = issuer === undefined }: PossibleOwner): string | undefined {
  return isOwner && kind !== 'anonymous' && id !== '' ? id : undefined;
}

/** Claims that differ for each token and do not affect the permissions of its subject (RFC 7519, section 4.1). */
const OF_ONE_TOKEN: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'jti']);

/**
 * Returns the identity and permissions of a caller as text. Equal for all credentials with which the same caller has the same permissions.
 */
export function lastingIdentityOf(principal: Principal): string {
  const { roles, scopes, claims } = principal;
  const lasting = Object.entries(claims)
    .filter(([name]) => !OF_ONE_TOKEN.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([principalKeyOf(principal), ownerIdOf(principal) ?? null, [...roles].sort(), [...scopes].sort(), lasting]);
}
