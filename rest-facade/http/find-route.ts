import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RestMethod } from '../compile/documents/directives.ts';
import type { Route } from '../compile/rest-route.ts';
import type { FoundVersions, Match, Matcher } from '../compile/route-matcher.ts';
import { allowOf } from './allowed-methods.ts';

/** Methods that some resource may serve. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

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
