import type { Route } from './route.ts';

/** Whether a route reads a resource, and needs nothing for it but the path. */
export function isReadByPath({ method, isStream, bindings }: Route): boolean {
  return method === 'GET' && !isStream && ![...bindings.query, ...bindings.headers].some(({ isRequired }) => isRequired);
}
