import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '../redis/redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';
import type { WriteMarks } from './write-marks.ts';

export interface SharedWriteMarksOptions {
  readonly redis: SharedRedis;
  /** How often the writes at other gateways are read: so long a caller may be given older data there. @unit milliseconds */
  readonly intervalMs: number;
}

/** One slot of a Cluster: the marks by the number of their write, and the last number. */
const KEYS = ['{gatefold:writes}', '{gatefold:writes}:count'] as const;

/** Marks in Redis; the oldest give way. @unit marks */
const MAX_MARKS = 10_000;
/** Without a write for so long, nothing is kept. Gateways have read it long before. @unit milliseconds */
const KEPT_MS = 600_000;

const WRITE = toScript(`
local number = redis.call('INCR', KEYS[2])
redis.call('ZADD', KEYS[1], number, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${MAX_MARKS + 1})
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
return number
`);
/** A count that is lower than the known one is that of another Redis, or of an emptied one. */
const READ = toScript(`
local last, since = tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[1])
if last < since then since = 0 end
return { last, redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. since, '+inf') }
`);

/** Tells the writes of callers to the other gateways that share a Redis. */
export function createSharedWriteMarks(local: WriteMarks, { redis, intervalMs }: SharedWriteMarksOptions): WriteMarks {
  const gateway = randomUUID();
  let since = 0;

  async function read(): Promise<void> {
    const answer = await redis.ask((commands) => runScript(commands, READ, KEYS, [since]));
    if (answer === undefined) return;
    const [last, marks] = answer.value as readonly [number, readonly string[]];
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
      void redis.ask((commands) => runScript(commands, WRITE, KEYS, [JSON.stringify([gateway, caller, [...labels].sort()])]));
    },
    of: local.of,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
