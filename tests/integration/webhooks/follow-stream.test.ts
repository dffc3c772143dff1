import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { compileWebhookDocuments } from '../../../subgraphs/webhooks/documents/compile-webhook-document.ts';
import { type FollowOptions, followStream } from '../../../subgraphs/webhooks/events/follow-stream.ts';
import { streamsOf } from '../../../subgraphs/webhooks/events/owner-stream.ts';
import { type StreamItem, StreamRejected } from '../../../subgraphs/webhooks/events/read-events.ts';
import { readPosition } from '../../../subgraphs/webhooks/events/record-item.ts';
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
/** As `event`, of a subgraph that gives no ids. */
const unnumbered = (id: string, codes: readonly string[] = []): StreamItem =>
  ({ ...event(id, 'CREATED', codes), id: undefined }) as StreamItem;
const gap: StreamItem = { kind: 'gap' };
const mark = (id: string): StreamItem => ({ kind: 'bookmark', id });

const common = ({ database, clock }: DeliveryQueue): Omit<FollowOptions, 'gateway'> => ({
  database,
  sign: async () => 'token',
  checkOwner: async ({ ownerRoles }) => ownerRoles,
  onQueued: () => undefined,
  clock,
  log: silentLogger,
  random: () => 0,
});

/** What the gateway gives in each of its streams, one after another; a code ends one. After the last one, nobody follows any more. */
async function follow(queue: DeliveryQueue, endpointId: string, ...streams: readonly (readonly (StreamItem | string)[])[]) {
  const stream = [...streamsOf([await queue.endpoint(endpointId)], documents).values()][0];
  if (stream === undefined) throw new Error('The endpoint wants one.');
  const stop = new AbortController();
  const requested: (string | undefined)[] = [];
  await followStream(stream, stop.signal, {
    ...common(queue),
    gateway: {
      async *read({ lastEventId }) {
        const items = streams[requested.length] ?? [];
        requested.push(lastEventId);
        for (const item of items) {
          if (typeof item === 'string') throw new StreamRejected(item, 'It is over.');
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

/** What all who join are told, once there are so many. */
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
  /** Streams after whose ends nobody follows any more. @defaultValue 1 */
  readonly streams?: number;
}

/** One process that reads what is shared; a stream that is too many waits for the end. */
async function followShared(
  queue: DeliveryQueue,
  endpointId: string,
  join: () => AsyncGenerator<StreamItem, undefined>,
  { requested = [], relieveAfterMs, streams = 1 }: FollowShared = {},
): Promise<void> {
  const [stream] = streamsOf([await queue.endpoint(endpointId)], documents).values();
  if (stream === undefined) throw new Error('The endpoint wants one.');
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
    test('given a stream that begins and ends, when it is followed, then the next one goes on after the last event or mark', async () => {
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

    test('given an event that comes twice, when it is followed, then it is queued once', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '12' });
      const { queued } = await follow(queue, id, [event('e1'), event('e1')], [event('e1'), event('e2')]);
      expect(queued).toEqual(['order.created PENDING e1 -', 'order.created PENDING e2 -']);
    });

    test('given a subgraph that has not kept what came after the last event, when it says so, then the endpoint is told, once, and it goes on', async () => {
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

    test('given a stream that breaks between the mark of a gap and the gap, when it is read again, then the gap is told', async () => {
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

    test('given an event that cannot be computed whole, when another subgraph is back, then it is queued whole', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '15' });
      const broken = event('e1', 'CREATED', ['SUBGRAPH_UNAVAILABLE']);
      const { requested, queued } = await follow(queue, id, [mark('p0'), broken], [mark('p0'), event('e1')]);
      expect({ requested, queued }).toEqual({ requested: [undefined, 'p0'], queued: ['order.created PENDING e1 -'] });
    });

    test('given an event of which the owner may not see all, when it comes, then it is blocked, and its owner can see that', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '16' });
      const { queued, cursor } = await follow(queue, id, [event('e1', 'CREATED', ['FORBIDDEN'])]);
      expect({ queued, cursor }).toEqual({ queued: ['order.created BLOCKED e1 FORBIDDEN'], cursor: 'e1' });
    });

    test.each(['SUBGRAPH_UNAVAILABLE', 'FORBIDDEN'])(
      'given an event of another kind of which something is missing, with %s, when it comes, then it is passed by at once',
      async (code) => {
        const { queue, place: position } = stage();
        const { id } = await position({ ownerId: code === 'FORBIDDEN' ? '31' : '32' });
        const { requested, queued, cursor } = await follow(queue, id, [event('e1', 'MOVED', [code]), event('e2')]);
        expect({ requested, queued, cursor }).toEqual({ requested: [undefined], queued: ['order.created PENDING e2 -'], cursor: 'e2' });
      },
    );

    test('given a subgraph that gives no ids, when it tells several events, two of them alike, then each is queued', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '33' });
      const { queued } = await follow(queue, id, [unnumbered('o1'), unnumbered('o2'), unnumbered('o1')]);
      expect(queued).toEqual(Array(3).fill('order.created PENDING ~ -'));
      expect(new Set((await queue.deliveries(id)).map(({ eventId }) => eventId)).size).toBe(3);
    });

    test('given a stream of events without ids that breaks again and again, when it is asked for again, then each gap is told', async () => {
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

    test('given a stream that has told nothing yet, when something may have been missed twice, then each gap is told', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '35' });
      const { queued } = await follow(queue, id, [gap], [gap]);
      expect(queued).toEqual(Array(2).fill('webhook.gap PENDING order.created after ~ -'));
    });

    test('given several processes, when all are told the same events without ids, alike and of the same gap, then each is queued once', async () => {
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

    test('given a stream without a place whose token is about to end, when the next one is open, then what both tell is queued once, and no gap', async () => {
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

    test('given an endpoint of another owner, or with other roles, when an event comes, then it is not told', async () => {
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
