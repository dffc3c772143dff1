import type { ObjectResult } from '../../gateway/index.ts';
import type { RequestBindings } from '../compile/bindings/bindings.ts';
import type { LocationTemplate } from '../compile/endpoint/path-template.ts';
import type { RequestAddress } from '../request/request-address.ts';
import type { RestRequest } from '../request/request-context.ts';
import type { ResultObject } from './result-data.ts';

/**
 * Headers of a request by which every answer differs, the refusals among them. What a client prefers counts, whether this one says so or not
 * (RFC 7240, section 2).
 */
export const REST_VARY = 'Accept, Accept-Encoding, Authorization, X-API-Key, Prefer';

/**
 * @param bindings of the route: a header that becomes a variable is one more by which its answers differ
 * @param others headers by which this answer differs besides
 */
export function varyBy({ headers }: Pick<RequestBindings, 'headers'>, others: readonly string[] = []): string {
  if (headers.length === 0 && others.length === 0) return REST_VARY;
  return [REST_VARY, ...headers.map(({ name }) => name), ...others].join(', ');
}

/**
 * Where what was created is, and where the content of the answer can be had by GET (RFC 9110, section 8.7): it cannot where it was narrowed, or
 * shows what is shown here alone.
 */
export function addressHeaders(root: ResultObject, { route, bound, address, isMinimal }: RestRequest): Readonly<Record<string, string>> {
  if (route.location !== undefined) {
    const location = toLocation(route.location, root, address);
    const isWhole = bound.fields === undefined && !isMinimal && route.result.beside === undefined;
    return isWhole ? { location, 'content-location': location } : { location };
  }
  return address.contentLocation === undefined || isMinimal ? {} : { 'content-location': address.contentLocation };
}

function toLocation(template: LocationTemplate, root: ResultObject, { prefix, suffix }: RequestAddress): string {
  const path = template.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(root[part])))).join('');
  return prefix + path + suffix;
}

/** Which preferences were heeded: the value of `Preference-Applied` (RFC 7240, section 3); undefined where there were none. */
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
 * Who may keep an answer to GET, and for how long (RFC 9111, section 5.2.2). Where no policy says it, whoever asked may keep it
 * and checks it each time: who asks decides what is shown.
 */
export function toFreshness({ cachePolicy }: ObjectResult['facts']): string {
  if (cachePolicy === undefined) return 'private, no-cache';
  const { scope, maxAgeSeconds } = cachePolicy;
  return `${scope === 'PUBLIC' ? 'public' : 'private'}, max-age=${maxAgeSeconds}`;
}
