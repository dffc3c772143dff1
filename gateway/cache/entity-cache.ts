import { createHash } from 'node:crypto';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { Clock } from '../platform/clock.ts';
import type { InvalidationLog } from './invalidation-log.ts';
import { createLabeledEntries } from './labeled-entries.ts';
import { type Beginning, STORING_MS } from './response-cache.ts';
import type { FoundEntry, SharedEntries } from './shared-entries.ts';

/** Entity as a subgraph returned it, for one selection. */
export interface CachedEntity {
  /** Entity as JSON text, so that each reader gets separate objects. */
  readonly text: string;
  readonly policy: CachePolicy;
  /** Labels by which the entity is invalidated. */
  readonly labels: readonly string[];
  /** Time at which the fetch began, by the monotonic clock. @unit milliseconds */
  readonly madeAt: number;
  /** Same property as in `SubgraphResponse`. */
  readonly needsNoEscape: boolean;
}

/** Cache of recent entities by the request that fetched them, with limits on entries and memory. It returns only fresh entities. */
export interface EntityCache {
  /**
   * Finds entities. Returns no promise if all are in the memory of this process, or there is no shared cache.
   *
   * @param group hexadecimal digits; equal for entities that are requested and stored together
   * @returns entities in the order of the keys
   */
  find(group: string, keys: readonly string[]): readonly (CachedEntity | undefined)[] | Promise<readonly (CachedEntity | undefined)[]>;
  /** Returns the current state of invalidations. Call it before a request to a subgraph, and pass the result to `store`. */
  begin(): Beginning;
  /** Stores an entity, unless data that it may contain was invalidated while it was being fetched. */
  store(group: string, key: string, entity: CachedEntity, begun: Beginning): void;
  /** Evicts all entities with one of the labels from this process. @returns number of evicted entities */
  invalidate(labels: readonly string[]): number;
  /** Evicts all entities from this process. */
  clear(): void;
}

export interface EntityCacheOptions {
  /** Maximum number of entities. @unit entries */
  readonly maxEntries: number;
  /** Maximum memory. @unit bytes */
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** Entity cache in the memory of this process, which never returns a promise. */
interface MemoryEntityCache extends EntityCache {
  find(group: string, keys: readonly string[]): readonly (CachedEntity | undefined)[];
}

/** Size of the object and the cache slot in addition to the text. @unit bytes */
const FIXED_BYTES = 400;

export function createEntityCache({ maxEntries, maxBytes, clock }: EntityCacheOptions): MemoryEntityCache {
  const entries = createLabeledEntries<CachedEntity>({ maxEntries, maxBytes, bytesOf: ({ text }) => FIXED_BYTES + 2 * text.length });
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

export interface SharedEntityCacheDependencies {
  /** Cache of the entities that this process has fetched or found. */
  readonly memory: MemoryEntityCache;
  readonly entries: SharedEntries;
  readonly log: InvalidationLog;
  readonly clock: Clock;
}

/**
 * Creates the Redis cache that gateways of a graph share, with the in-memory cache in front of it. All entities of a group are found in one
 * round trip.
 */
export function createSharedEntityCache({ memory, entries, log, clock }: SharedEntityCacheDependencies): EntityCache {
  const storageKeyOf = (group: string, key: string): string => createHash('sha256').update(`${group}\n${key}`).digest('hex');

  async function lookUp(group: string, keys: readonly string[]): Promise<readonly (CachedEntity | undefined)[]> {
    const storageKeys = keys.map((key) => storageKeyOf(group, key));
    const [isKnown, found] = await Promise.all([log.read(), entries.find(group, storageKeys)]);
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
      entries.store(group, storageKeyOf(group, key), entry, clock.monotonic() - madeAt);
    },
  };
}

function toEntity({ text, policy, labels, ageMs }: FoundEntry, now: number): CachedEntity {
  return { text, policy, labels, madeAt: now - ageMs - STORING_MS, needsNoEscape: false };
}
