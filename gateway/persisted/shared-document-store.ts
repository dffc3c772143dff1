import type { SharedRedis } from '../redis/shared-redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';
import type { DocumentStore } from './document-store.ts';
import { sha256Of } from './document-reference.ts';

export interface SharedDocumentStoreDependencies {
  /** Store with the texts that this process has read or written. */
  readonly memory: DocumentStore;
  readonly redis: SharedRedis;
  /** Maximum number of documents in Redis. The oldest documents are evicted first. @unit documents */
  readonly maxEntries: number;
  /** How long a document is stored after it was set. @unit milliseconds */
  readonly timeToLiveMs: number;
}

/** Key of the sorted set of all texts by time, and prefix of their keys. The hash tag puts all of them into one slot of a Cluster. */
const KEY = '{gatefold:documents}';

const SET = toScript(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[1], now, KEYS[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2] * 1000)
local excess = redis.call('ZCARD', KEYS[1]) - ARGV[3]
if excess > 0 then
  for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, excess - 1)) do redis.call('DEL', key) end
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, excess - 1)
end`);

/**
 * Creates a store in memory and in the Redis that all gateways of a graph share. Other processes can write to Redis, so each text that is
 * read is verified.
 */
export function createSharedDocumentStore(dependencies: SharedDocumentStoreDependencies): DocumentStore {
  const { memory, redis, maxEntries, timeToLiveMs } = dependencies;

  async function read(sha256: string): Promise<string | undefined> {
    const key = keyOf(sha256);
    const response = await redis.run((commands) => commands.get(key));
    const text = response?.value ?? undefined;
    if (text === undefined) return undefined;
    if (sha256Of(text) !== sha256) {
      await redis.run((commands) => commands.del(key));
      return undefined;
    }
    memory.set(sha256, text);
    return text;
  }

  return {
    get: (sha256) => memory.get(sha256) ?? read(sha256),
    has: (sha256) => memory.has(sha256),
    set(sha256, text) {
      memory.set(sha256, text);
      void redis.run((commands) => runScript(commands, SET, [KEY, keyOf(sha256)], [text, timeToLiveMs, maxEntries]));
    },
  };
}

function keyOf(sha256: string): string {
  return `${KEY}:${sha256}`;
}
