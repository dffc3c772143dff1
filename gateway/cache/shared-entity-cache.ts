import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { EntityCache, KeptEntity, MemoryEntityCache } from './entity-cache.ts';
import type { InvalidationLog } from './invalidation-log.ts';
import { STORING_MS } from './shared-response-cache.ts';
import type { FoundEntry, SharedEntries } from './shared-entries.ts';

export interface SharedEntityCacheParts {
  /** What this process has fetched, or found. */
  readonly memory: MemoryEntityCache;
  readonly entries: SharedEntries;
  readonly log: InvalidationLog;
  readonly clock: Clock;
}

/** The Redis twin: memory in front of what all gateways of a graph keep together. One round trip finds all of a group. */
export function createSharedEntityCache({ memory, entries, log, clock }: SharedEntityCacheParts): EntityCache {
  const placeOf = (group: string, key: string): string => createHash('sha256').update(`${group}\n${key}`).digest('hex');

  async function lookUp(group: string, keys: readonly string[]): Promise<readonly (KeptEntity | undefined)[]> {
    const places = keys.map((key) => placeOf(group, key));
    const [isKnown, found] = await Promise.all([log.read(), entries.find(group, places)]);
    const begun = memory.begin();
    return found.map((entry, index) => {
      if (!isKnown || entry === undefined || log.isInvalidated(entry.labels, entry.made)) return undefined;
      const entity = toEntity(entry, clock.monotonic());
      memory.store(group, keys[index] ?? '', entity, begun);
      return entity;
    });
  }

  return {
    ...memory,
    find(group, keys) {
      const here = memory.find(group, keys);
      const missing = keys.filter((_key, index) => here[index] === undefined);
      if (missing.length === 0) return here;
      return lookUp(group, missing).then((found) => {
        const others = found.values();
        return here.map((entity) => entity ?? others.next().value);
      });
    },
    begin: () => ({ ...memory.begin(), position: log.position }),
    store(group, key, entity, begun) {
      memory.store(group, key, entity, begun);
      const { text, policy, labels, madeAt } = entity;
      if (begun.position === undefined) return;
      const entry = { text, policy, labels, made: begun.position, lifetimeMs: policy.maxAgeSeconds * 1_000 };
      entries.store(group, placeOf(group, key), entry, clock.monotonic() - madeAt);
    },
  };
}

function toEntity({ text, policy, labels, ageMs }: FoundEntry, now: number): KeptEntity {
  return { text, policy, labels, madeAt: now - ageMs - STORING_MS, needsNoEscape: false };
}
