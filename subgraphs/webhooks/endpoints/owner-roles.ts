import type { Caller } from '../../kit/request-context.ts';

/** Returns the roles with which events are read for an owner: the current roles of the caller. */
export function rolesOf({ roles }: Caller): string[] {
  return [...roles].toSorted();
}
