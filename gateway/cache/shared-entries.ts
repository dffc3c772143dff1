import type { SharedRedis } from '../redis/shared-redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';
import { readEntry, type SharedEntry, writeEntry } from './entry-format.ts';

/** Entry with its age. */
export interface FoundEntry extends SharedEntry {
  /** Time since the entry was created. @unit milliseconds */
  readonly ageMs: number;
}

/** Cache entries that gateways of one graph share. It never throws, and may have evicted any entry. */
export interface SharedEntries {
  /**
   * Finds entries in one round trip. Every entry is verified, and entries that other software has written are ignored.
   *
   * @param shard shard in which the entries were stored
   * @returns entries in the order of the keys
   */
  find(shard: string, keys: readonly string[]): Promise<readonly (FoundEntry | undefined)[]>;
  /** Stores an entry. @param ageMs time since the entry was created. @unit milliseconds */
  store(shard: string, key: string, entry: SharedEntry, ageMs: number): void;
}

export interface SharedEntriesOptions {
  readonly redis: SharedRedis;
  /** Maximum number of entries in all shards. Entries that expire first are evicted first. @unit entries */
  readonly maxEntries: number;
  /** Maximum size of all shards. @unit bytes */
  readonly maxBytes: number;
  /** Maximum size of an entry. Larger entries are not stored. @unit bytes */
  readonly maxEntryBytes: number;
}

/** Number of shards. A shard is one slot of a Cluster and has separate limits. 16 shards are distributed well over several nodes. */
const SHARDS = 16;

/** Finds entries by key. Keys with another Redis type are ignored. */
const FIND = toScript(`
local found = {}
for index, key in ipairs(KEYS) do
  local text = redis.pcall('GET', key)
  found[2 * index - 1] = type(text) == 'string' and text or ''
  found[2 * index] = redis.call('PTTL', key)
end
return found
`);

/**
 * Stores an entry and evicts others. The index contains the expiry time of each entry, by the clock of Redis. The sizes contain the total
 * under a name that no key has.
 */
const STORE = toScript(`
local index, sizes, key = KEYS[1], KEYS[2], KEYS[3]
local maxEntries, maxBytes = tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function drop(one)
  redis.call('DEL', one)
  redis.call('ZREM', index, one)
  local bytes = redis.call('HGET', sizes, one)
  if bytes then
    redis.call('HDEL', sizes, one)
    redis.call('HINCRBY', sizes, 'total', -bytes)
  end
end
for _, one in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', string.format('%.0f', now), 'LIMIT', 0, 100)) do drop(one) end
drop(key)
redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', index, string.format('%.0f', now + ARGV[2]), key)
redis.call('HSET', sizes, key, ARGV[3])
redis.call('HINCRBY', sizes, 'total', ARGV[3])
while redis.call('ZCARD', index) > maxEntries or tonumber(redis.call('HGET', sizes, 'total')) > maxBytes do
  local first = redis.call('ZRANGE', index, 0, 0)[1]
  if not first then break end
  drop(first)
end
local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
if last then
  local rest = string.format('%.0f', math.max(1, last - now))
  redis.call('PEXPIRE', index, rest)
  redis.call('PEXPIRE', sizes, rest)
else
  redis.call('DEL', index, sizes)
end
`);

export function createSharedEntries({ redis, maxEntries, maxBytes, maxEntryBytes }: SharedEntriesOptions): SharedEntries {
  const bounds = [Math.ceil(maxEntries / SHARDS), Math.ceil(maxBytes / SHARDS)] as const;

  return {
    async find(shard, keys) {
      const storageKeys = keys.map((key) => storageKeyOf(shard, key));
      const response = await redis.run((commands) => runScript(commands, FIND, storageKeys, []));
      if (response === undefined) return keys.map(() => undefined);
      const found = response.value as readonly (string | number)[];
      return keys.map((key, index) => toFound(key, found[2 * index] as string, found[2 * index + 1] as number));
    },
    store(shard, key, entry, ageMs) {
      const restMs = Math.floor(entry.lifetimeMs - ageMs);
      const written = writeEntry(key, entry);
      const bytes = Buffer.byteLength(written);
      if (restMs <= 0 || bytes > maxEntryBytes) return;
      const index = indexOf(shard);
      const keys = [index, `${index}:sizes`, storageKeyOf(shard, key)];
      void redis.run((commands) => runScript(commands, STORE, keys, [written, restMs, bytes, ...bounds]));
    },
  };
}

function toFound(key: string, written: string, restMs: number): FoundEntry | undefined {
  const entry = restMs > 0 ? readEntry(key, written) : undefined;
  return entry && { ...entry, ageMs: Math.max(0, entry.lifetimeMs - restMs) };
}

/**
 * Returns the key of a shard's index.
 *
 * @param shard hexadecimal digits; the first two select the shard, because hashes are evenly distributed
 */
function indexOf(shard: string): string {
  return `{gatefold:kept:${(Number.parseInt(shard.slice(0, 2), 16) % SHARDS).toString(16)}}`;
}

function storageKeyOf(shard: string, key: string): string {
  return `${indexOf(shard)}:${key}`;
}
