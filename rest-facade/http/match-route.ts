import { GatewayError } from '../../gateway/platform/errors.ts';
import type { NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { RestMethod } from '../compile/documents/directives.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { FoundVersions, Match, Matcher } from '../compile/route-matcher.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { bodyTypesHeader } from '../request/negotiation/body-types.ts';
import { chooseVersion, type LocatedResource } from '../request/negotiation/choose-version.ts';
import { parseQuery } from '../request/parameters/query-parameters.ts';
import { type RequestTarget, withoutSlash } from '../request/request-address.ts';
import type { IncomingRestRequest } from '../request/request-context.ts';

/** Methods that a resource can support. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Finds the resource at a path. @throws GatewayError `NOT_FOUND` */
function findResource(match: Matcher, path: string): FoundVersions {
  const found = match(path);
  if (found === undefined) throw new GatewayError('NOT_FOUND', 'There is no resource at this path.');
  return found;
}

/**
 * Returns the route for a method. HEAD uses the route of GET, without the body (RFC 9110, section 9.3.2).
 *
 * @throws GatewayError `METHOD_NOT_ALLOWED`; `METHOD_NOT_IMPLEMENTED` for a method that no resource supports (section 15.6.2)
 */
export function routeOf(match: Match, method: string): RestRoute {
  const route = match.routes.get((method === 'HEAD' ? 'GET' : method) as RestMethod);
  if (route !== undefined) return route;
  if (!METHODS.has(method)) throw new GatewayError('METHOD_NOT_IMPLEMENTED', 'No resource supports this method.');
  throw new GatewayError('METHOD_NOT_ALLOWED', 'This resource does not support the method. The Allow header lists the supported methods.', {
    headers: { allow: allowOf(match) },
  });
}

/**
 * Finds the resource and its version. From here on, responses name the version.
 *
 * @throws GatewayError as `chooseVersion`, and `NOT_FOUND` if no version has a resource at the path
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
  const { version, match: location, type, isByQuery } = chosen;
  return { version, match: location, type, isByQuery, query, path: withoutSlash(target.path).slice(location.mount.length) };
}

/** Returns the value of `Allow` for a resource: the methods of its documents, HEAD and OPTIONS. */
function allowOf({ routes }: Match): string {
  const served = [...routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...served, 'OPTIONS'].join(', ');
}

/** Responds to OPTIONS with the methods of the resource and the media types of their request bodies. */
export function respondToOptions({ match, version }: LocatedResource, vendor: string): NamedHttpResponse {
  const methods = (['POST', 'PATCH'] as const).filter((method) => match.routes.get(method)?.bindings.body !== undefined);
  const bodyTypes = methods.map((method) => bodyTypesHeader(method, { version, vendor }));
  return { status: 204, headers: Object.assign({ allow: allowOf(match) }, ...bodyTypes), body: '' };
}
