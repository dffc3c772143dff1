import type { BodyBinding } from '../compile/bindings/body.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { Match } from '../compile/route-matcher.ts';
import { isReadByPath } from '../compile/stream-parents.ts';

/** Members of a body that the resource shows and the write does not accept, with the route that reads their current values. */
export interface ReadOnlyMembers {
  readonly route: RestRoute;
  readonly values: ReadonlyMap<string, unknown>;
}

export interface SplitBody {
  /** The remaining body, including unknown members. */
  readonly body: unknown;
  /** Absent if the body has no read-only members. */
  readonly readOnly?: ReadOnlyMembers;
}

/** Separates read-only members from the body of PUT and PATCH, because clients often send back a resource that they have fetched. */
export function splitReadOnly(body: unknown, { method, bindings }: RestRoute, { routes }: Pick<Match, 'routes'>): SplitBody {
  const route = routes.get('GET');
  if ((method !== 'PUT' && method !== 'PATCH') || bindings.body === undefined || route === undefined) return { body };
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !isReadByPath(route) || route.result.collection !== undefined) {
    return { body };
  }
  const values = new Map(Object.entries(body).filter(([name]) => isReadOnly(name, bindings.body, route)));
  if (values.size === 0) return { body };
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => !values.has(name))), readOnly: { route, values } };
}

function isReadOnly(name: string, body: BodyBinding | undefined, { result }: RestRoute): boolean {
  return body?.members.has(name) !== true && result.shape.has(name);
}
