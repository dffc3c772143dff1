import type { SubgraphsConfig } from '../config/sections/subgraphs.ts';
import type { CachePolicy } from '../platform/cache-policy.ts';
import { lastingIdentityOf, type Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** The names in a `Cache-Tag`, between commas. */
export function tagsIn(cacheTags: string | undefined): readonly string[] {
  if (cacheTags === undefined) return [];
  return cacheTags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Headers of clients by which answers may differ: those that a rule passes on to any subgraph, and those that are named. */
export function varyingHeaders({ headers, override }: SubgraphsConfig, named: readonly string[]): readonly string[] {
  const names = new Set(named);
  for (const rules of [headers, ...Object.values(override).map((settings) => settings.headers)]) {
    for (const name of rules?.propagate ?? []) names.add(name);
    for (const name of Object.keys(rules?.rename ?? {})) names.add(name);
  }
  return [...names].sort();
}

/**
 * What is left of a policy after a subgraph has answered with a `Cache-Control`: it may shorten and hide, and never the
 * other way round. No header takes nothing away.
 *
 * @returns undefined when nothing may be kept
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

/** A number that is none means that the answer is stale (RFC 9111, section 4.2.1). */
function toSeconds(text: string): number {
  const [, digits] = /^"?(\d{1,10})"?$/.exec(text) ?? [];
  return digits === undefined ? 0 : Number(digits);
}

/** Callers without credentials. */
const ANONYMOUS = 'anon';

/**
 * Whom an answer is for: equal for callers who may share one. Nobody shares with somebody else but callers without
 * credentials, and nobody with himself under other rights.
 *
 * @param headerNames those that reach subgraphs, in lower case
 */
export function partitionOf(principal: Principal, headers: RequestHeaders, headerNames: readonly string[]): string {
  return withHeaders(principal.kind === 'anonymous' ? ANONYMOUS : lastingIdentityOf(principal), headers, headerNames);
}

/** Whom something is for that does not depend on who asks: equal for all who send the same headers. */
export function sharedPartitionOf(headers: RequestHeaders, headerNames: readonly string[]): string {
  return withHeaders(ANONYMOUS, headers, headerNames);
}

function withHeaders(who: string, headers: RequestHeaders, headerNames: readonly string[]): string {
  if (headerNames.length === 0) return who;
  return JSON.stringify([who, headerNames.map((name) => headers[name] ?? null)]);
}
