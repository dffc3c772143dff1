import { lastingIdentityOf, type Principal, principalKeyOf } from '../platform/principal.ts';
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
  return principalKeyOf(one) === principalKeyOf(other);
}

/** Whether two principals may do the same, whichever credential proved it. */
export function isEqualInRights(one: Principal, other: Principal): boolean {
  return one === other || lastingIdentityOf(one) === lastingIdentityOf(other);
}
