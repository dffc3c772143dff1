import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { toLoggableError } from '../database/loggable-error.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import type { BusEvent, EventBus, SubscriptionStart } from './event-bus.ts';
import { connectRedis, RETRY_MS } from './redis-connection.ts';
import { addToStream, type Entry, isAfter, readHistory, readStream, toEntry } from './redis-stream.ts';

export interface RedisEventBusOptions {
  /** As `readRedisAddresses` takes them. */
  readonly url: string;
  readonly log: Logger;
  /** Events that wait for one slow consumer before it is cut off. @unit events @defaultValue 128 */
  readonly maxQueuedEvents?: number;
  /** Events of a topic that are kept for those who come back, roughly. @unit events @defaultValue 10000 */
  readonly maxReplayEvents?: number;
  /** How long they are kept, roughly. @unit milliseconds @defaultValue 600000 */
  readonly maxReplayAgeMs?: number;
}

/** How long a read waits for events; a topic that is new to this process waits as long at most. @unit milliseconds */
const BLOCK_MS = 200;
/** Until a Redis that stands still is taken for one that is away. @unit milliseconds */
const COMMAND_TIMEOUT_MS = 1_000;
/** The same for a read, which waits for what nobody may have to tell. @unit milliseconds */
const READ_TIMEOUT_MS = 3_000;
/** How often it is looked whether Redis still tells the same history. @unit milliseconds */
const CHECK_MS = 1_000;
/** One node of a Cluster has all topics: they are read together. */
const PREFIX = '{gatefold:events}:';
const HISTORY = `${PREFIX}epoch`;
const POSITION = /^(.+)\.(\d+-\d+)$/;

interface Listener {
  /** Of the last entry that it was given. Undefined until it is known where it begins. */
  position: string | undefined;
  push(entry: Entry): void;
  fail(): void;
  end(): void;
}

interface Topic {
  readonly listeners: Set<Listener>;
  /** From which it is read on; undefined until it is known where its first listener begins. */
  position: string | undefined;
}

interface Beginning extends SubscriptionStart {
  readonly history: string;
  /** Of the last of the entries, or where there are none. */
  readonly last: string;
  readonly entries: readonly Entry[];
}

/**
 * The bus of many processes: a Redis Stream for each topic. Ids name the history of Redis too: after a restart or a failover the latest
 * entries may be gone, which nothing in a stream would tell. So whoever listens then, or comes with an id of before, is told that
 * events may have been missed, and gets what is kept.
 */
export function createRedisEventBus(options: RedisEventBusOptions): EventBus {
  const { url, log, maxQueuedEvents = 128, maxReplayEvents = 10_000, maxReplayAgeMs = 600_000 } = options;
  const commands = connectRedis(url, COMMAND_TIMEOUT_MS);
  const reader = connectRedis(url, READ_TIMEOUT_MS);
  const topics = new Map<string, Topic>();
  const closing = new AbortController();
  let reading: Promise<void> | undefined;
  let history: string | undefined;
  let checkedAt = 0;
  let isAway = false;
  for (const client of [commands, reader])
    client.on('error', (error) => log.debug({ err: toLoggableError(error) }, 'Redis does not answer'));

  async function begin(topic: string, after: string | undefined): Promise<Beginning> {
    const [, ofHistory, id] = POSITION.exec(after ?? '') ?? [];
    const told = await readStream(commands, [HISTORY, PREFIX + topic], randomUUID(), id);
    if (history !== undefined && history !== told.history) failAll();
    history = told.history;
    isAway = false;
    const entries = told.entries.map(toEntry);
    const isKept = id !== undefined && !isAfter(id, told.last) && (!told.isTrimmed || !isAfter(told.first, id));
    return {
      history,
      entries,
      last: entries.at(-1)?.id ?? told.last,
      position: `${history}.${entries.length > 0 && id !== undefined ? id : told.last}`,
      isGap: after !== undefined && !(isKept && ofHistory === history),
    };
  }

  function join(name: string, listener: Listener): void {
    const topic = topics.get(name) ?? { listeners: new Set(), position: undefined };
    topics.set(name, topic);
    topic.listeners.add(listener);
    reading ??= read();
  }

  function leave(name: string, listener: Listener): void {
    const topic = topics.get(name);
    topic?.listeners.delete(listener);
    if (topic?.listeners.size === 0) topics.delete(name);
  }

  async function read(): Promise<void> {
    while (!closing.signal.aborted && topics.size > 0) {
      try {
        await readOnce();
      } catch (error) {
        if (closing.signal.aborted) return;
        tellAway(error);
        failAll(); // Redis may have lost what came meanwhile, and only those who ask with an id can find out
        reader.disconnect(true); // one that stands still answers what was asked of it long ago first
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    reading = undefined; // at once: whoever joins from here on begins to read again
  }

  async function readOnce(): Promise<void> {
    const asked = [...topics].flatMap(([name, topic]) => (topic.position === undefined ? [] : [{ name, topic, from: topic.position }]));
    if (asked.length === 0) return void (await new Promise((resolve) => setTimeout(resolve, 5)));
    const keys = asked.map(({ name }) => PREFIX + name);
    const read = await reader.xread('COUNT', 1_000, 'BLOCK', BLOCK_MS, 'STREAMS', ...keys, ...asked.map(({ from }) => from));
    const entriesOf = new Map(read ?? []);
    for (const { name, topic, from } of asked) {
      // One who has joined meanwhile may begin before what was read: then it is read again.
      if (topic.position === from) give(topic, (entriesOf.get(PREFIX + name) ?? []).map(toEntry));
    }
    if (performance.now() - checkedAt < CHECK_MS) return;
    checkedAt = performance.now();
    if ((await readHistory(commands, HISTORY, randomUUID())) !== history) failAll();
  }

  function give(topic: Topic, entries: readonly Entry[]): void {
    for (const entry of entries) {
      topic.position = entry.id;
      for (const listener of topic.listeners) listener.push(entry);
    }
  }

  /** Once, and not for each who asks meanwhile. */
  function tellAway(error: unknown): void {
    if (!isAway) log.warn({ err: toLoggableError(error) }, 'events cannot be read from Redis; those who listen are told');
    isAway = true;
  }

  function failAll(): void {
    history = undefined;
    for (const { listeners } of topics.values()) for (const listener of listeners) listener.fail();
  }

  return {
    async publish(event) {
      await addToStream(commands, PREFIX + event.topic, event, { maxEvents: maxReplayEvents, since: Date.now() - maxReplayAgeMs });
    },
    async check() {
      await commands.ping();
    },
    subscribe(name, { signal, after } = {}) {
      const end = (): void => queue.end();
      const queue = createBoundedQueue<BusEvent>(maxQueuedEvents, () => {
        signal?.removeEventListener('abort', end);
        leave(name, listener);
      });
      let of = '';
      const toEvent = ({ id, payload, at }: Entry): BusEvent => ({ id: `${of}.${id}`, topic: name, payload, at });
      const listener: Listener = {
        position: undefined,
        push(entry) {
          if (listener.position === undefined || !isAfter(entry.id, listener.position)) return;
          listener.position = entry.id;
          queue.push(toEvent(entry));
        },
        fail: () => queue.fail(missed()),
        end,
      };
      const follow = async (): Promise<SubscriptionStart> => {
        const { entries, last, position, isGap, ...begun } = await begin(name, after);
        of = begun.history;
        queue.prepend(entries.map(toEvent));
        listener.position = last;
        const topic = topics.get(name);
        if (topic !== undefined && (topic.position === undefined || isAfter(topic.position, last))) topic.position = last;
        return { position, isGap };
      };
      const start = follow().catch((error: unknown) => {
        tellAway(error);
        queue.fail(missed());
        return { position: after ?? '', isGap: false };
      });
      join(name, listener);
      signal?.addEventListener('abort', end, { once: true });
      if (closing.signal.aborted || signal?.aborted === true) queue.end();
      return Object.assign(queue.items, { start });
    },
    async close() {
      closing.abort();
      for (const { listeners } of topics.values()) for (const listener of listeners) listener.end();
      reader.disconnect();
      commands.disconnect();
      await reading?.catch(() => undefined);
    },
  };
}

function missed(): GraphQLError {
  return new GraphQLError('Events may have been missed.', { extensions: { code: 'EVENTS_MAY_BE_MISSED' } });
}
