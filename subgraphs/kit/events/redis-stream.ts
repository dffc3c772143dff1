import type { RedisCommander } from 'ioredis';
import type { BusEvent, EventPayload } from './event-bus.ts';

/** An event as a stream has it. */
export interface Entry {
  /** `<milliseconds>-<sequence>`. */
  readonly id: string;
  readonly payload: EventPayload;
  readonly at: Date;
}

/** Fields of an entry, as they are written. */
export function toFields({ payload, at, id }: Pick<BusEvent, 'payload' | 'at' | 'id'>): readonly string[] {
  return ['event', JSON.stringify({ payload, at: at.toISOString(), id })];
}

/** @throws SyntaxError when somebody else than the bus wrote it */
export function toEntry([id, fields]: readonly [string, readonly string[]]): Entry {
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

/** What of a stream is kept. */
export interface StreamFacts {
  /** Of the first entry and of the last that was ever added; `0-0` in a stream that does not exist. */
  readonly first: string;
  readonly last: string;
  /** Whether entries were removed. */
  readonly isTrimmed: boolean;
}

/** Takes Redis 7 or later, which counts what was ever added. */
export async function readStreamFacts(redis: RedisCommander, key: string): Promise<StreamFacts> {
  if ((await redis.exists(key)) === 0) return { first: '0-0', last: '0-0', isTrimmed: false };
  const told = (await redis.xinfo('STREAM', key)) as readonly unknown[];
  const fact = (name: string): unknown => told[told.indexOf(name) + 1];
  const first = fact('first-entry') as readonly [string] | null;
  const last = String(fact('last-generated-id'));
  return { first: first?.[0] ?? last, last, isTrimmed: Number(fact('entries-added')) > Number(fact('length')) };
}
