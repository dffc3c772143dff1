import type { RestRoute } from '../compile/rest-route.ts';
import type { LocatedResource } from './negotiation/choose-version.ts';
import type { BoundRequest } from './parameters/bind-request.ts';

/** Path and query of a request target, as they were sent. */
export interface RequestTarget {
  readonly path: string;
  /** Query string without the question mark. */
  readonly query: string;
}

export function splitTarget(target: string): RequestTarget {
  const queryStart = target.indexOf('?');
  return queryStart === -1 ? { path: target, query: '' } : { path: target.slice(0, queryStart), query: target.slice(queryStart + 1) };
}

/** Removes a trailing slash, which is ignored in requests and does not appear in links. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The address of a page. */
export interface PageAddress {
  /** Raw path with the mount, without a trailing slash. */
  readonly path: string;
  /** Raw query string, without the question mark. */
  readonly query: string;
}

/** The address of a request, for links in its response. */
export interface RequestAddress extends PageAddress {
  /** Prefix of every route path: the mount path of the facade and the mount of the route. */
  readonly prefix: string;
  /** Suffix of every route path: the version, if the query parameter selects it. */
  readonly suffix: string;
  /** Path at which GET returns the body of the response. Absent if it is the path of the request. */
  readonly contentLocation?: string | undefined;
}

/** The part of a request that its address depends on. */
interface AddressedRequest {
  readonly incoming: { readonly basePath: string };
  readonly target: RequestTarget;
  readonly resource: LocatedResource;
  readonly route: RestRoute;
}

export function addressOf(request: AddressedRequest, bound: BoundRequest): RequestAddress {
  const { incoming, target, resource } = request;
  const path = incoming.basePath + withoutSlash(target.path);
  const suffix = resource.isByQuery ? `?version=${resource.version}` : '';
  const query = honoredQuery(request);
  const contentLocation = contentLocationOf(request, bound, { path, query, suffix });
  return {
    path,
    query,
    prefix: incoming.basePath + resource.match.mount,
    suffix,
    contentLocation: contentLocation === undefined ? undefined : toUriReference(contentLocation),
  };
}

/**
 * Removes ignored parameters from the query string, because a client that follows a link may not send `handling=lenient` and would be
 * rejected.
 */
function honoredQuery({ target, resource, route }: AddressedRequest): string {
  const { parameters } = route.bindings;
  const unknown = [...resource.query.keys()].filter((name) => !parameters.has(name));
  if (unknown.length === 0) return target.query;
  const honored = new URLSearchParams(target.query);
  for (const name of unknown) honored.delete(name);
  return honored.toString();
}

/**
 * Returns the value of `Content-Location` (RFC 9110, section 8.7). A path with a trailing slash refers to the path without it, and the body
 * of a write refers to the resource if GET returns the same fields.
 */
function contentLocationOf(
  { target, resource, route }: AddressedRequest,
  bound: BoundRequest,
  { path, query, suffix }: Pick<RequestAddress, 'path' | 'query' | 'suffix'>,
): string | undefined {
  if (route.method === 'GET') return target.path.endsWith('/') ? path + (query === '' ? '' : `?${query}`) : undefined;
  const written = route.result.validators.version;
  const read = resource.match.routes.get('GET')?.result.validators.version;
  return written !== undefined && written.variant === read?.variant && bound.fields === undefined ? path + suffix : undefined;
}

/**
 * Characters that a URI reference must not contain (RFC 3986, section 2), although a client or a setting can. They could end a link early.
 */
const NO_URI_CHARACTER = /[<>"\\^`{|}]|\P{ASCII}/gu;

/** Encodes a path or query for a `Link` header. */
export function toUriReference(sent: string): string {
  return sent.replaceAll(NO_URI_CHARACTER, encodeURIComponent);
}
