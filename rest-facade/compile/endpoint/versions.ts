import { type MappingProblem, positionOf } from '../mapping-problems.ts';
import type { RestRoute } from '../rest-route.ts';
import { isAliveIn } from './lifespan.ts';
import { templateKey } from './path-template.ts';

/** The versions that a set of routes has. */
export interface ApiVersions {
  /** Ascending, without gaps. */
  readonly all: readonly number[];
  /** Answers who names none. */
  readonly default: number;
}

/**
 * From the oldest version that a route is there in, to the newest that one begins with. A route that ends makes a version
 * without it.
 */
export function compileVersions(routes: readonly RestRoute[], defaultVersion: number): ApiVersions {
  const oldest = Math.min(...routes.map(({ lifespan }) => lifespan.since));
  const newest = Math.max(...routes.map(({ lifespan: { since, until } }) => (until === undefined ? since : until + 1)));
  if (routes.length === 0) return { all: [defaultVersion], default: defaultVersion };
  return { all: Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index), default: defaultVersion };
}

/** What is wrong with the default where no route is there in it: whoever names no version would find nothing. */
export function versionProblems(versions: ApiVersions): readonly MappingProblem[] {
  if (versions.all.includes(versions.default)) return [];
  const message = `The default version is ${versions.default}, and the documents have ${versions.all.join(', ')}.`;
  return [{ message, hint: 'Name one of them in the setting `defaultVersion`.', ...positionOf(undefined) }];
}

/** The first version after the end of a route that answers its method on its path; undefined where none does. */
export function successorVersion({ method, template, lifespan }: RestRoute, routes: readonly RestRoute[]): number | undefined {
  const { until } = lifespan;
  if (until === undefined) return undefined;
  const key = templateKey(template);
  const later = routes.filter((route) => route.method === method && templateKey(route.template) === key && route.lifespan.since > until);
  return later.length === 0 ? undefined : Math.min(...later.map(({ lifespan: { since } }) => since));
}

/** The routes that a version has. */
export function routesIn(routes: readonly RestRoute[], version: number): readonly RestRoute[] {
  return routes.filter(({ lifespan }) => isAliveIn(lifespan, version));
}
