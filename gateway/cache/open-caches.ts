import type { CacheConfig } from '../config/sections/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { createEntityCache, createSharedEntityCache, type EntityCache } from './entity-cache.ts';
import { createInvalidationLog, type InvalidationLog } from './invalidation-log.ts';
import { createResponseCache, createSharedResponseCache, type ResponseCache } from './response-cache.ts';
import { createSharedEntries, type SharedEntries } from './shared-entries.ts';

/** Caches of complete responses and of single entities. */
export interface Caches extends Disposable {
  /** Response cache. Undefined if it is disabled. */
  readonly responses: ResponseCache | undefined;
  /** Entity cache. Undefined if it is disabled. */
  readonly entities: EntityCache | undefined;
  invalidate: Invalidate;
}

/** Evicts all entries with one of the labels. */
export type Invalidate = (labels: readonly string[]) => Promise<Invalidated>;

export interface Invalidated {
  /** Number of evicted responses and entities in the memory of this process. */
  readonly count: number;
  /** Whether Redis, which notifies other gateways, has received the invalidation. Otherwise it is sent as soon as Redis responds. */
  readonly isShared: boolean;
}

export interface CachesDependencies {
  /** Redis that all gateways of the graph share. @defaultValue each gateway has its own cache */
  readonly redis?: SharedRedis | undefined;
  /** Request headers that responses depend on. */
  readonly varyingHeaders: readonly string[];
  readonly clock: Clock;
}

interface Shared {
  readonly log: InvalidationLog;
  readonly entries: SharedEntries;
}

/** Creates the caches of the section `cache`. Undefined if all are disabled. */
export function openCaches(config: CacheConfig, { redis, varyingHeaders, clock }: CachesDependencies): Caches | undefined {
  if (!config.responses && !config.entities) return undefined;
  const responses = config.responses ? createResponseCache(config) : undefined;
  const entities = config.entities
    ? createEntityCache({ maxEntries: config.maxEntities, maxBytes: config.maxEntityBytes, clock })
    : undefined;
  const memories = [responses, entities].filter((memory) => memory !== undefined);
  const shared =
    redis && share(config, redis, (labels) => memories.forEach((memory) => (labels ? memory.invalidate(labels) : memory.clear())));
  const settings = JSON.stringify(varyingHeaders);
  const staleMs = config.staleWhileRevalidateSeconds * 1_000;
  return {
    responses: responses && shared ? createSharedResponseCache({ memory: responses, ...shared, staleMs, settings, clock }) : responses,
    entities: entities && shared ? createSharedEntityCache({ memory: entities, ...shared, clock }) : entities,
    async invalidate(labels) {
      const count = memories.reduce((sum, memory) => sum + memory.invalidate(labels), 0);
      return { count, isShared: shared === undefined || (await shared.log.invalidate(labels)) };
    },
    [Symbol.dispose]: () => shared?.log[Symbol.dispose](),
  };
}

function share(config: CacheConfig, redis: SharedRedis, onInvalidated: (labels: readonly string[] | undefined) => void): Shared {
  const {
    maxSharedEntries: maxEntries,
    maxSharedBytes: maxBytes,
    maxSharedEntryBytes: maxEntryBytes,
    sharedIntervalMs: intervalMs,
  } = config;
  return {
    log: createInvalidationLog({ redis, intervalMs, onInvalidated }),
    entries: createSharedEntries({ redis, maxEntries, maxBytes, maxEntryBytes }),
  };
}
