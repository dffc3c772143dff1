import type { RedisCommander } from 'ioredis';
import type { BusEvent, EventPayload } from './event-bus.ts';

/** An event as a stream has it. */
export interface Entry {
  /** `<milliseconds>-<sequence>`. */
  readonly id: string;
  readonly payload: EventPayload;
  readonly at: Date;
}

/** An entry as Redis gives it. */
export type RawEntry = readonly [id: string, fields: readonly string[]];

/** @throws SyntaxError when somebody else than the bus wrote it */
export function toEntry([id, fields]: RawEntry): Entry {
  const { payload, at } = JSON.parse(fields[1] ?? '') as { payload: EventPayload; at: string };
  return { id, payload, at: new Date(at) };
}

/** Whether one entry stands behind another. */
export function isAfter(one: string, other: string): boolean {
  const [[time, sequence], [otherTime, otherSequence]] = [partsOf(one), partsOf(other)];
  return time === otherTime ? sequence > otherSequence : time > otherTime;
}

function partsOf(id: string): readonly [number, number] {
  const [time = '0', sequence = '0'] = id.split('-');
  return [Number(time), Number(sequence)];
}

/** Where the stream of a topic stands, and what of it comes after an entry. */
export interface StreamFacts {
  /** Names the history that Redis tells: another one after a restart or a failover, in which the latest entries may have been lost. */
  readonly history: string;
  /** Of the first entry and of the last that was ever added; `0-0` in a stream that does not exist. */
  readonly first: string;
  readonly last: string;
  /** Whether entries were removed. */
  readonly isTrimmed: boolean;
  readonly entries: readonly RawEntry[];
}

/** Names the history. A Redis that ran on from a copy of the data, or from none, is another run than the one that the name was made for. */
const HISTORY = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
local known = redis.call('GET', KEYS[1]) or ''
local history, of = string.match(known, '^(%S+) (%S*)$')
if of ~= run then
  history = ARGV[1]
  redis.call('SET', KEYS[1], history .. ' ' .. run)
end`;

/** In one step, so that nothing is trimmed away between what is found out and what is read. Takes Redis 7, which counts what was ever added. */
const READ = `${HISTORY}
if redis.call('EXISTS', KEYS[2]) == 0 then return { history, '0-0', '0-0', 0, {} } end
local facts = {}
local told = redis.call('XINFO', 'STREAM', KEYS[2])
for place = 1, #told, 2 do facts[told[place]] = told[place + 1] end
local last = facts['last-generated-id']
local first = facts['first-entry'] and facts['first-entry'][1] or last
local trimmed = facts['entries-added'] > facts['length'] and 1 or 0
local entries = ARGV[2] == '' and {} or redis.call('XRANGE', KEYS[2], '(' .. ARGV[2], '+')
return { history, first, last, trimmed, entries }`;

/** @param fresh the name of the history where it has none yet @param after id of the entry after which entries are read; none where absent */
export async function readStream(
  redis: RedisCommander,
  [historyKey, key]: readonly [string, string],
  fresh: string,
  after: string | undefined,
): Promise<StreamFacts> {
  const told = await redis.eval(READ, 2, historyKey, key, fresh, after ?? '');
  const [history, first, last, trimmed, entries] = told as [string, string, string, number, readonly RawEntry[]];
  return { history, first, last, isTrimmed: trimmed === 1, entries };
}

export async function readHistory(redis: RedisCommander, historyKey: string, fresh: string): Promise<string> {
  return (await redis.eval(`${HISTORY}\nreturn history`, 1, historyKey, fresh)) as string;
}

/**
 * Adds an event, unless it is there already: who could not hear that it was taken brings it again, with those of its batch. Numbers of
 * events grow, so that a look at the last one is enough but for those that are repeated.
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

/** How far back a repeated event is looked for; more than the outbox moves at once. @unit entries */
const REPEATED_WITHIN = 256;

/** What of a topic is kept. */
export interface Kept {
  /** @unit events */
  readonly maxEvents: number;
  /** @unit milliseconds since the epoch */
  readonly since: number;
}

export async function addToStream(
  redis: RedisCommander,
  key: string,
  { payload, at, id }: Pick<BusEvent, 'payload' | 'at' | 'id'>,
  { maxEvents, since }: Kept,
): Promise<void> {
  const text = JSON.stringify({ payload, at: at.toISOString(), id });
  await redis.eval(ADD, 1, key, text, id, REPEATED_WITHIN, maxEvents, `${Math.max(0, since)}-0`);
}
