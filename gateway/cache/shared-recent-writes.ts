import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';
import type { RecentWrites } from './recent-writes.ts';

export interface SharedRecentWritesOptions {
  readonly redis: SharedRedis;
  /**
   * Interval at which writes through other gateways are read. A caller may receive older data at this gateway for this time.
   *
   * @unit milliseconds
   */
  readonly intervalMs: number;
}

/** Key of the recorded writes by their number, and key of the last number. Both are in one slot of a Cluster. */
const KEYS = ['{gatefold:writes}', '{gatefold:writes}:count'] as const;

/** Maximum number of marks in Redis. The oldest marks are evicted first. @unit marks */
const MAX_RECENT_WRITES = 10_000;
/** Time after the last write after which all marks are deleted. Gateways have read them long before. @unit milliseconds */
const RETENTION_MS = 600_000;

const WRITE = toScript(`
local number = redis.call('INCR', KEYS[2])
redis.call('ZADD', KEYS[1], number, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${MAX_RECENT_WRITES + 1})
redis.call('PEXPIRE', KEYS[1], ${RETENTION_MS})
return number
`);
/** Reads marks since a number. A last number below the known one means that Redis was emptied or replaced. */
const READ = toScript(`
local last, since = tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[1])
if last < since then since = 0 end
return { last, redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. since, '+inf') }
`);

/** Creates write marks that are shared with the other gateways of the same Redis. */
export function createSharedRecentWrites(local: RecentWrites, { redis, intervalMs }: SharedRecentWritesOptions): RecentWrites {
  const gateway = randomUUID();
  let since = 0;

  async function read(): Promise<void> {
    const response = await redis.run((commands) => runScript(commands, READ, KEYS, [since]));
    if (response === undefined) return;
    const [last, marks] = response.value as readonly [number, readonly string[]];
    since = last;
    for (const text of marks) {
      const [from, caller, labels] = JSON.parse(text) as readonly [string, string, readonly string[]];
      if (from !== gateway) local.note(caller, labels);
    }
  }

  const timer = setInterval(() => void read(), intervalMs).unref();
  void read();

  return {
    get isEmpty() {
      return local.isEmpty;
    },
    note(caller, labels) {
      local.note(caller, labels);
      void redis.run((commands) => runScript(commands, WRITE, KEYS, [JSON.stringify([gateway, caller, [...labels].sort()])]));
    },
    of: local.of,
    ofAll: local.ofAll,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
