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
