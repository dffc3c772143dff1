import { type MappingProblem, positionOf } from '../mapping-problems.ts';
import type { RestRoute } from '../rest-route.ts';
import { isAliveIn } from './lifespan.ts';
import { templateKey } from './path-template.ts';

/** The versions of a set of routes. */
export interface ApiVersions {
  /** Ascending, without gaps. */
  readonly all: readonly number[];
  /** Version for requests that do not name one. */
  readonly default: number;
}

/**
 * Computes the range from the lowest first version to the highest version in which the set of routes changes. A route that ends creates a
 * version without it.
 */
export function compileVersions(routes: readonly RestRoute[], defaultVersion: number): ApiVersions {
  const oldest = Math.min(...routes.map(({ lifespan }) => lifespan.since));
  const newest = Math.max(...routes.map(({ lifespan: { since, until } }) => (until === undefined ? since : until + 1)));
  if (routes.length === 0) return { all: [defaultVersion], default: defaultVersion };
  return { all: Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index), default: defaultVersion };
}

/** Returns a problem if the default version has no routes: a request without a version would find nothing. */
export function versionProblems(versions: ApiVersions): readonly MappingProblem[] {
  if (versions.all.includes(versions.default)) return [];
  const message = `The default version is ${versions.default}, but the documents define the versions ${versions.all.join(', ')}.`;
  return [{ message, hint: 'Set `defaultVersion` to one of these versions.', ...positionOf(undefined) }];
}

/** Returns the first version after the end of a route in which its method and path are served again, or undefined. */
export function successorVersion({ method, template, lifespan }: RestRoute, routes: readonly RestRoute[]): number | undefined {
  const { until } = lifespan;
  if (until === undefined) return undefined;
  const key = templateKey(template);
  const later = routes.filter((route) => route.method === method && templateKey(route.template) === key && route.lifespan.since > until);
  return later.length === 0 ? undefined : Math.min(...later.map(({ lifespan: { since } }) => since));
}

/** Returns the routes of a version. */
export function routesIn(routes: readonly RestRoute[], version: number): readonly RestRoute[] {
  return routes.filter(({ lifespan }) => isAliveIn(lifespan, version));
}
