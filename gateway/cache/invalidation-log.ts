import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';

/** Position in an invalidation log at which an entry was created. Later invalidations may affect the entry. */
export interface LogPosition {
  /** Id of the log. If a log is lost, a new log with another id is started. */
  readonly log: string;
  /** Number of invalidations in the log. */
  readonly epoch: number;
}

/** Recent invalidations by all gateways that share a Redis, as far as this gateway has read them. */
export interface InvalidationLog extends Disposable {
  /** Position up to which this gateway has read the log. Undefined until the log was read. */
  readonly position: LogPosition | undefined;
  /** Reads new invalidations. @returns whether Redis responded, so that the state includes all invalidations before the call */
  read(): Promise<boolean>;
  /** Whether one of the labels was invalidated after the position, or this is unknown. */
  isInvalidated(labels: readonly string[], since: LogPosition): boolean;
  /** Writes an invalidation. If Redis is unavailable, it is written as soon as Redis responds again. @returns whether it was written */
  invalidate(labels: readonly string[]): Promise<boolean>;
}

export interface InvalidationLogOptions {
  readonly redis: SharedRedis;
  /** Polling interval. Entries that another gateway has invalidated may remain in memory for this time. @unit milliseconds */
  readonly intervalMs: number;
  /**
   * Called with the labels that were invalidated by any gateway. Undefined if they are unknown, so that any label may have been
   * invalidated.
   */
  readonly onInvalidated: (labels: readonly string[] | undefined) => void;
}

/**
 * Keys of the log's state (id and number of invalidations), and of the labels with the number of their last invalidation. Both are in one
 * slot of a Cluster.
 */
const KEYS = ['{gatefold:invalidations}', '{gatefold:invalidations}:labels'] as const;

/** Maximum number of labels in the log. Entries from before the last invalidation of an evicted label count as invalidated. */
const MAX_LABELS = 10_000;

/**
 * Common beginning of all scripts. If entries of the log were lost, because Redis was emptied or restored to an earlier state, a new log
 * with another id is started. Everything that was created before counts as invalidated then.
 */
const HEAD = `
local known, since = ARGV[1], tonumber(ARGV[2])
local log = redis.call('HGET', KEYS[1], 'log')
local epoch = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if not log or tonumber(last[2] or '0') ~= epoch or (log == known and epoch < since) then
  redis.call('DEL', KEYS[1], KEYS[2])
  log, epoch = ARGV[3], 0
  redis.call('HSET', KEYS[1], 'log', log, 'epoch', 0, 'floor', 0)
end
if log ~= known then since = 0 end
`;
const APPEND = `
epoch = epoch + 1
for index = 4, #ARGV do redis.call('ZADD', KEYS[2], epoch, ARGV[index]) end
redis.call('HSET', KEYS[1], 'epoch', epoch)
local excess = redis.call('ZCARD', KEYS[2]) - ${MAX_LABELS}
if excess > 0 then
  local forgotten = redis.call('ZRANGE', KEYS[2], excess - 1, excess - 1, 'WITHSCORES')
  redis.call('HSET', KEYS[1], 'floor', forgotten[2])
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, excess - 1)
end
`;
const TAIL = `
local changed = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. since, '+inf', 'WITHSCORES')
return { log, epoch, tonumber(redis.call('HGET', KEYS[1], 'floor') or '0'), changed }
`;
const READ = toScript(HEAD + TAIL);
/** Starts a new log, so that everything that was created before counts as invalidated. */
const BEGIN = toScript(`redis.call('DEL', KEYS[1], KEYS[2])${HEAD}${TAIL}`);
const WRITE = toScript(HEAD + APPEND + TAIL);

/** Log id, epoch, floor, and each changed label with its epoch. */
type LogState = readonly [log: string, epoch: number, floor: number, changed: readonly string[]];

/** Creates the log of a Redis, and polls it until it is disposed. */
export function createInvalidationLog({ redis, intervalMs, onInvalidated }: InvalidationLogOptions): InvalidationLog {
  let position: LogPosition | undefined;
  /** Entries from before this number may have been invalidated by an evicted label. */
  let floor = 0;
  /** Number of the last invalidation of each label. */
  let epochs = new Map<string, number>();

  /** Labels that have not been written to Redis yet. */
  const untold = new Set<string>();
  /** Whether more labels than `MAX_LABELS` have not been written, so that everything must be invalidated. */
  let isAllUntold = false;

  /** Applies a response. Responses may arrive out of order. */
  function take([log, epoch, newFloor, changed]: LogState): void {
    const isOther = position?.log !== log;
    if (position !== undefined && !isOther && epoch <= position.epoch) return;
    const wasKnown = position !== undefined;
    if (isOther || epochs.size > 2 * MAX_LABELS) {
      floor = isOther ? 0 : (position?.epoch ?? 0);
      epochs = new Map();
    }
    const labels: string[] = [];
    for (let index = 0; index < changed.length; index += 2) {
      const label = changed[index] ?? '';
      labels.push(label);
      epochs.set(label, Number(changed[index + 1]));
    }
    floor = Math.max(floor, newFloor);
    position = { log, epoch };
    if (isOther && wasKnown) onInvalidated(undefined);
    else if (labels.length > 0) onInvalidated(labels);
  }

  async function runCommand(script: typeof READ, labels: readonly string[]): Promise<boolean> {
    const { log = '', epoch = 0 } = position ?? {};
    const response = await redis.run((commands) => runScript(commands, script, KEYS, [log, epoch, randomUUID(), ...labels]));
    if (response !== undefined) take(response.value as LogState);
    return response !== undefined;
  }

  /** Writes pending invalidations, and reads new ones. */
  async function exchange(): Promise<boolean> {
    if (isAllUntold) {
      isAllUntold = false; // Reset before the request, because further labels may exceed the limit again while Redis is queried.
      const isBegun = await runCommand(BEGIN, []);
      if (!isBegun) isAllUntold = true;
      return isBegun;
    }
    if (untold.size === 0) return runCommand(READ, []);
    const labels = [...untold];
    const isReported = await runCommand(WRITE, labels);
    if (isReported) for (const label of labels) untold.delete(label);
    return isReported;
  }

  const timer = setInterval(() => void exchange(), intervalMs).unref();
  void exchange();

  return {
    get position() {
      return position;
    },
    read: exchange,
    isInvalidated(labels, { log, epoch }) {
      if (log !== position?.log || epoch < floor) return true;
      return labels.some((label) => (epochs.get(label) ?? 0) > epoch);
    },
    invalidate(labels) {
      for (const label of labels) untold.add(label);
      if (untold.size > MAX_LABELS) {
        isAllUntold = true;
        untold.clear();
      }
      return exchange();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
