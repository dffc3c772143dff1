import { GatewayError } from '../platform/errors.ts';
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

/**
 * Looks again at the credentials of an open connection: keys are revoked, passwords changed, and roles taken away while it stands.
 *
 * @returns why the connection must end; undefined where the rights are what they were, or nobody can tell at the moment
 */
export type CheckRights = (rights: Rights) => Promise<GatewayError | undefined>;

/** @param authenticate without a charge: the client has not tried anything */
export function createRightsCheck(authenticate: (headers: RequestHeaders) => Promise<Principal>): CheckRights {
  return async (rights) => {
    try {
      const principal = await authenticate(rights.headers);
      if (!isEqualInRights(principal, rights.principal)) return ended('The rights of these credentials have changed; connect again.');
      // A file of keys may have given the key more time, or less. A token says it itself, and a fresher one may have come since.
      if (principal !== rights.principal && principal.expiresAt !== undefined) rights.expiresAt = principal.expiresAt;
      return undefined;
    } catch (error) {
      const isRefused = error instanceof GatewayError && error.code === 'UNAUTHENTICATED';
      return isRefused ? ended('These credentials are not good any more.') : undefined;
    }
  };
}

function ended(message: string): GatewayError {
  return new GatewayError('TOKEN_EXPIRED', message);
}
