import type { RouteTable } from '../compile/route-table.ts';
import { chooseVersion, type LocatedResource } from '../request/choose-version.ts';
import { parseQuery } from '../request/query-parameters.ts';
import { findResource } from './find-route.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { type Target, withoutSlash } from './request-address.ts';

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
