import type { RedisCommander } from 'ioredis';
import type { BusEvent, EventPayload } from './event-bus.ts';

/** An event in a stream. */
export interface Entry {
  /** `<milliseconds>-<sequence>`. */
  readonly id: string;
  readonly payload: EventPayload;
  readonly at: Date;
}

/** An entry in the format of Redis. */
export type RawEntry = readonly [id: string, fields: readonly string[]];

/** @throws SyntaxError when the entry was not written by the bus */
export function toEntry([id, fields]: RawEntry): Entry {
  const { payload, at } = JSON.parse(fields[1] ?? '') as { payload: EventPayload; at: string };
  return { id, payload, at: new Date(at) };
}

/** Whether the first entry comes after the second. */
export function isAfter(one: string, other: string): boolean {
  const [[time, sequence], [otherTime, otherSequence]] = [partsOf(one), partsOf(other)];
  return time === otherTime ? sequence > otherSequence : time > otherTime;
}

function partsOf(id: string): readonly [number, number] {
  const [time = '0', sequence = '0'] = id.split('-');
  return [Number(time), Number(sequence)];
}

/** State of the stream of a topic, and its entries after an id. */
export interface StreamFacts {
  /** Name of the current history of Redis. It changes after a restart or a failover, in which the latest entries may have been lost. */
  readonly history: string;
  /** Ids of the first entry and of the last entry that was ever added; `0-0` when the stream does not exist. */
  readonly first: string;
  readonly last: string;
  /** Whether entries were removed. */
  readonly isTrimmed: boolean;
  readonly entries: readonly RawEntry[];
}

/**
 * Script that names the history. The name is bound to the run id of Redis, which changes when Redis restarts with a copy of the data or
 * without data.
 */
const HISTORY = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
local known = redis.call('GET', KEYS[1]) or ''
local history, of = string.match(known, '^(%S+) (%S*)$')
if of ~= run then
  history = ARGV[1]
  redis.call('SET', KEYS[1], history .. ' ' .. run)
end`;

/**
 * Script that reads state and entries atomically, so that nothing is trimmed in between. Requires Redis 7, which counts all added entries.
 */
const READ = `${HISTORY}
if redis.call('EXISTS', KEYS[2]) == 0 then return { history, '0-0', '0-0', 0, {} } end
local facts = {}
local info = redis.call('XINFO', 'STREAM', KEYS[2])
for index = 1, #info, 2 do facts[info[index]] = info[index + 1] end
local last = facts['last-generated-id']
local first = facts['first-entry'] and facts['first-entry'][1] or last
local trimmed = facts['entries-added'] > facts['length'] and 1 or 0
local entries = ARGV[2] == '' and {} or redis.call('XRANGE', KEYS[2], '(' .. ARGV[2], '+')
return { history, first, last, trimmed, entries }`;

/**
 * Reads a stream.
 *
 * @param fresh name for a history that has none yet
 * @param after id after which entries are read; without it none are read
 */
export async function readStream(
  redis: RedisCommander,
  [historyKey, key]: readonly [string, string],
  fresh: string,
  after: string | undefined,
): Promise<StreamFacts> {
  const reported = await redis.eval(READ, 2, historyKey, key, fresh, after ?? '');
  const [history, first, last, trimmed, entries] = reported as [string, string, string, number, readonly RawEntry[]];
  return { history, first, last, isTrimmed: trimmed === 1, entries };
}

export async function readHistory(redis: RedisCommander, historyKey: string, fresh: string): Promise<string> {
  return (await redis.eval(`${HISTORY}\nreturn history`, 1, historyKey, fresh)) as string;
}

/**
 * Script that adds an event unless the stream contains it. A publisher that received no confirmation publishes its batch again. Event
 * numbers increase, so checking the last entry is sufficient except for repeated events.
 */
const ADD = `
for _, count in ipairs({ 1, tonumber(ARGV[3]) }) do
  local isOlder = false
  for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', count)) do
    if entry[2][2] == ARGV[1] then return 0 end
    local number, other = tonumber(ARGV[2]), tonumber(entry[2][4] or '')
    isOlder = number ~= nil and other ~= nil and other < number
    if isOlder then break end
  end
  if isOlder then break end
end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], '*', 'event', ARGV[1], 'id', ARGV[2])
redis.call('XTRIM', KEYS[1], 'MINID', '~', ARGV[5])
return 1`;

/** Number of entries that are searched for a repeated event; larger than a batch of the outbox. @unit entries */
const REPEATED_WITHIN = 256;

/** Limits of the stored events of a topic. */
export interface StoredEvent {
  /** @unit events */
  readonly maxEvents: number;
  /** @unit milliseconds since the epoch */
  readonly since: number;
}

export async function addToStream(
  redis: RedisCommander,
  key: string,
  { payload, at, id }: Pick<BusEvent, 'payload' | 'at' | 'id'>,
  { maxEvents, since }: StoredEvent,
): Promise<void> {
  const text = JSON.stringify({ payload, at: at.toISOString(), id });
  await redis.eval(ADD, 1, key, text, id, REPEATED_WITHIN, maxEvents, `${Math.max(0, since)}-0`);
}
