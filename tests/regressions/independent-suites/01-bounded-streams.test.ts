import { describe, expect, it } from '@jest/globals';
import { createFairQueue } from '../../../gateway/platform/fair-queue.ts';
import { limitLoginFailures } from '../../../gateway/auth/basic/limit-login-failures.ts';
import { createCachedResponse } from '../../../gateway/cache/cached-response.ts';
import { createInvalidationLog } from '../../../gateway/cache/invalidation-log.ts';
import { createEntityFetchReader } from '../../../gateway/cache/read-entity-fetch.ts';
import { createResponseCache } from '../../../gateway/cache/response-cache.ts';
import { createRecentWrites } from '../../../gateway/cache/recent-writes.ts';
import type { ExecutionResult } from '../../../gateway/execution/executable-operation.ts';
import { createErrorLocator } from '../../../gateway/pipeline/stages/locate-errors.ts';
import { type UpstreamListener, createSharedStream } from '../../../gateway/pipeline/streams/shared-stream.ts';
import type { StreamBinding } from '../../../gateway/pipeline/streams/stream-binding.ts';
import { Subscriber } from '../../../gateway/pipeline/streams/subscriber.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { createCodings } from '../../../gateway/platform/http/response/compress.ts';
import { createStreamParser } from '../../../gateway/platform/http/client/event-stream-parser.ts';
import { createByteBudget } from '../../../gateway/platform/http/limits/byte-budget.ts';
import { createNegotiator } from '../../../gateway/platform/http/request/negotiate.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { principalKeyOf } from '../../../gateway/platform/principal.ts';
import { createConnectionAdmission } from '../../../gateway/subscriptions/admission.ts';
import { createAcceptReader } from '../../../rest-facade/request/negotiation/content-negotiation.ts';
import { createMemoryEventBus } from '../../../subgraphs/kit/events/memory-event-bus.ts';
import { MAX_BYTES, MAX_ENTRIES, type Store, bytesBeyondBound, longCaller, textOf, wideTextOf } from './bounded-store.ts';

const clock = systemClock;
const POLICY = { maxAgeSeconds: 3_600, scope: 'PUBLIC', types: ['T'] } as const;

const binding = { [Symbol.dispose]: () => undefined } as unknown as StreamBinding;
const MAX_EVENTS = 1_000;

/** Opens a shared stream whose subgraph sends the events that `put` passes to it. */
function sharedStream(run: () => Promise<ExecutionResult>, put: (listener: UpstreamListener, index: number) => void): Store['open'] {
  return () => {
    let listener: UpstreamListener | undefined;
    const store = createSharedStream({
      binding,
      open(_binding, _lastEventId, given) {
        listener = given;
        return { lastEventId: undefined, close: () => undefined };
      },
      run,
      lastEventId: undefined,
      maxPendingEvents: MAX_EVENTS,
      maxPendingBytes: MAX_BYTES,
      logger: silentLogger,
      onPublished: () => undefined,
      onGapReported: () => undefined,
      onOver: () => undefined,
    });
    store.remember(true);
    return {
      store,
      async put(index) {
        if (listener !== undefined) put(listener, index);
        await Promise.resolve();
      },
    };
  };
}

const never = (): Promise<ExecutionResult> => new Promise(() => undefined);
const eventOf = (index: number) => ({ response: { data: { text: textOf(20_000, index) } } });

const STORES: Readonly<Record<string, Store>> = {
  'events queued in a shared stream': {
    entries: 1_000,
    bound: MAX_BYTES,
    open: sharedStream(never, (listener, index) => listener.onEvent(eventOf(index))),
  },
  'positions and gaps queued in a shared stream': {
    entries: 100_000,
    bound: MAX_EVENTS * 1_000,
    open: sharedStream(never, (listener, index) => {
      if (index === 0) listener.onEvent(eventOf(index));
      listener.onGap();
      listener.onPosition(textOf(256, index));
    }),
  },
  'events that a shared stream replays': {
    entries: 1_000,
    bound: MAX_BYTES,
    open: (() => {
      let count = 0;
      const run = async (): Promise<ExecutionResult> => ({ data: wideTextOf(20_000, (count += 1)), errors: [] });
      return sharedStream(run, (listener, index) => listener.onEvent({ ...eventOf(index), eventId: String(index) }));
    })(),
  },
  'unread events of a subscriber': {
    entries: 1_000,
    bound: 2 * MAX_BYTES,
    open() {
      const limits = { maxQueuedEvents: MAX_EVENTS, maxQueuedBytes: MAX_BYTES };
      const store = new Subscriber({ correlationId: 'a', wantsBookmarks: true, locate: (errors) => errors }, limits, () => undefined);
      return { store, put: (index) => store.push({ result: { body: wideTextOf(20_000, index), facts: { errorCodes: [] } } }) };
    },
  },
  'events that a subgraph retains for replays': {
    entries: 20_000,
    bound: MAX_BYTES,
    open() {
      const store = createMemoryEventBus({ maxReplayBytes: MAX_BYTES, maxTopics: MAX_ENTRIES });
      const payload = (index: number) => ({ id: index, name: textOf(500, index), isNew: true });
      return {
        store,
        put: (index) => store.publish({ id: String(index), topic: `t${index % 7}`, payload: payload(index), at: new Date() }),
      };
    },
  },
  'topics that subscribers have named': {
    entries: 3 * MAX_ENTRIES,
    bound: MAX_ENTRIES * 2_000,
    open() {
      const store = createMemoryEventBus({ maxTopics: MAX_ENTRIES });
      return { store, put: (index) => store.subscribe(`order:${index}`).return?.() };
    },
  },
  'cached responses with many custom tags': {
    entries: 400,
    bound: MAX_BYTES,
    open() {
      const store = createResponseCache({ maxEntries: 4_000, maxBytes: MAX_BYTES });
      return {
        store,
        put(index) {
          const labels = Array.from({ length: 200 }, (_, position) => textOf(100, `${index} ${position}`));
          const response = createCachedResponse({ body: '{"data":{}}', policy: POLICY, madeAt: 0, partition: 'anon', labels });
          store.store(`key ${index}`, response, { begun: store.begin(), labels });
        },
      };
    },
  },
  'writes of callers with long tags': {
    entries: 100,
    bound: 100 * 64 * 700,
    open() {
      const store = createRecentWrites({ maxCallers: 100, clock });
      const labels = (index: number) => Array.from({ length: 60 }, (_, position) => textOf(8_000, `${index} ${position}`));
      return { store, put: (index) => store.note(principalKeyOf(longCaller(index)), labels(index)) };
    },
  },
  'invalidations that could not be sent to Redis': {
    entries: 2_000,
    bound: 10_000 * 400,
    open() {
      const redis = { run: async () => undefined, [Symbol.asyncDispose]: async () => undefined };
      const store = createInvalidationLog({ redis, intervalMs: 1_000_000, onInvalidated: () => undefined });
      const labels = (index: number) => Array.from({ length: 50 }, (_, position) => textOf(100, `${index} ${position}`));
      return { store, put: (index) => store.invalidate(labels(index)) };
    },
  },
  'parsed requests for entities': {
    entries: 1_500,
    bound: 8_000_000,
    open() {
      const store = createEntityFetchReader(() => POLICY);
      const fields = (index: number) => Array.from({ length: 300 }, (_, position) => `f${index}_${position}`).join(' ');
      const query = (index: number) => `query ($r: [_Any!]!) { _entities(representations: $r) { ... on T { ${fields(index)} } } }`;
      return { store, put: (index) => store(`{"query":"${query(index)}","variables":{"r":[]}}`) };
    },
  },
  'syntax trees of documents with errors': {
    entries: 300,
    bound: 16_777_216,
    open() {
      const store = createErrorLocator();
      const error = { message: 'm', code: 'c', path: ['a'] };
      return { store, put: (index) => store.locateErrors([error], `{ a${' a'.repeat(1_000)} b${index} }`, undefined) };
    },
  },
  'queue shares of callers that wait for plans': {
    entries: 15_000,
    bound: 10_000 * 500,
    open() {
      const store = createFairQueue();
      return { store, put: (index) => store.charge({ callers: new Set([`${textOf(250, index)}${index}`]) }, 1) };
    },
  },
  'failed logins': {
    entries: 60_000,
    bound: 50_000 * 300,
    open() {
      const store = limitLoginFailures({ maxPerMinute: 5, clock });
      return { store, put: (index) => store(textOf(2_000, index), undefined) };
    },
  },
  'parsed headers': {
    entries: 3_000,
    bound: 3 * 200 * 12_000,
    open() {
      const store = [
        createNegotiator(['application/json']),
        createAcceptReader('gatefold'),
        createCodings({ enabled: true, minBytes: 1 }),
      ] as const;
      const ranges = (index: number) =>
        Array.from({ length: 20 }, (_, position) => `application/vnd.gatefold.v${((index + position) % 900) + 1}.plain+json`).join(',');
      return {
        store,
        put(index) {
          store[0](ranges(index));
          store[1](ranges(index));
          store[2].choose(`gzip;q=0.${index},${textOf(900, index)}`, 'body');
        },
      };
    },
  },
  'counters of disconnected addresses': {
    entries: 50_000,
    bound: 10_000,
    open() {
      const bytes = createByteBudget({ total: 1e9, perAddress: 1e9 });
      const bounds = { maxConnections: 1e6, maxConnectionsPerAddress: 10, maxConnectionsPerPrincipal: 10, maxUnacknowledged: 1e6 };
      const admission = createConnectionAdmission(bounds);
      return {
        store: [bytes, admission],
        put(index) {
          const address = `2001:db8::${index.toString(16)}`;
          bytes.take(address, 10);
          bytes.give(address, 10);
          const position = admission.enter(address);
          position.claim(longCaller(index));
          position.release();
        },
      };
    },
  },
};

describe('point 01: stores that connected clients and subgraphs can fill', () => {
  it.each(Object.entries(STORES))('%s retain no more than their bound', async (name, store) => {
    expect(await bytesBeyondBound(name, store)).toBeLessThan(0);
  });

  it('rejects an event that is too long and has only lines without a value', () => {
    const parser = createStreamParser(1_000, () => undefined);
    expect(() => parser.push('data:\n'.repeat(2_000))).toThrow(RangeError);
  });
});
