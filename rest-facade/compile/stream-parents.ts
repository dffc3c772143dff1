import { templateKey } from './endpoint/path-template.ts';
import { compileVersions, routesIn } from './endpoint/versions.ts';
import type { RestRoute } from './rest-route.ts';

/** The GET route of the resource whose events a stream sends, by stream route and version. */
export type StreamParents = ReadonlyMap<RestRoute, ReadonlyMap<number, RestRoute>>;

/**
 * Finds the resource of each stream: the longest parent path of the stream that has a parameter, and a GET route that requires only that
 * path. A stream without such a route, for example `/books/events`, does not belong to a single resource.
 */
export function compileStreamParents(routes: readonly RestRoute[]): StreamParents {
  const streams = routes.filter(({ isStream }) => isStream);
  const versions = compileVersions(routes, 1).all.map((version) => ({ version, served: routesIn(routes, version) }));
  return new Map(
    streams.map((stream) => {
      const found = versions.flatMap(({ version, served }) => {
        const parent = served.includes(stream) ? findParent(stream, served) : undefined;
        return parent === undefined ? [] : [[version, parent] as const];
      });
      return [stream, new Map(found)] as const;
    }),
  );
}

function findParent({ template }: RestRoute, routes: readonly RestRoute[]): RestRoute | undefined {
  const readable = routes.filter(isReadByPath);
  for (let length = template.length - 1; length > 0; length -= 1) {
    const path = template.slice(0, length);
    if (!path.some((segment) => 'parameter' in segment)) return undefined;
    const parent = readable.find((route) => templateKey(route.template) === templateKey(path));
    if (parent !== undefined) return parent;
  }
  return undefined;
}

/** Whether a route reads a resource and requires only its path. */
export function isReadByPath({ method, isStream, bindings }: RestRoute): boolean {
  return method === 'GET' && !isStream && ![...bindings.query, ...bindings.headers].some(({ isRequired }) => isRequired);
}
