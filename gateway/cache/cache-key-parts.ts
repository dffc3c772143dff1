import type { SubgraphsConfig } from '../config/sections/subgraphs.ts';
import type { CachePolicy } from '../platform/cache-policy.ts';
import { lastingIdentityOf, type Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** Returns the comma-separated names of a `Cache-Tag` header. */
export function tagsIn(cacheTags: string | undefined): readonly string[] {
  if (cacheTags === undefined) return [];
  return cacheTags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Returns the request headers that responses may depend on: those that header rules forward to a subgraph, and the configured ones. */
export function varyingHeaders({ headers, override }: SubgraphsConfig, named: readonly string[]): readonly string[] {
  const names = new Set(named);
  for (const rules of [headers, ...Object.values(override).map((settings) => settings.headers)]) {
    for (const name of rules?.propagate ?? []) names.add(name);
    for (const name of Object.keys(rules?.rename ?? {})) names.add(name);
  }
  return [...names].sort();
}

/**
 * Restricts a policy by the `Cache-Control` header of a subgraph. The header can shorten the maximum age and make the response private, but
 * not the opposite. Without the header, the policy is unchanged.
 *
 * @returns undefined when the response must not be cached
 */
export function lowerPolicy(policy: CachePolicy, cacheControl: string | undefined): CachePolicy | undefined {
  if (cacheControl === undefined) return policy;
  let { maxAgeSeconds, scope } = policy;
  for (const directive of cacheControl.toLowerCase().split(',')) {
    const [name = '', value = ''] = directive.split('=').map((part) => part.trim());
    if (name === 'no-store' || name === 'no-cache') return undefined;
    if (name === 'private') scope = 'PRIVATE';
    if (name === 'max-age' || name === 's-maxage') maxAgeSeconds = Math.min(maxAgeSeconds, toSeconds(value));
  }
  return maxAgeSeconds > 0 ? { maxAgeSeconds, scope } : undefined;
}

/** Parses a number of seconds. An invalid number means that the response is stale (RFC 9111, section 4.2.1). */
function toSeconds(text: string): number {
  const [, digits] = /^"?(\d{1,10})"?$/.exec(text) ?? [];
  return digits === undefined ? 0 : Number(digits);
}

/** Partition of callers without credentials. */
const ANONYMOUS = 'anon';

/**
 * Returns the partition of a caller. Callers with equal partitions share cached data. Only anonymous callers share a partition; an
 * authenticated caller has one partition for each set of permissions.
 *
 * @param headerNames headers that are forwarded to subgraphs, in lower case
 */
export function partitionOf(principal: Principal, headers: RequestHeaders, headerNames: readonly string[]): string {
  return withHeaders(principal.kind === 'anonymous' ? ANONYMOUS : lastingIdentityOf(principal), headers, headerNames);
}

/** Returns the partition of data that does not depend on the caller. Equal for all callers that send the same headers. */
export function sharedPartitionOf(headers: RequestHeaders, headerNames: readonly string[]): string {
  return withHeaders(ANONYMOUS, headers, headerNames);
}

function withHeaders(who: string, headers: RequestHeaders, headerNames: readonly string[]): string {
  if (headerNames.length === 0) return who;
  // The names are part of the text, because processes that share a cache may have loaded supergraphs with other headers.
  return JSON.stringify([who, headerNames.flatMap((name) => (headers[name] === undefined ? [] : [name, headers[name]]))]);
}
