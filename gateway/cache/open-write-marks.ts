import type { CacheConfig } from '../config/sections/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SharedRedis } from '../redis/redis.ts';
import { createSharedWriteMarks } from './shared-write-marks.ts';
import { createWriteMarks, type WriteMarks } from './write-marks.ts';

export interface WriteMarksDependencies {
  /** Shared by the gateways of one graph. @defaultValue each gateway remembers what was written through it */
  readonly redis?: SharedRedis | undefined;
  readonly clock: Clock;
}

/** Opens what remembers the writes of callers. */
export function openWriteMarks(
  { maxWriters: maxCallers, sharedIntervalMs: intervalMs }: CacheConfig,
  { redis, clock }: WriteMarksDependencies,
): WriteMarks {
  const local = createWriteMarks({ maxCallers, clock });
  return redis === undefined ? local : createSharedWriteMarks(local, { redis, intervalMs });
}
