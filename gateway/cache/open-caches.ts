import type { CacheConfig } from '../config/sections/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SharedRedis } from '../redis/redis.ts';
import { createEntityCache, createSharedEntityCache, type EntityCache } from './entity-cache.ts';
import { createInvalidationLog, type InvalidationLog } from './invalidation-log.ts';
import { createResponseCache, createSharedResponseCache, type ResponseCache } from './response-cache.ts';
import { createSharedEntries, type SharedEntries } from './shared-entries.ts';

/** What is kept of answers, whole and in parts. */
export interface Caches extends Disposable {
  /** Undefined where answers are not kept. */
  readonly responses: ResponseCache | undefined;
  /** Undefined where entities are not kept. */
  readonly entities: EntityCache | undefined;
  invalidate: Invalidate;
}

/** Lets go of all with one of the labels. */
export type Invalidate = (labels: readonly string[]) => Promise<Invalidated>;

export interface Invalidated {
  /** Answers and entities in the memory of this process. */
  readonly count: number;
  /** False when Redis, by which other gateways hear of it, does not answer: it is told as soon as it does. */
  readonly isShared: boolean;
}

export interface CachesDependencies {
  /** What gateways of one graph share. @defaultValue each has its own */
  readonly redis?: SharedRedis | undefined;
  /** Headers of clients by which answers differ. */
  readonly varyingHeaders: readonly string[];
  readonly clock: Clock;
}

interface Shared {
  readonly log: InvalidationLog;
  readonly entries: SharedEntries;
}

/** Opens what the section `cache` asks for. Undefined where it asks for nothing. */
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
