import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RestMethod } from '../compile/documents/directives.ts';
import type { Route } from '../compile/rest-route.ts';
import type { FoundVersions, Match, Matcher } from '../compile/route-matcher.ts';
import { allowOf } from './allowed-methods.ts';

/** Methods that some resource may serve. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The parts of a request target, as they were sent. */
export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

export function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** A slash at the end makes no difference to what is found; addresses in answers are without it. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** @throws GatewayError `NOT_FOUND` */
export function findResource(match: Matcher, path: string): FoundVersions {
  const found = match(path);
  if (found === undefined) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
  return found;
}

/**
 * HEAD is GET whose body is not sent (RFC 9110, section 9.3.2).
 *
 * @throws GatewayError `METHOD_NOT_ALLOWED`; `METHOD_NOT_IMPLEMENTED` for what nothing here serves (section 15.6.2)
 */
export function routeOf(match: Match, method: string): Route {
  const route = match.routes.get((method === 'HEAD' ? 'GET' : method) as RestMethod);
  if (route !== undefined) return route;
  if (!METHODS.has(method)) throw new GatewayError('METHOD_NOT_IMPLEMENTED', 'This method is not served by any resource.');
  throw new GatewayError('METHOD_NOT_ALLOWED', 'This method is not served here; the Allow header names those that are.', {
    headers: { allow: allowOf(match) },
  });
}
