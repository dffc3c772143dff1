import type { RestRoute } from '../compile/rest-route.ts';
import type { LocatedResource } from './negotiation/choose-version.ts';
import type { BoundRequest } from './parameters/bind-request.ts';

/** The parts of a request target, as they were sent. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

export function splitTarget(target: string): RequestTarget {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** A slash at the end makes no difference to what is found; addresses in answers are without it. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The address a page was asked for at. */
export interface PageAddress {
  /** Raw path with the mount, without a slash at the end. */
  readonly path: string;
  /** Raw query string, without the question mark. */
  readonly query: string;
}

/** Where a request came to. */
export interface RequestAddress extends PageAddress {
  /** What stands before every path of the route: where the facade is mounted, and the route's own mount. */
  readonly prefix: string;
  /** What stands after it: the version, where the parameter names it. */
  readonly suffix: string;
  /** Where the answer's content can be had by GET, where that is not what was asked for. */
  readonly contentLocation?: string | undefined;
}

/** A request, as far as its address depends on it. */
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

/** Without what was passed over: whoever follows an address need not be read as leniently, and would be refused. */
function honoredQuery({ target, resource, route }: AddressedRequest): string {
  const { parameters } = route.bindings;
  const unknown = [...resource.query.keys()].filter((name) => !parameters.has(name));
  if (unknown.length === 0) return target.query;
  const honored = new URLSearchParams(target.query);
  for (const name of unknown) honored.delete(name);
  return honored.toString();
}

/** RFC 9110, section 8.7: reading at a path with a slash is reading without it, and what a write shows is what can be read there. */
function contentLocationOf(
  { target, resource, route }: AddressedRequest,
  bound: BoundRequest,
  { path, query, suffix }: Pick<RequestAddress, 'path' | 'query' | 'suffix'>,
): string | undefined {
  if (route.method === 'GET') return target.path.endsWith('/') ? path + (query === '' ? '' : `?${query}`) : undefined;
  const written = route.result.validators.version;
  const read = resource.match.routes.get('GET')?.result.validators.version;
  return written !== undefined && written.form === read?.form && bound.fields === undefined ? path + suffix : undefined;
}

/** What a client may have sent raw, or a setting have, and a URI reference must not (RFC 3986, section 2): it would end a link early. */
const NO_URI_CHARACTER = /[<>"\\^`{|}]|\P{ASCII}/gu;

/** A path or query as it was sent, or set, so that it can stand in a `Link` header. */
export function toUriReference(sent: string): string {
  return sent.replaceAll(NO_URI_CHARACTER, encodeURIComponent);
}
