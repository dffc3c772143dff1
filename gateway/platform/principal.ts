/** Who is asking, as far as the credentials of one request tell. */
export interface Principal {
  readonly kind: 'anonymous' | 'user' | 'service';
  /** The subject of the credentials; empty for anonymous callers. */
  readonly id: string;
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

/** Claims that are new in each token and say nothing about what its owner may see (RFC 7519, section 4.1). */
const OF_ONE_TOKEN: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'jti']);

/** Who somebody is, and with which rights: equal for all credentials by which the same caller may do the same. */
export function lastingIdentityOf({ kind, id, roles, scopes, claims }: Principal): string {
  const lasting = Object.entries(claims)
    .filter(([name]) => !OF_ONE_TOKEN.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([kind, id, [...roles].sort(), [...scopes].sort(), lasting]);
}
