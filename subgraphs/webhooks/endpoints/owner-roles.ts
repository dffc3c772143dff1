import type { Caller } from '../../kit/request-context.ts';

/** The roles under which events are read for an owner: those that the caller has now. */
export function rolesOf({ roles }: Caller): string[] {
  return [...roles].toSorted();
}
