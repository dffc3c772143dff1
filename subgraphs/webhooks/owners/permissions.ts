import type { Caller } from '../../kit/request-context.ts';
import type { EndpointRow } from '../tables.ts';

/** Permissions with which events are read for an owner. */
export interface Permissions {
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

/** Returns the current permissions of a caller, in a fixed order. */
export function permissionsOf({ roles, scopes }: Caller): Permissions {
  return { roles: [...roles].toSorted(), scopes: [...scopes].toSorted() };
}

/** Returns the permissions that are stored with an endpoint, in a fixed order. */
export function storedPermissions({ ownerRoles, ownerScopes }: EndpointRow): Permissions {
  return { roles: ownerRoles.toSorted(), scopes: ownerScopes.toSorted() };
}

/** Whether `held` includes all of `needed`. */
export function includesAll(held: Permissions, needed: Permissions): boolean {
  return needed.roles.every((role) => held.roles.includes(role)) && needed.scopes.every((scope) => held.scopes.includes(scope));
}

/** Returns the permissions that are in both. */
export function commonPermissions(one: Permissions, other: Permissions): Permissions {
  return {
    roles: one.roles.filter((role) => other.roles.includes(role)),
    scopes: one.scopes.filter((scope) => other.scopes.includes(scope)),
  };
}

/** Returns the columns of an endpoint that store permissions. */
export function toPermissionColumns({ roles, scopes }: Permissions): Pick<EndpointRow, 'ownerRoles' | 'ownerScopes'> {
  return { ownerRoles: [...roles], ownerScopes: [...scopes] };
}
