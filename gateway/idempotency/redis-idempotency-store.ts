import type { SharedRedis } from '../redis/shared-redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';
import type { Claim, IdempotencyLimits, IdempotencyStore, KeyState } from './idempotency-store.ts';

/** Each key is a Redis hash. A sorted set holds the keys of each owner by expiry time. All times are those of Redis. */
const BEGIN = toScript(`
local fingerprint, token, lease, ttl, most, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[6]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local leasedUntil = string.format('%.0f', now + lease)
local known = redis.call('HMGET', KEYS[1], 'fingerprint', 'leasedUntil', 'record')
if known[1] then
  if known[1] ~= fingerprint then return { 'reused' } end
  if known[3] then return { 'done', known[3] } end
  if tonumber(known[2]) > now then return { 'busy', known[2] - now } end
  redis.call('HSET', KEYS[1], 'token', token, 'leasedUntil', leasedUntil)
  return { 'abandoned' }
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[2]) >= most then
  return { 'full', redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] - now }
end
redis.call('HSET', KEYS[1], 'fingerprint', fingerprint, 'token', token, 'leasedUntil', leasedUntil)
redis.call('PEXPIRE', KEYS[1], ttl)
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ttl), member)
redis.call('PEXPIRE', KEYS[2], ttl)
return { 'new' }
`);

const COMPLETE = toScript(`
local token, record, ttl, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if redis.call('HGET', KEYS[1], 'token') ~= token then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HDEL', KEYS[1], 'token', 'leasedUntil')
redis.call('HSET', KEYS[1], 'record', record)
redis.call('PEXPIRE', KEYS[1], ttl)
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ttl), member)
redis.call('PEXPIRE', KEYS[2], ttl)
return 1
`);

const RELEASE = toScript(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[2])
return 1
`);

export interface RedisIdempotencyStoreOptions extends IdempotencyLimits {
  readonly redis: SharedRedis;
}

/** Creates a store that all gateways of a graph share. */
export function createRedisIdempotencyStore(options: RedisIdempotencyStoreOptions): IdempotencyStore {
  const { redis, leaseMs, timeToLiveMs, maxKeys } = options;
  return {
    async begin(claim) {
      const { fingerprint, token, key } = claim;
      const values = [fingerprint, token, leaseMs, timeToLiveMs, maxKeys, key];
      const response = await redis.run((commands) => runScript(commands, BEGIN, keysOf(claim), values));
      return response === undefined ? undefined : toKeyState(response.value as BeginResponse);
    },
    async complete(claim, record) {
      const values = [claim.token, record, timeToLiveMs, claim.key];
      const response = await redis.run((commands) => runScript(commands, COMPLETE, keysOf(claim), values));
      return response?.value === 1;
    },
    async release(claim) {
      const response = await redis.run((commands) => runScript(commands, RELEASE, keysOf(claim), [claim.token, claim.key]));
      return response?.value === 1;
    },
  };
}

/** Returns the Redis keys of a claim. The hash tag puts all keys of an owner into one slot of a Cluster. */
function keysOf({ owner, key }: Claim): readonly [record: string, keys: string] {
  const keys = `gatefold:idempotency:{${owner}}`;
  return [`${keys}:${key}`, keys];
}

type BeginResponse = readonly [state: 'new' | 'abandoned' | 'reused'] | readonly ['busy' | 'full', number] | readonly ['done', string];

function toKeyState([state, value]: BeginResponse): KeyState {
  if (state === 'done') return { state, record: value };
  if (state === 'busy' || state === 'full') return { state, retryAfterMs: Math.max(1, value) };
  return { state };
}
