import { GatewayError } from '../platform/errors.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { isEqualInRights, type Rights } from './rights.ts';

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
