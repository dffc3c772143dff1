import type { CachePolicy } from '../platform/cache-policy.ts';
import type { Clock } from '../platform/clock.ts';
import { createLabelledEntries } from './labelled-entries.ts';
import type { Beginning } from './response-cache.ts';

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
export interface MemoryEntityCache extends EntityCache {
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
