import type { CacheConfig } from '../config/sections/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { PrimaryState } from '../platform/primary-state.ts';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { createSharedRecentWrites } from './shared-recent-writes.ts';
import { createRecentWrites, type RecentWrites } from './recent-writes.ts';
import { createWorkerRecentWrites } from './worker-recent-writes.ts';

export interface RecentWritesDependencies {
  /** Redis that all gateways of the graph share. @defaultValue each gateway tracks only writes that were sent through it */
  readonly redis?: SharedRedis | undefined;
  /** State that the workers of this machine share. @defaultValue this process is not a worker */
  readonly primary?: PrimaryState | undefined;
  readonly clock: Clock;
}

/** Creates the write marks from the section `cache`. */
export function openRecentWrites(
  { maxWriters: maxCallers, sharedIntervalMs: intervalMs }: CacheConfig,
  { redis, primary, clock }: RecentWritesDependencies,
): RecentWrites {
  const local = createRecentWrites({ maxCallers, clock });
  if (redis !== undefined) return createSharedRecentWrites(local, { redis, intervalMs });
  return primary === undefined ? local : createWorkerRecentWrites(local, primary);
}
