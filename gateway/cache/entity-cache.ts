import { createHash } from 'node:crypto';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { Clock } from '../platform/clock.ts';
import type { InvalidationLog } from './invalidation-log.ts';
import { createLabelledEntries } from './labelled-entries.ts';
import { type Beginning, STORING_MS } from './response-cache.ts';
import type { FoundEntry, SharedEntries } from './shared-entries.ts';

/** One entity as a subgraph answered it, for one selection. */
export interface KeptEntity {
  /** As JSON text: who reads it gets objects of his own. */
  readonly text: string;
  readonly policy: CachePolicy;
  /** What it is invalidated by. */
  readonly labels: readonly string[];
  /** By the monotonic clock. @unit milliseconds */
  readonly madeAt: number;
  /** See `SubgraphResponse`. */
  readonly needsNoEscape: boolean;
}

/** Entities by what they were asked by, the latest ones, bounded by entries and by what they hold. Only fresh ones are found. */
export interface EntityCache {
  /**
   * Without a promise where all are in the memory of this process, or nothing is shared.
   *
   * @param group hexadecimal digits; equal for what is asked for and stored together
   * @returns in the order of the keys
   */
  find(group: string, keys: readonly string[]): readonly (KeptEntity | undefined)[] | Promise<readonly (KeptEntity | undefined)[]>;
  /** Call it before a subgraph is asked, and hand it to `store`. */
  begin(): Beginning;
  /** Keeps an entity, unless something of what it may be made of was invalidated while it was being fetched. */
  store(group: string, key: string, entity: KeptEntity, begun: Beginning): void;
  /** Lets go of all entities with one of the labels in this process. @returns how many there were */
  invalidate(labels: readonly string[]): number;
  /** Lets go of everything in this process. */
  clear(): void;
}

export interface EntityCacheOptions {
  /** @unit entries */
  readonly maxEntries: number;
  /** @unit bytes */
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** The memory twin, which never needs a promise. */
interface MemoryEntityCache extends EntityCache {
  find(group: string, keys: readonly string[]): readonly (KeptEntity | undefined)[];
}

/** Beside the text: the object, and its place in the cache. @unit bytes */
const FIXED_BYTES = 400;

export function createEntityCache({ maxEntries, maxBytes, clock }: EntityCacheOptions): MemoryEntityCache {
  const entries = createLabelledEntries<KeptEntity>({ maxEntries, maxBytes, bytesOf: ({ text }) => FIXED_BYTES + 2 * text.length });
  return {
    find(group, keys) {
      const now = clock.monotonic();
      return keys.map((key) => {
        const entity = entries.find(group + key);
        return entity !== undefined && now - entity.madeAt < entity.policy.maxAgeSeconds * 1_000 ? entity : undefined;
      });
    },
    begin: () => ({ epoch: entries.epoch, position: undefined }),
    store: (group, key, entity, { epoch }) => entries.store(group + key, entity, { epoch, labels: entity.labels }),
    invalidate: entries.invalidate,
    clear: entries.clear,
  };
}

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
