import type { GraphQLError } from 'graphql';
import { ownerIdOf } from '../../gateway/platform/principal.ts';
import { isRowId } from './ids.ts';
import { clientError } from './client-error.ts';
import type { Caller, RequestContext } from './request-context.ts';
import { isStorable } from './storable-text.ts';

type Requester = Pick<RequestContext, 'principal'>;

/** Whether the caller has credentials. */
function isSignedIn({ kind, id }: Caller): boolean {
  return kind !== 'anonymous' && id !== '';
}

/** Whether the caller acts as the user with this id. */
function isOwner(caller: Caller, ownerId: string): boolean {
  return ownerIdOf(caller) === ownerId;
}

export function isAdmin(caller: Caller): boolean {
  return isSignedIn(caller) && (caller.isAdmin ?? caller.roles.has('ADMIN'));
}

/** @throws GraphQLError `UNAUTHENTICATED` */
export function requireUser({ principal }: Requester): Caller {
  if (!isSignedIn(principal)) throw clientError('UNAUTHENTICATED', 'Authentication is required. Send credentials with the request.');
  return principal;
}

/**
 * Returns the id of the caller as the id of a row.
 *
 * @throws GraphQLError `UNAUTHENTICATED`; `FORBIDDEN` when the caller is authenticated but is not a user of this graph
 */
export function requireUserId(context: Requester): string {
  const id = ownerIdOf(requireUser(context));
  if (id === undefined || !isRowId(id)) throw notAUser();
  return id;
}

/**
 * Returns the id with which the caller owns objects.
 *
 * @throws GraphQLError `UNAUTHENTICATED`; `FORBIDDEN` when the caller is authenticated but cannot own objects
 */
export function requireOwnerId(context: Requester): string {
  const id = ownerIdOf(requireUser(context));
  if (id === undefined || !isStorable(id)) throw notAUser();
  return id;
}

/** Creates the error for a caller who is not a user of this graph. */
export function notAUser(): GraphQLError {
  return clientError('FORBIDDEN', 'Only users of this service may perform this operation.');
}

/** @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN` */
export function requireRole(context: Requester, role: string): Caller {
  const caller = requireUser(context);
  if (!caller.roles.has(role)) throw clientError('FORBIDDEN', `This operation requires the role ${role}.`);
  return caller;
}

/** @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN` unless the caller is this user or an administrator */
export function ownerOrAdmin(context: Requester, ownerId: string): Caller {
  const caller = requireUser(context);
  if (!isOwner(caller, ownerId) && !isAdmin(caller)) throw clientError('FORBIDDEN', 'This object belongs to another user.');
  return caller;
}
