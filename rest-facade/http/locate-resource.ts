import type { RouteTable } from '../compile/route-table.ts';
import type { Route } from '../compile/rest-route.ts';
import { type ChosenVersion, chooseVersion } from '../request/choose-version.ts';
import type { QueryParameters } from '../request/query-parameters.ts';
import { parseQuery } from '../request/query-parameters.ts';
import { PAGE_PATH } from './docs-page.ts';
import { findResource, withoutSlash } from './find-route.ts';
import type { Target } from './find-route.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { tellLifespan } from './tell-lifespan.ts';

/** The resource that a request is about, in its version. */
export interface LocatedResource extends ChosenVersion {
  readonly query: QueryParameters;
  /** Where it was asked for, and where it is by the routes: without what the facade is mounted at. */
  readonly path: string;
}

/**
 * Which resource, in which version; from here on, answers name the version.
 *
 * @throws GatewayError as `chooseVersion`, and `NOT_FOUND` where no version has anything at the path
 */
export function locateResource(
  { acceptance, replyHeaders }: IncomingRequest,
  target: Target,
  { match, versions }: Pick<RouteTable, 'match' | 'versions'>,
): LocatedResource {
  const found = findResource(match, target.path);
  const query = parseQuery(target.query);
  const chosen = chooseVersion({ found, query, acceptance }, versions);
  replyHeaders['api-version'] = String(chosen.version);
  const { version, match: place, type, isByQuery } = chosen;
  return { version, match: place, type, isByQuery, query, path: withoutSlash(target.path).slice(place.mount.length) };
}

export interface SunsetOptions {
  /** Page on how versions end: an address, or a path below where the facade is mounted. @defaultValue the page of the description */
  readonly deprecationPolicy?: string | undefined;
  /** Whether there is that page. */
  readonly docs: boolean;
  readonly now: () => number;
}

/** Tells what becomes of the route that was found. @throws GatewayError `GONE` */
export function tellSunset(
  route: Route,
  { resource, incoming }: { readonly resource: LocatedResource; readonly incoming: IncomingRequest },
  { docs, deprecationPolicy = docs ? PAGE_PATH : undefined, now }: SunsetOptions,
  { successorOf }: Pick<RouteTable, 'successorOf'>,
): void {
  const { lifespan } = route;
  if (lifespan.deprecatedAt === undefined) return;
  const { match, path } = resource;
  const { basePath, replyHeaders } = incoming;
  const successor = successorOf(route);
  const notice = {
    lifespan,
    now: now(),
    policy: deprecationPolicy?.startsWith('/') === true ? basePath + deprecationPolicy : deprecationPolicy,
    successor: successor === undefined ? undefined : `${basePath}${match.root}/v${successor}${path}`,
  };
  tellLifespan(notice, replyHeaders);
}
