import type { SharedRedis } from '../redis/shared-redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';
import { type Buckets, type MemoryBuckets, takeLocally, THOUSANDTHS, toWithdrawal } from './buckets.ts';

/** Refills a bucket, takes points and sets its expiry in one atomic step, by the clock of Redis. A full bucket is not stored. */
const TAKE = toScript(`
local capacity, refill, points = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'missing', 'at')
local missing = 0
if bucket[1] then
  missing = math.max(0, bucket[1] - math.max(0, now - bucket[2]) * refill)
end
local after = math.max(0, missing + points)
if points > 0 and after > capacity then
  return { 0, missing }
end
if after == 0 then
  redis.call('DEL', KEYS[1])
else
  redis.call('HSET', KEYS[1], 'missing', string.format('%.0f', after), 'at', string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil(after / refill)))
end
return { 1, after }
`);

export interface RedisBucketsOptions {
  readonly redis: SharedRedis;
  /** Buckets that are used while Redis is unavailable. */
  readonly local: MemoryBuckets;
  /** Number of gateways that share the Redis. While Redis is unavailable, each gateway uses its share of every bucket. */
  readonly instances: number;
}

/** Creates buckets that all gateways of a graph share. */
export function createRedisBuckets({ redis, local, instances }: RedisBucketsOptions): Buckets {
  return {
    async take(key, rate, points) {
      // The braces are a hash tag: Redis Cluster selects the slot by the key of the bucket alone.
      const keys = [`gatefold:budget:{${key}}`];
      const values = [rate.capacity * THOUSANDTHS, rate.refillPerSecond, points * THOUSANDTHS];
      const response = await redis.run((commands) => runScript(commands, TAKE, keys, values));
      if (response === undefined) return takeLocally(local, { key, rate, points, instances });
      const [granted, missing] = response.value as readonly [number, number];
      return toWithdrawal(rate, points, granted === 1, missing);
    },
  };
}
