import type { ObjectResult } from '../../gateway/index.ts';
import type { RequestBindings } from '../compile/bindings/bindings.ts';
import type { LocationTemplate } from '../compile/endpoint/path-template.ts';
import type { RequestAddress } from '../request/request-address.ts';
import type { RestRequest } from '../request/request-context.ts';
import type { ResultObject } from './result-data.ts';

/**
 * Request headers that every response depends on, including error responses. `Prefer` is always included, even if a request does not send
 * it (RFC 7240, section 2).
 */
export const REST_VARY = 'Accept, Accept-Encoding, Authorization, X-API-Key, Prefer';

/**
 * Returns the value of `Vary`.
 *
 * @param bindings bindings of the route; a header that becomes a variable is part of `Vary`
 * @param others additional headers that the response depends on
 */
export function varyBy({ headers }: Pick<RequestBindings, 'headers'>, others: readonly string[] = []): string {
  if (headers.length === 0 && others.length === 0) return REST_VARY;
  return [REST_VARY, ...headers.map(({ name }) => name), ...others].join(', ');
}

/**
 * Returns `Location` and `Content-Location` (RFC 9110, section 8.7). A response that is narrowed, or shows data only once, has no
 * `Content-Location`, because GET would not return the same content.
 */
export function addressHeaders(root: ResultObject, { route, bound, address, isMinimal }: RestRequest): Readonly<Record<string, string>> {
  if (route.location !== undefined) {
    const location = toLocation(route.location, root, address);
    const isWhole = bound.fields === undefined && !isMinimal && route.result.hoisted === undefined;
    return isWhole ? { location, 'content-location': location } : { location };
  }
  return address.contentLocation === undefined || isMinimal ? {} : { 'content-location': address.contentLocation };
}

function toLocation(template: LocationTemplate, root: ResultObject, { prefix, suffix }: RequestAddress): string {
  const path = template.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(root[part])))).join('');
  return prefix + path + suffix;
}

/** Returns the value of `Preference-Applied` with the applied preferences (RFC 7240, section 3), or undefined. */
export function preferencesApplied({ route, preferences, isMinimal, bound }: RestRequest): string | undefined {
  const { returns, handling, count } = preferences;
  if (returns === undefined && handling === undefined && count === undefined) return undefined;
  const shows = returns === 'representation' && route.method !== 'GET' && route.status !== 204;
  const applied = [
    ...(isMinimal ? ['return=minimal'] : []),
    ...(shows ? ['return=representation'] : []),
    ...(count === 'none' && bound.isUncounted === true ? ['count=none'] : []),
    ...(handling === undefined ? [] : [`handling=${handling}`]),
  ];
  return applied.length === 0 ? undefined : applied.join(', ');
}

/**
 * Returns the value of `Cache-Control` for GET (RFC 9111, section 5.2.2). Without a policy, only the caller may cache the response, with
 * revalidation at each use, because the response depends on the caller.
 */
export function toFreshness({ cachePolicy }: ObjectResult['facts'], staleSeconds = 0): string {
  if (cachePolicy === undefined) return 'private, no-cache';
  const { scope, maxAgeSeconds } = cachePolicy;
  return `${scope === 'PUBLIC' ? 'public' : 'private'}, max-age=${maxAgeSeconds}${staleSeconds === 0 ? '' : `, stale-while-revalidate=${staleSeconds}`}`;
}
