import { randomUUID } from 'node:crypto';
import type { SharedRedis } from '../redis/redis.ts';
import { runScript, toScript } from '../redis/redis-script.ts';

/** Where in a log something was made: every invalidation after it may concern it. */
export interface LogPosition {
  /** Which log: one that was lost is followed by another. */
  readonly log: string;
  /** How many invalidations it had. */
  readonly epoch: number;
}

/** What was invalidated lately by any of the gateways that share a Redis, as far as this one knows. */
export interface InvalidationLog extends Disposable {
  /** How far this gateway has read. Undefined while it could not read yet. */
  readonly position: LogPosition | undefined;
  /** Reads what is new. @returns whether Redis answered: what is known now was true after the call */
  read(): Promise<boolean>;
  /** Whether one of the labels was invalidated after the position, or nobody can tell. */
  isInvalidated(labels: readonly string[], since: LogPosition): boolean;
  /** Writes down an invalidation; one that Redis does not take is written as soon as it answers. @returns whether Redis has it */
  invalidate(labels: readonly string[]): Promise<boolean>;
}

export interface InvalidationLogOptions {
  readonly redis: SharedRedis;
  /** How often it is read without a reason: so long what another gateway has invalidated may stay in memory here. @unit milliseconds */
  readonly intervalMs: number;
  /** Hears which labels were invalidated, here or elsewhere; undefined when that is not known, and anything may have been. */
  readonly onInvalidated: (labels: readonly string[] | undefined) => void;
}

/** What a log is called and how many invalidations it had; and each label with the number of its last one. One slot of a Cluster. */
const KEYS = ['{gatefold:invalidations}', '{gatefold:invalidations}:labels'] as const;

/** Labels that are remembered. What was made before the last one that is not is taken as invalidated. */
const MAX_LABELS = 10_000;

/**
 * A log of which something was lost (Redis was emptied, or is as it was some time ago) is begun anew under another name: then
 * everything that was made before counts as invalidated.
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
/** Begins a new log, so that everything that was made before counts as invalidated. */
const BEGIN = toScript(`redis.call('DEL', KEYS[1], KEYS[2])${HEAD}${TAIL}`);
const WRITE = toScript(HEAD + APPEND + TAIL);

/** Log, epoch, floor, and each changed label with its epoch. */
type LogState = readonly [log: string, epoch: number, floor: number, changed: readonly string[]];

/** Reads the log of the Redis, again and again until it is disposed. */
export function createInvalidationLog({ redis, intervalMs, onInvalidated }: InvalidationLogOptions): InvalidationLog {
  let position: LogPosition | undefined;
  /** What was made before it may have been invalidated by a label that nobody remembers. */
  let floor = 0;
  /** Each label with the number of its last invalidation. */
  let epochs = new Map<string, number>();

  /** What Redis was not told yet. */
  const untold = new Set<string>();
  /** Redis was not told of more labels than are remembered: then all is to be invalidated. */
  let isAllUntold = false;

  /** Answers may come in another order than they were asked for. */
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

  async function ask(script: typeof READ, labels: readonly string[]): Promise<boolean> {
    const { log = '', epoch = 0 } = position ?? {};
    const answer = await redis.ask((commands) => runScript(commands, script, KEYS, [log, epoch, randomUUID(), ...labels]));
    if (answer !== undefined) take(answer.value as LogState);
    return answer !== undefined;
  }

  /** Reads what is new, after what is to be told was told. */
  async function exchange(): Promise<boolean> {
    if (isAllUntold) {
      isAllUntold = false; // further labels may be too many again while Redis is asked
      const isBegun = await ask(BEGIN, []);
      if (!isBegun) isAllUntold = true;
      return isBegun;
    }
    if (untold.size === 0) return ask(READ, []);
    const labels = [...untold];
    const isTold = await ask(WRITE, labels);
    if (isTold) for (const label of labels) untold.delete(label);
    return isTold;
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
