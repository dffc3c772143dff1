import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { Cluster, Redis } from 'ioredis';
import { readRedisAddresses } from '../../../gateway/platform/redis-addresses.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { toLoggableError } from '../database/loggable-error.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import type { BusEvent, EventBus, SubscriptionStart } from './event-bus.ts';
import { type Entry, isAfter, readStreamFacts, toEntry, toFields } from './redis-stream.ts';

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
/** @unit milliseconds */
const RETRY_MS = 200;
/** One node of a Cluster has all topics: they are read together. */
const PREFIX = '{gatefold:events}:';
const EPOCH = `${PREFIX}epoch`;

interface Listener {
  /** Undefined until it is known where it begins: what comes meanwhile waits. */
  position: string | undefined;
  readonly early: Entry[];
  push(entry: Entry): void;
  fail(): void;
  end(): void;
}

interface Topic {
  readonly listeners: Set<Listener>;
  /** Of the last entry that was read. */
  position: string;
}

/**
 * The bus of many processes: a Redis Stream for each topic. Ids name the run of Redis too: when it has come back empty, whoever
 * comes with an id of before is told that events may have been missed, and so is whoever was listening.
 */
export function createRedisEventBus(options: RedisEventBusOptions): EventBus {
  const { url, log, maxQueuedEvents = 128, maxReplayEvents = 10_000, maxReplayAgeMs = 600_000 } = options;
  const commands = connect(url);
  const reader = connect(url);
  const topics = new Map<string, Topic>();
  const closing = new AbortController();
  let reading: Promise<void> | undefined;
  let epoch: string | undefined;
  for (const client of [commands, reader])
    client.on('error', (error) => log.debug({ err: toLoggableError(error) }, 'Redis does not answer'));

  /** Of the data that Redis has now. */
  async function readEpoch(): Promise<string> {
    await commands.set(EPOCH, randomUUID(), 'NX');
    return (await commands.get(EPOCH)) ?? '';
  }

  async function begin(topic: string, after: string | undefined): Promise<SubscriptionStart & { readonly entries: readonly Entry[] }> {
    const current = await readEpoch();
    epoch ??= current;
    const key = PREFIX + topic;
    const { isTrimmed, first, last } = await readStreamFacts(commands, key);
    const now = { position: `${current}.${last}`, entries: [] };
    if (after === undefined) return { ...now, isGap: false };
    const id = after.startsWith(`${current}.`) ? after.slice(current.length + 1) : undefined;
    const isKept = id !== undefined && /^\d+-\d+$/.test(id) && !isAfter(id, last) && (!isTrimmed || !isAfter(first, id));
    if (!isKept) return { ...now, isGap: true };
    const entries = (await commands.xrange(key, `(${id}`, last)).map(toEntry);
    return { position: after, isGap: false, entries };
  }

  function join(name: string, listener: Listener): void {
    const topic = topics.get(name) ?? { listeners: new Set(), position: '$' };
    topics.set(name, topic);
    topic.listeners.add(listener);
    reading ??= read().finally(() => {
      reading = undefined;
    });
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
        log.warn({ err: toLoggableError(error) }, 'events could not be read; those who listen are told');
        failAll(); // Redis may have lost what came meanwhile, and only those who ask with an id can find out
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async function readOnce(): Promise<void> {
    const known = [...topics].filter(([, { position }]) => position !== '$');
    if (known.length === 0) return void (await new Promise((resolve) => setTimeout(resolve, 5)));
    const keys = known.map(([name]) => PREFIX + name);
    const positions = known.map(([, { position }]) => position);
    const read = await reader.xread('COUNT', 1_000, 'BLOCK', BLOCK_MS, 'STREAMS', ...keys, ...positions);
    for (const [key, entries] of read ?? []) {
      const topic = topics.get(key.slice(PREFIX.length));
      if (topic === undefined) continue;
      for (const entry of entries.map(toEntry)) {
        topic.position = entry.id;
        for (const listener of topic.listeners) listener.push(entry);
      }
    }
    if (read === null && (await readEpoch()) !== epoch) failAll();
  }

  function failAll(): void {
    epoch = undefined;
    for (const { listeners } of topics.values()) for (const listener of listeners) listener.fail();
  }

  return {
    async publish({ topic, payload, at, id }) {
      const key = PREFIX + topic;
      await commands.xadd(key, 'MAXLEN', '~', maxReplayEvents, '*', ...toFields({ payload, at, id }));
      await commands.xtrim(key, 'MINID', '~', `${Date.now() - maxReplayAgeMs}-0`);
    },
    subscribe(name, { signal, after } = {}) {
      const end = (): void => queue.end();
      const queue = createBoundedQueue<BusEvent>(maxQueuedEvents, () => {
        signal?.removeEventListener('abort', end);
        leave(name, listener);
      });
      let run = '';
      const give = ({ id, payload, at }: Entry): void => queue.push({ id: `${run}.${id}`, topic: name, payload, at });
      const listener: Listener = {
        position: undefined,
        early: [],
        push(entry) {
          if (listener.position === undefined) listener.early.push(entry);
          else if (isAfter(entry.id, listener.position)) give(entry);
        },
        fail: () => queue.fail(missed()),
        end,
      };
      const follow = async (): Promise<SubscriptionStart> => {
        const { entries, ...begun } = await begin(name, after);
        const dot = begun.position.lastIndexOf('.');
        run = begun.position.slice(0, dot);
        queue.prepend(entries.map(({ id, payload, at }) => ({ id: `${run}.${id}`, topic: name, payload, at })));
        listener.position = entries.at(-1)?.id ?? begun.position.slice(dot + 1);
        const topic = topics.get(name);
        if (topic?.position === '$') topic.position = listener.position;
        for (const entry of listener.early.splice(0)) listener.push(entry);
        return begun;
      };
      const start = follow().catch((error: unknown) => {
        log.warn({ err: toLoggableError(error) }, 'events could not be followed');
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

function connect(urls: string): Redis | Cluster {
  const addresses = readRedisAddresses(urls);
  const { username, password, isTls } = addresses;
  const access = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
  };
  const settings = { maxRetriesPerRequest: 0, connectTimeout: 2_000 };
  const retryStrategy = (): number => RETRY_MS;
  switch (addresses.kind) {
    case 'node':
      return new Redis(addresses.url, { ...settings, retryStrategy });
    case 'sentinels': {
      const { sentinels, name } = addresses;
      const bySentinels = { sentinels: [...sentinels], name, sentinelRetryStrategy: retryStrategy, enableTLSForSentinelMode: isTls };
      return new Redis({ ...settings, ...access, ...bySentinels, retryStrategy });
    }
    case 'cluster':
    default:
      return new Cluster([...addresses.urls], { clusterRetryStrategy: retryStrategy, redisOptions: { ...settings, ...access } });
  }
}

function missed(): GraphQLError {
  return new GraphQLError('Events may have been missed.', { extensions: { code: 'EVENTS_MAY_BE_MISSED' } });
}
