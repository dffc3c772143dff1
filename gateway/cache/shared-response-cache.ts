import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { createCachedAnswer } from './cached-answer.ts';
import type { InvalidationLog } from './invalidation-log.ts';
import type { ResponseCache } from './response-cache.ts';
import type { SharedEntries } from './shared-entries.ts';

export interface SharedResponseCacheParts {
  /** What this process has made, or found. */
  readonly memory: ResponseCache;
  readonly entries: SharedEntries;
  readonly log: InvalidationLog;
  /** How much longer than fresh an answer is of use. @unit milliseconds */
  readonly staleMs: number;
  /** By what else answers differ than their keys say: equal for gateways that may share them. */
  readonly settings: string;
  readonly clock: Clock;
}

/**
 * Redis counts the age of an entry from when it was stored, which is later than when it was made. An entry must never look younger than it is.
 *
 * @unit milliseconds
 */
export const STORING_MS = 100;

/** The Redis twin: memory in front of what all gateways of a graph keep together. A hit in memory asks nobody. */
export function createSharedResponseCache({ memory, entries, log, staleMs, settings, clock }: SharedResponseCacheParts): ResponseCache {
  /** Keys are long, and name callers. */
  const placeOf = (key: string): string => createHash('sha256').update(`${settings}\n${key}`).digest('hex');

  return {
    find: memory.find,
    async lookUp(key, partition) {
      const place = placeOf(key);
      // Both are sent at once. What was invalidated before this call is known after it.
      const [isKnown, [found]] = await Promise.all([log.read(), entries.find(place, [place])]);
      if (!isKnown || found === undefined || log.isInvalidated(found.labels, found.made)) return undefined;
      const madeAt = clock.monotonic() - found.ageMs - STORING_MS;
      const answer = createCachedAnswer({ body: found.text, policy: found.policy, labels: found.labels, madeAt, partition });
      memory.store(key, answer, { begun: memory.begin(), labels: found.labels });
      return answer;
    },
    begin: () => ({ ...memory.begin(), position: log.position }),
    store(key, answer, made) {
      memory.store(key, answer, made);
      const { position } = made.begun;
      if (position === undefined) return;
      const { body: text, policy, madeAt } = answer;
      const place = placeOf(key);
      const lifetimeMs = policy.maxAgeSeconds * 1_000 + staleMs;
      entries.store(place, place, { text, policy, labels: made.labels, made: position, lifetimeMs }, clock.monotonic() - madeAt);
    },
    invalidate: memory.invalidate,
    clear: memory.clear,
  };
}
