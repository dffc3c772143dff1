import { GatewayError } from '../platform/errors.ts';
import { lastingIdentityOf, type Principal, principalKeyOf } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** Permissions of a connection and their expiry. New credentials with equal permissions extend `expiresAt` of the same object. */
export interface Permissions {
  readonly principal: Principal;
  /** Headers with the credentials, which are checked again later. */
  headers: RequestHeaders;
  /** @unit milliseconds since the epoch */
  expiresAt: number | undefined;
}

export function permissionsOf(principal: Principal, headers: RequestHeaders): Permissions {
  return { principal, headers, expiresAt: principal.expiresAt };
}

export function isSameCaller(one: Principal, other: Principal): boolean {
  return principalKeyOf(one) === principalKeyOf(other);
}

/** Whether two principals have equal permissions, regardless of the credentials that proved them. */
export function hasEqualPermissions(one: Principal, other: Principal): boolean {
  return one === other || lastingIdentityOf(one) === lastingIdentityOf(other);
}

/**
 * Checks the credentials of an open connection again. Keys can be revoked, passwords changed, and roles removed while it is open.
 *
 * @returns the error that ends the connection; undefined when the permissions are unchanged or cannot be checked at the moment
 */
export type CheckPermissions = (permissions: Permissions) => Promise<GatewayError | undefined>;

/** @param authenticate authenticates without a charge, because this check is not an attempt of the client */
export function createPermissionCheck(authenticate: (headers: RequestHeaders) => Promise<Principal>): CheckPermissions {
  return async (permissions) => {
    try {
      const principal = await authenticate(permissions.headers);
      if (!hasEqualPermissions(principal, permissions.principal))
        return ended('The permissions of these credentials have changed; connect again.');
      // The key file may have changed the expiry of a key. A token contains its expiry, and a newer token may have replaced it.
      if (principal !== permissions.principal && principal.expiresAt !== undefined) permissions.expiresAt = principal.expiresAt;
      return undefined;
    } catch (error) {
      const isRejected = error instanceof GatewayError && error.code === 'UNAUTHENTICATED';
      return isRejected ? ended('These credentials are no longer valid; connect again with new ones.') : undefined;
    }
  };
}

function ended(message: string): GatewayError {
  return new GatewayError('TOKEN_EXPIRED', message);
}
