import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { toLoggableError } from '../database/loggable-error.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import type { BusEvent, EventBus, SubscriptionStart } from './event-bus.ts';
import { connectRedis, RETRY_MS } from './redis-connection.ts';
import { addToStream, type Entry, isAfter, readHistory, readStream, toEntry } from './redis-stream.ts';

export interface RedisEventBusOptions {
  /** Addresses in the format of `readRedisAddresses`. */
  readonly url: string;
  readonly log: Logger;
  /** Maximum number of events that wait for one consumer. A consumer that exceeds it is disconnected. @unit events @defaultValue 128 */
  readonly maxQueuedEvents?: number;
  /** Approximate number of events per topic that are stored for replays. @unit events @defaultValue 10000 */
  readonly maxReplayEvents?: number;
  /** Approximate time for which they are stored. @unit milliseconds @defaultValue 600000 */
  readonly maxReplayAgeMs?: number;
}

/** Time for which a read waits for events, and the maximum delay of a topic that is new in this process. @unit milliseconds */
const BLOCK_MS = 200;
/** Timeout after which an unresponsive Redis counts as unavailable. @unit milliseconds */
const COMMAND_TIMEOUT_MS = 1_000;
/** Timeout of a read, which normally waits for new events. @unit milliseconds */
const READ_TIMEOUT_MS = 3_000;
/** Interval of checks whether Redis has the same history. @unit milliseconds */
const CHECK_MS = 1_000;
/** Prefix with a hash tag, so that one node of a Cluster has all topics and they can be read together. */
const PREFIX = '{gatefold:events}:';
const HISTORY = `${PREFIX}epoch`;
const POSITION = /^(.+)\.(\d+-\d+)$/;

interface Listener {
  /** Id of the last entry that was delivered. Undefined until the start of the subscription is known. */
  position: string | undefined;
  push(entry: Entry): void;
  fail(): void;
  end(): void;
}

interface Topic {
  readonly listeners: Set<Listener>;
  /** Id after which entries are read; undefined until the start of the first listener is known. */
  position: string | undefined;
}

interface Beginning extends SubscriptionStart {
  readonly history: string;
  /** Id of the last entry, or the position of the stream when there are no entries. */
  readonly last: string;
  readonly entries: readonly Entry[];
}

/**
 * Creates the bus of several processes, with a Redis Stream for each topic. Ids contain the history of Redis. After a restart or a failover
 * the latest entries may be lost, which a stream does not show. Subscribers then receive a notice that events may have been missed, and the
 * stored events.
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
    client.on('error', (error) => log.debug({ err: toLoggableError(error) }, 'Redis does not respond.'));

  async function begin(topic: string, after: string | undefined): Promise<Beginning> {
    const [, ofHistory, id] = POSITION.exec(after ?? '') ?? [];
    const reported = await readStream(commands, [HISTORY, PREFIX + topic], randomUUID(), id);
    if (history !== undefined && history !== reported.history) failAll();
    history = reported.history;
    isAway = false;
    const entries = reported.entries.map(toEntry);
    const isRetained = id !== undefined && !isAfter(id, reported.last) && (!reported.isTrimmed || !isAfter(reported.first, id));
    return {
      history,
      entries,
      last: entries.at(-1)?.id ?? reported.last,
      position: `${history}.${entries.length > 0 && id !== undefined ? id : reported.last}`,
      isGap: after !== undefined && !(isRetained && ofHistory === history),
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
        reportUnavailable(error);
        failAll(); // Redis may have lost events, which only a subscriber with an id can detect
        reader.disconnect(true); // an unresponsive Redis would respond to old commands first
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    reading = undefined; // set synchronously, so that the next listener starts a new read loop
  }

  async function readOnce(): Promise<void> {
    const requested = [...topics].flatMap(([name, topic]) => (topic.position === undefined ? [] : [{ name, topic, from: topic.position }]));
    if (requested.length === 0) return void (await new Promise((resolve) => setTimeout(resolve, 5)));
    const keys = requested.map(({ name }) => PREFIX + name);
    const read = await reader.xread('COUNT', 1_000, 'BLOCK', BLOCK_MS, 'STREAMS', ...keys, ...requested.map(({ from }) => from));
    const entriesOf = new Map(read ?? []);
    for (const { name, topic, from } of requested) {
      // A listener that has joined meanwhile may start earlier. Its entries are then read again.
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

  /** Logs the failure once, and not for each subscriber. */
  function reportUnavailable(error: unknown): void {
    if (!isAway) log.warn({ err: toLoggableError(error) }, 'Events cannot be read from Redis. Subscribers receive a notice.');
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
        reportUnavailable(error);
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
