import { GatewayError } from '../../gateway/platform/errors.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import type { RestMethod } from '../compile/documents/directives.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { FoundVersions, Match, Matcher } from '../compile/route-matcher.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { bodyTypesHeader } from '../request/negotiation/body-types.ts';
import { chooseVersion, type LocatedResource } from '../request/negotiation/choose-version.ts';
import { parseQuery } from '../request/parameters/query-parameters.ts';
import { type RequestTarget, withoutSlash } from '../request/request-address.ts';
import type { IncomingRestRequest } from '../request/request-context.ts';

/** Methods that some resource may serve. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** @throws GatewayError `NOT_FOUND` */
function findResource(match: Matcher, path: string): FoundVersions {
  const found = match(path);
  if (found === undefined) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
  return found;
}

/**
 * HEAD is GET whose body is not sent (RFC 9110, section 9.3.2).
 *
 * @throws GatewayError `METHOD_NOT_ALLOWED`; `METHOD_NOT_IMPLEMENTED` for what nothing here serves (section 15.6.2)
 */
export function routeOf(match: Match, method: string): RestRoute {
  const route = match.routes.get((method === 'HEAD' ? 'GET' : method) as RestMethod);
  if (route !== undefined) return route;
  if (!METHODS.has(method)) throw new GatewayError('METHOD_NOT_IMPLEMENTED', 'This method is not served by any resource.');
  throw new GatewayError('METHOD_NOT_ALLOWED', 'This method is not served here; the Allow header names those that are.', {
    headers: { allow: allowOf(match) },
  });
}

/**
 * Which resource, in which version; from here on, answers name the version.
 *
 * @throws GatewayError as `chooseVersion`, and `NOT_FOUND` where no version has anything at the path
 */
export function locateResource(
  { acceptance, responseHeaders }: IncomingRestRequest,
  target: RequestTarget,
  { match, versions }: Pick<RouteTable, 'match' | 'versions'>,
): LocatedResource {
  const found = findResource(match, target.path);
  const query = parseQuery(target.query);
  const chosen = chooseVersion({ found, query, acceptance }, versions);
  responseHeaders['api-version'] = String(chosen.version);
  const { version, match: place, type, isByQuery } = chosen;
  return { version, match: place, type, isByQuery, query, path: withoutSlash(target.path).slice(place.mount.length) };
}

/** Value of `Allow` for a resource: what its documents serve, with what follows from that. */
function allowOf({ routes }: Match): string {
  const served = [...routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...served, 'OPTIONS'].join(', ');
}

/** The response to OPTIONS: the methods of the resource, and the media types of bodies for those that take one. */
export function respondToOptions({ match, version }: LocatedResource, vendor: string): NamedReply {
  const methods = (['POST', 'PATCH'] as const).filter((method) => match.routes.get(method)?.bindings.body !== undefined);
  const bodyTypes = methods.map((method) => bodyTypesHeader(method, { version, vendor }));
  return { status: 204, headers: Object.assign({ allow: allowOf(match) }, ...bodyTypes), body: '' };
}
