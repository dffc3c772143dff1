import type { CacheConfig } from '../config/sections/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { createSharedRecentWrites } from './shared-recent-writes.ts';
import { createRecentWrites, type RecentWrites } from './recent-writes.ts';

export interface RecentWritesDependencies {
  /** Redis that all gateways of the graph share. @defaultValue each gateway tracks only writes that were sent through it */
  readonly redis?: SharedRedis | undefined;
  readonly clock: Clock;
}

/** Creates the write marks from the section `cache`. */
export function openRecentWrites(
  { maxWriters: maxCallers, sharedIntervalMs: intervalMs }: CacheConfig,
  { redis, clock }: RecentWritesDependencies,
): RecentWrites {
  const local = createRecentWrites({ maxCallers, clock });
  return redis === undefined ? local : createSharedRecentWrites(local, { redis, intervalMs });
}
