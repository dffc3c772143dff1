import type { CacheConfig } from '../config/sections/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SharedRedis } from '../redis/redis.ts';
import { createSharedWriteMarks } from './shared-write-marks.ts';
import { createWriteMarks, type WriteMarks } from './write-marks.ts';

export interface WriteMarksDependencies {
  /** Redis that all gateways of the graph share. @defaultValue each gateway tracks only writes that were sent through it */
  readonly redis?: SharedRedis | undefined;
  readonly clock: Clock;
}

/** Creates the write marks from the section `cache`. */
export function openWriteMarks(
  { maxWriters: maxCallers, sharedIntervalMs: intervalMs }: CacheConfig,
  { redis, clock }: WriteMarksDependencies,
): WriteMarks {
  const local = createWriteMarks({ maxCallers, clock });
  return redis === undefined ? local : createSharedWriteMarks(local, { redis, intervalMs });
}
