import type { ObjectResult } from '../../gateway/index.ts';

/**
 * Who may keep an answer to GET, and for how long (RFC 9111, section 5.2.2). Where no policy says it, whoever asked may keep it
 * and checks it each time: who asks decides what is shown.
 *
 * @param vary headers by which every answer differs
 */
export function toFreshness({ cachePolicy, varyingHeaders = [] }: ObjectResult['facts'], vary: string): Record<string, string> {
  if (cachePolicy === undefined) return { 'cache-control': 'private, no-cache' };
  const { scope, maxAgeSeconds } = cachePolicy;
  return {
    'cache-control': `${scope === 'PUBLIC' ? 'public' : 'private'}, max-age=${maxAgeSeconds}`,
    vary: [vary, ...varyingHeaders].join(', '),
  };
}
