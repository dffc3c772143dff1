import { describe, expect, it } from '@jest/globals';
import { rememberTokens } from '../../../gateway/auth/bearer/verified-tokens.ts';
import { createMemoryBuckets } from '../../../gateway/budget/buckets.ts';
import { createCachedResponse } from '../../../gateway/cache/cached-response.ts';
import { createEntityCache } from '../../../gateway/cache/entity-cache.ts';
import { createResponseCache } from '../../../gateway/cache/response-cache.ts';
import { createRecentWrites } from '../../../gateway/cache/recent-writes.ts';
import { createDoorkeeper } from '../../../gateway/generation/prepared-document.ts';
import { createRequestMemos } from '../../../gateway/http/graphql/request-memos.ts';
import { createMemoryIdempotencyStore } from '../../../gateway/idempotency/memory-idempotency-store.ts';
import { createMemoryDocumentStore } from '../../../gateway/persisted/document-store.ts';
import { createRegistrationQuota } from '../../../gateway/persisted/automatic-documents.ts';
import { createRecentEvents } from '../../../gateway/pipeline/streams/recent-events.ts';
import { createRejectedPlans } from '../../../gateway/planning/worker/rejected-plans.ts';
import { type Clock, systemClock } from '../../../gateway/platform/clock.ts';
import { principalKeyOf } from '../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../gateway/subgraph-client/sign-identity.ts';
import { createReplayRing } from '../../../subgraphs/kit/events/replay-ring.ts';
import { createCallerVerifier } from '../../../subgraphs/kit/identity/verify-caller.ts';
import { signIdentity } from '../../support/identity/sign-identity.ts';
import { MAX_BYTES, MAX_ENTRIES, type Store, bytesBeyondBound, longCaller, textOf, wideTextOf } from './bounded-store.ts';

const clock: Clock = systemClock;
const POLICY = { maxAgeSeconds: 3_600, scope: 'PUBLIC' } as const;

const JSON_CLAIMS: Readonly<Record<string, (index: number) => string>> = {
  'empty objects': () => `[${Array.from({ length: 1_500 }, () => '{}').join()}]`,
  'nested lists': () => `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  'many members': (index) => `{${Array.from({ length: 400 }, (_, position) => `"m${index}_${position}":${position}`).join()}}`,
  'nested members': (index) => `${Array.from({ length: 300 }, (_, position) => `{"n${index}_${position}":`).join('')}1${'}'.repeat(300)}`,
};

function tokens(claimsOf: (index: number) => string): Store {
  return {
    entries: 500,
    bound: 16_777_216,
    open() {
      const verify = async (token: string) => {
        const claims = JSON.parse(claimsOf(Number(token))) as Record<string, unknown>;
        return { principal: { ...longCaller(Number(token)), claims: { claims } }, validUntil: Infinity };
      };
      const store = rememberTokens(verify, { clock, report: () => undefined });
      return { store, put: async (index) => await store.authenticate(`Bearer ${index}`) };
    },
  };
}

const STORES: Readonly<Record<string, Store>> = {
  'finished idempotency keys': {
    entries: 3_000,
    bound: MAX_BYTES,
    open() {
      const limits = { leaseMs: 60_000, timeToLiveMs: 3_600_000, maxKeys: 100_000, maxEntries: 4_000, maxBytes: MAX_BYTES };
      const store = createMemoryIdempotencyStore({ ...limits, clock });
      return {
        store,
        put(index) {
          const claim = { owner: textOf(43, index), key: textOf(43, index), fingerprint: textOf(43, index), token: textOf(36, index) };
          void store.begin(claim);
          void store.complete(claim, wideTextOf(2_000, index));
        },
      };
    },
  },
  'idempotency keys in progress': {
    entries: 3 * MAX_ENTRIES,
    bound: MAX_ENTRIES * 700,
    open() {
      const limits = { leaseMs: 60_000, timeToLiveMs: 3_600_000, maxKeys: 100_000, maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES };
      const store = createMemoryIdempotencyStore({ ...limits, clock });
      return {
        store,
        put(index) {
          const text = textOf(43, index);
          void store.begin({ owner: text, key: text, fingerprint: text, token: textOf(36, index) });
        },
      };
    },
  },
  'persisted documents': {
    entries: 2_000,
    bound: MAX_BYTES,
    open() {
      const store = createMemoryDocumentStore({ maxEntries: 4_000, maxBytes: MAX_BYTES, timeToLiveMs: 3_600_000 }, clock);
      return { store, put: (index) => store.set(textOf(64, index), wideTextOf(5_000, index)) };
    },
  },
  'registrations of documents': {
    entries: 12_000,
    bound: 10_000 * 700,
    open() {
      const store = createRegistrationQuota(100, clock);
      return { store, put: (index) => store.take(principalKeyOf(longCaller(index))) };
    },
  },
  'cached responses, sent in all codings': {
    entries: 1_000,
    bound: MAX_BYTES,
    open() {
      const store = createResponseCache({ maxEntries: 4_000, maxBytes: MAX_BYTES });
      return {
        store,
        put(index) {
          const labels = Array.from({ length: 20 }, (_, position) => `tag ${index} ${position}`);
          const response = createCachedResponse({ body: wideTextOf(5_000, index), policy: POLICY, madeAt: 0, partition: 'anon', labels });
          for (const coding of ['identity', 'br', 'gzip'] as const) {
            const content = Buffer.from(response.body);
            response.wire.set(coding, { etag: textOf(50, index), cacheControl: 'public', vary: 'accept', content, contentLength: '5000' });
          }
          store.store(wideTextOf(500, index), response, { begun: store.begin(), labels });
        },
      };
    },
  },
  'cached entities': {
    entries: 8_000,
    bound: MAX_BYTES,
    open() {
      const store = createEntityCache({ maxEntries: 4_000, maxBytes: MAX_BYTES, clock });
      return {
        store,
        put(index) {
          const labels = [`type T${index}`, `tag ${index}`];
          const entity = { text: wideTextOf(100, index), policy: POLICY, labels, madeAt: 0, needsNoEscape: true };
          store.store(textOf(64, index), textOf(100, index), entity, store.begin());
        },
      };
    },
  },
  'memoized GET targets': {
    entries: 1_000,
    bound: MAX_BYTES,
    open() {
      const store = createRequestMemos({ maxEntries: 4_000, maxBytes: 8 * MAX_BYTES });
      return {
        store,
        put(index) {
          const list = `[${Array.from({ length: 2_000 }, () => '{}').join()}]`;
          const variables = JSON.parse(`{"list":${list}}`) as Record<string, unknown>;
          const memo = { generation: 'one', text: textOf(500, index), partition: 'anon', key: textOf(43, index), estimated: 1 };
          store.remember(`/graphql?variables=${list}&n=${index}`, { document: { text: textOf(500, index) }, variables }, memo);
        },
      };
    },
  },
  'writes of callers': {
    entries: 3 * MAX_ENTRIES,
    bound: MAX_ENTRIES * 5_500,
    open() {
      const store = createRecentWrites({ maxCallers: MAX_ENTRIES, clock });
      const labels = Array.from({ length: 64 }, (_, position) => `type T${position}`);
      return { store, put: (index) => store.note(principalKeyOf(longCaller(index)), labels) };
    },
  },
  'writes of callers with long tags': {
    entries: 600,
    bound: 200 * 5_500,
    open() {
      const store = createRecentWrites({ maxCallers: 200, clock });
      return {
        store,
        put(index) {
          const labels = Array.from({ length: 60 }, (_, position) => textOf(5_000, `${index} ${position}`));
          store.note(principalKeyOf(longCaller(index)), labels);
        },
      };
    },
  },
  'events of a stream, retained for subscribers of other streams': {
    entries: 2_000,
    bound: 2 * MAX_BYTES, // This cache counts characters.
    open() {
      const store = createRecentEvents({ maxEvents: 4_000, maxBytes: MAX_BYTES });
      return { store, put: (index) => store.add({ eventId: String(index), result: { data: wideTextOf(5_000, index), errors: [] } }) };
    },
  },
  'events of a topic, retained for returning subscribers': {
    entries: 2_000,
    bound: MAX_BYTES,
    open() {
      const store = createReplayRing('0', () => 0, { maxReplayBytes: MAX_BYTES });
      const at = new Date(0);
      return { store, put: (index) => store.add({ id: String(index), topic: 'a', payload: { text: wideTextOf(5_000, index) }, at }) };
    },
  },
  'budgets of callers': {
    entries: 3 * MAX_ENTRIES,
    bound: MAX_ENTRIES * 700,
    open() {
      const store = createMemoryBuckets({ maxEntries: MAX_ENTRIES, clock });
      return { store, put: (index) => store.take(principalKeyOf(longCaller(index)), { capacity: 10, refillPerSecond: 1 }, 1) };
    },
  },
  'texts that were seen once': {
    entries: 10_000,
    bound: 4 * 65_536,
    open() {
      const store = createDoorkeeper();
      return { store, put: (index) => store(textOf(5_000, index)) };
    },
  },
  'operations that cannot be planned': {
    entries: 3_000,
    bound: 1_000 * 2_500,
    open() {
      const store = createRejectedPlans();
      return {
        store,
        put(index) {
          const input = { document: textOf(20_000, index), conditions: {}, labels: [] };
          store.add(input, new Error('The operation takes too long to plan.'));
        },
      };
    },
  },
  ...Object.fromEntries(Object.entries(JSON_CLAIMS).map(([name, claimsOf]) => [`verified tokens with ${name}`, tokens(claimsOf)])),
  'identities signed for subgraphs': {
    entries: 3_000,
    bound: 16_777_216,
    open() {
      const store = createIdentitySigner({ key: { secret: SECRET }, clock });
      return { store, put: (index) => store.sign('books', longCaller(index), '{}') };
    },
  },
  'identities verified by a subgraph': {
    entries: 1_200,
    bound: 16_777_216,
    open() {
      const store = createCallerVerifier({ trust: { secret: SECRET }, audience: 'books', clock });
      return {
        store,
        async put(index) {
          const roles = Array.from({ length: 600 }, (_, position) => `${index}-${position}`.slice(-5));
          const identity = signIdentity({ secret: SECRET, audience: 'books', body: '{}', kind: 'user', sub: String(index), roles });
          if ((await store(identity, Buffer.from('{}'))) === undefined) throw new Error('The identity was refused.');
        },
      };
    },
  },
};

const SECRET = 'a secret of thirty-two characters';

describe('point 01: stores that clients can fill', () => {
  it.each(Object.entries(STORES))('%s retain no more than their bound', async (name, store) => {
    expect(await bytesBeyondBound(name, store)).toBeLessThan(0);
  });
});
