import type { ObjectResult } from '../../gateway/index.ts';

/**
 * Who may keep an answer to GET, and for how long (RFC 9111, section 5.2.2). Where no policy says it, whoever asked may keep it
 * and checks it each time: who asks decides what is shown.
 */
export function toFreshness({ cachePolicy }: ObjectResult['facts']): string {
  if (cachePolicy === undefined) return 'private, no-cache';
  const { scope, maxAgeSeconds } = cachePolicy;
  return `${scope === 'PUBLIC' ? 'public' : 'private'}, max-age=${maxAgeSeconds}`;
}
