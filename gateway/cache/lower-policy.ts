import type { CachePolicy } from '../platform/cache-policy.ts';

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
