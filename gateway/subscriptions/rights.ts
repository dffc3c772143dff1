import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** What somebody may do on a connection, and until when. Fresh credentials for the same rights lengthen it in place. */
export interface Rights {
  readonly principal: Principal;
  /** By which they were proved, and are looked at again. */
  headers: RequestHeaders;
  /** @unit milliseconds since the epoch */
  expiresAt: number | undefined;
}

export function rightsOf(principal: Principal, headers: RequestHeaders): Rights {
  return { principal, headers, expiresAt: principal.expiresAt };
}

export function isSameCaller(one: Principal, other: Principal): boolean {
  return one.kind === other.kind && one.id === other.id;
}

/** Claims of the token itself (RFC 7519, section 4.1), which another token for the same rights has otherwise. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti']);

/** Whether two principals may do the same, whichever credential proved it. */
export function isEqualInRights(one: Principal, other: Principal): boolean {
  return one === other || (isSameCaller(one, other) && write(one) === write(other));
}

function write({ roles, scopes, claims }: Principal): string {
  const lasting = Object.entries(claims)
    .filter(([name]) => !OF_THE_TOKEN.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([[...roles].sort(), [...scopes].sort(), lasting]);
}
