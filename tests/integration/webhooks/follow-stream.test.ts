import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { compileWebhookDocuments } from '../../../subgraphs/webhooks/documents/compile-webhook-document.ts';
import { type FollowOptions, followStream } from '../../../subgraphs/webhooks/events/follow-stream.ts';
import { streamsOf } from '../../../subgraphs/webhooks/events/owner-stream.ts';
import { type StreamItem, StreamRejected } from '../../../subgraphs/webhooks/events/read-events.ts';
import { readPosition } from '../../../subgraphs/webhooks/events/record-item.ts';
import { storedPermissions } from '../../../subgraphs/webhooks/owners/permissions.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { describeOnQueue } from './describe-on-queue.ts';

const DOCUMENT = 'subscription A @webhook(event: "order.created") { changed { kind @only(value: "CREATED") id @entity } }';
const documents = new Map(compileWebhookDocuments(DOCUMENT).map((document) => [document.event, document]));

const event = (id: string, kind = 'CREATED', codes: readonly string[] = []): StreamItem => ({
  kind: 'event',
  id,
  data: { changed: { kind, id } },
  codes,
});
/** Creates an event like `event`, but from a subgraph that sends no IDs. */
const unnumbered = (id: string, codes: readonly string[] = []): StreamItem =>
  ({ ...event(id, 'CREATED', codes), id: undefined }) as StreamItem;
const gap: StreamItem = { kind: 'gap' };
const mark = (id: string): StreamItem => ({ kind: 'bookmark', id });

const common = ({ database, clock }: DeliveryQueue): Omit<FollowOptions, 'gateway'> => ({
  database,
  sign: async () => 'token',
  checkOwner: async (endpoint) => storedPermissions(endpoint),
  onQueued: () => undefined,
  clock,
  log: silentLogger,
  random: () => 0,
});

/** Follows the given streams one after another. A code in a stream ends it with that error. Following stops after the last stream. */
async function follow(queue: DeliveryQueue, endpointId: string, ...streams: readonly (readonly (StreamItem | string)[])[]) {
  const stream = [...streamsOf([await queue.endpoint(endpointId)], documents).values()][0];
  if (stream === undefined) throw new Error('The endpoint has no stream.');
  const stop = new AbortController();
  const requested: (string | undefined)[] = [];
  await followStream(stream, stop.signal, {
    ...common(queue),
    gateway: {
      async *read({ lastEventId }) {
        const items = streams[requested.length] ?? [];
        requested.push(lastEventId);
        for (const item of items) {
          if (typeof item === 'string') throw new StreamRejected(item, 'The stream has ended.');
          yield item;
        }
        queue.clock.advance(2_000);
        if (requested.length >= streams.length) stop.abort();
      },
    },
  });
  const queued = (await queue.deliveries(endpointId)).map(
    (row) => `${row.event} ${row.state} ${(row.eventId ?? '-').replace(/~\S+ \S+$/, '~')} ${row.lastCode ?? '-'}`,
  );
  return { requested, queued, cursor: (await readPosition(queue.database, stream)).lastEventId };
}

/** Creates a source that sends the same items to all members once all of them have joined. */
function createSharedEvents(members: number) {
  let joined = 0;
  let isFull: () => void = () => undefined;
  const full = new Promise<void>((resolve) => void (isFull = resolve));
  let report: (items: readonly StreamItem[]) => void = () => undefined;
  const reported = new Promise<readonly StreamItem[]>((resolve) => void (report = resolve));
  return {
    async *join(): AsyncGenerator<StreamItem, undefined> {
      joined += 1;
      if (joined === members) isFull();
      yield* await reported;
    },
    async report(...items: readonly StreamItem[]) {
      await full;
      report(items);
    },
  };
}

interface FollowShared {
  readonly requested?: (string | undefined)[];
  readonly relieveAfterMs?: number;
  /** Number of streams after whose end following stops. @defaultValue 1 */
  readonly streams?: number;
}

/** Simulates one process that reads the shared items. A stream beyond the expected number waits for the end. */
async function followShared(
  queue: DeliveryQueue,
  endpointId: string,
  join: () => AsyncGenerator<StreamItem, undefined>,
  { requested = [], relieveAfterMs, streams = 1 }: FollowShared = {},
): Promise<void> {
  const [stream] = streamsOf([await queue.endpoint(endpointId)], documents).values();
  if (stream === undefined) throw new Error('The endpoint has no stream.');
  const stop = new AbortController();
  let begun = 0;
  let ended = 0;
  await followStream(stream, stop.signal, {
    ...common(queue),
    ...(relieveAfterMs === undefined ? {} : { relieveAfterMs }),
    gateway: {
      async *read({ lastEventId }, signal) {
        begun += 1;
        if (begun > streams) {
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return;
        }
        requested.push(lastEventId);
        yield* join();
        ended += 1;
        if (ended === streams) stop.abort();
      },
    },
  });
}

function orderIn(body: string): string {
  const { data } = JSON.parse(body) as { readonly data: { readonly changed?: { readonly id: string } } };
  return data.changed?.id ?? '-';
}

function countOf(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));
}

describe('reading events', () => {
  describeOnQueue('of one owner', (stage) => {
    test('the next stream resumes after the last event or bookmark', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '11' });
      const { requested, queued, cursor } = await follow(
        queue,
        id,
        [mark('p0')],
        [mark('p0'), event('e1'), event('e2', 'MOVED')],
        [mark('e2'), event('e3')],
        [],
      );
      expect({ requested, queued, cursor }).toEqual({
        requested: [undefined, 'p0', 'e2', 'e3'],
        queued: ['order.created PENDING e1 -', 'order.created PENDING e3 -'],
        cursor: 'e3',
      });
    });

    test('a repeated event is queued once', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '12' });
      const { queued } = await follow(queue, id, [event('e1'), event('e1')], [event('e1'), event('e2')]);
      expect(queued).toEqual(['order.created PENDING e1 -', 'order.created PENDING e2 -']);
    });

    test('a gap is queued once when the subgraph no longer stores the events', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '13' });
      const { requested, queued, cursor } = await follow(
        queue,
        id,
        [event('e1')],
        [mark('e1'), mark('p9'), gap],
        [mark('p9'), event('e10')],
      );
      expect({ requested, queued, cursor }).toEqual({
        requested: [undefined, 'e1', 'p9'],
        queued: ['order.created PENDING e1 -', 'webhook.gap PENDING order.created after e1 -', 'order.created PENDING e10 -'],
        cursor: 'e10',
      });
    });

    test('a gap is queued after the stream failed between its bookmark and the gap', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '14' });
      const { requested, queued } = await follow(
        queue,
        id,
        [event('e1')],
        [mark('e1'), mark('p9'), 'TOKEN_EXPIRED'],
        [mark('e1'), mark('p9'), gap],
      );
      expect({ requested, queued: queued.at(-1) }).toEqual({
        requested: [undefined, 'e1', 'e1'],
        queued: 'webhook.gap PENDING order.created after e1 -',
      });
    });

    test('an incomplete event is queued when it can be read completely', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '15' });
      const broken = event('e1', 'CREATED', ['SUBGRAPH_UNAVAILABLE']);
      const { requested, queued } = await follow(queue, id, [mark('p0'), broken], [mark('p0'), event('e1')]);
      expect({ requested, queued }).toEqual({ requested: [undefined, 'p0'], queued: ['order.created PENDING e1 -'] });
    });

    test('an event that the owner may see only in part is queued as BLOCKED', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '16' });
      const { queued, cursor } = await follow(queue, id, [event('e1', 'CREATED', ['FORBIDDEN'])]);
      expect({ queued, cursor }).toEqual({ queued: ['order.created BLOCKED e1 FORBIDDEN'], cursor: 'e1' });
    });

    test.each(['SUBGRAPH_UNAVAILABLE', 'FORBIDDEN'])('an incomplete event of another kind, with %s, is skipped', async (code) => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: code === 'FORBIDDEN' ? '31' : '32' });
      const { requested, queued, cursor } = await follow(queue, id, [event('e1', 'MOVED', [code]), event('e2')]);
      expect({ requested, queued, cursor }).toEqual({ requested: [undefined], queued: ['order.created PENDING e2 -'], cursor: 'e2' });
    });

    test('equal events without IDs are all queued', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '33' });
      const { queued } = await follow(queue, id, [unnumbered('o1'), unnumbered('o2'), unnumbered('o1')]);
      expect(queued).toEqual(Array(3).fill('order.created PENDING ~ -'));
      expect(new Set((await queue.deliveries(id)).map(({ eventId }) => eventId)).size).toBe(3);
    });

    test('each gap is queued when a stream without IDs fails repeatedly', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '34' });
      const { requested, queued } = await follow(queue, id, [unnumbered('o1')], [gap, unnumbered('o2')], [gap], [gap, unnumbered('o3')]);
      expect({ requested, queued }).toEqual({
        requested: [undefined, '~', '~', '~'],
        queued: [
          'order.created PENDING ~ -',
          'webhook.gap PENDING order.created after ~ -',
          'order.created PENDING ~ -',
          'webhook.gap PENDING order.created after ~ -',
          'webhook.gap PENDING order.created after ~ -',
          'order.created PENDING ~ -',
        ],
      });
    });

    test('each gap is queued before the first event', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '35' });
      const { queued } = await follow(queue, id, [gap], [gap]);
      expect(queued).toEqual(Array(2).fill('webhook.gap PENDING order.created after ~ -'));
    });

    test('several processes queue equal events without IDs, and gaps, once', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '36' });
      const shared = createSharedEvents(3);
      const followers = Array.from({ length: 3 }, async () => followShared(queue, id, shared.join));
      await shared.report(unnumbered('o1'), unnumbered('o1'), gap, unnumbered('o2'), gap, unnumbered('o1'));
      await Promise.all(followers);
      expect(countOf((await queue.deliveries(id)).map(({ event: name, body }) => `${name} ${orderIn(body)}`))).toEqual({
        'order.created o1': 3,
        'order.created o2': 1,
        'webhook.gap -': 2,
      });
    });

    test('overlapping streams without a cursor queue each event once, and no gap', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '37' });
      const shared = createSharedEvents(2);
      const requested: (string | undefined)[] = [];
      const following = followShared(queue, id, shared.join, { requested, relieveAfterMs: 0, streams: 2 });
      await shared.report(unnumbered('o1'), unnumbered('o2'), unnumbered('o1'));
      await following;
      const queued = (await queue.deliveries(id)).map(({ body }) => orderIn(body));
      expect({ requested, queued: queued.toSorted() }).toEqual({ requested: [undefined, undefined], queued: ['o1', 'o1', 'o2'] });
    });

    test('endpoints of other owners or with other roles get no event', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '17' });
      const [{ id: foreign }, { id: admin }] = [
        await position({ ownerId: '18' }),
        await position({ ownerId: '17', ownerRoles: ['ADMIN'] }),
      ];
      await follow(queue, id, [event('e1')]);
      expect([await queue.deliveries(foreign), await queue.deliveries(admin)]).toEqual([[], []]);
    });
  });
});
