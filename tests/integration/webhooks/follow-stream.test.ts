import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { compileWebhookDocuments } from '../../../subgraphs/webhooks/documents/compile-webhook-document.ts';
import { followStream } from '../../../subgraphs/webhooks/events/follow-stream.ts';
import { streamsOf } from '../../../subgraphs/webhooks/events/owner-stream.ts';
import { type StreamItem, StreamRefused } from '../../../subgraphs/webhooks/events/read-events.ts';
import { readCursor } from '../../../subgraphs/webhooks/events/record-item.ts';
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
const mark = (id: string): StreamItem => ({ kind: 'mark', id });

/** What the gateway gives in each of its streams, one after another; a code ends one. After the last one, nobody follows any more. */
async function follow(queue: DeliveryQueue, endpointId: string, ...streams: readonly (readonly (StreamItem | string)[])[]) {
  const stream = [...streamsOf([await queue.endpoint(endpointId)], documents).values()][0];
  if (stream === undefined) throw new Error('The endpoint wants one.');
  const stop = new AbortController();
  const asked: (string | undefined)[] = [];
  await followStream(stream, stop.signal, {
    database: queue.database,
    sign: async () => 'token',
    checkOwner: async ({ ownerRoles }) => ownerRoles,
    onQueued: () => undefined,
    clock: queue.clock,
    log: silentLogger,
    random: () => 0,
    gateway: {
      async *read({ lastEventId }) {
        const items = streams[asked.length] ?? [];
        asked.push(lastEventId);
        for (const item of items) {
          if (typeof item === 'string') throw new StreamRefused(item, 'It is over.');
          yield item;
        }
        queue.clock.advance(2_000);
        if (asked.length >= streams.length) stop.abort();
      },
    },
  });
  const queued = (await queue.deliveries(endpointId)).map(
    (row) => `${row.event} ${row.state} ${row.eventId ?? '-'} ${row.lastCode ?? '-'}`,
  );
  return { asked, queued, cursor: await readCursor(queue.database, stream) };
}

describe('reading events', () => {
  describeOnQueue('of one owner', (stage) => {
    test('given a stream that begins and ends, when it is followed, then the next one goes on after the last event or mark', async () => {
      const { queue, place } = stage();
      const { id } = await place({ ownerId: '11' });
      const { asked, queued, cursor } = await follow(
        queue,
        id,
        [mark('p0')],
        [mark('p0'), event('e1'), event('e2', 'MOVED')],
        [mark('e2'), event('e3')],
        [],
      );
      expect({ asked, queued, cursor }).toEqual({
        asked: [undefined, 'p0', 'e2', 'e3'],
        queued: ['order.created PENDING e1 -', 'order.created PENDING e3 -'],
        cursor: 'e3',
      });
    });

    test('given an event that comes twice, when it is followed, then it is queued once', async () => {
      const { queue, place } = stage();
      const { id } = await place({ ownerId: '12' });
      const { queued } = await follow(queue, id, [event('e1'), event('e1')], [event('e1'), event('e2')]);
      expect(queued).toEqual(['order.created PENDING e1 -', 'order.created PENDING e2 -']);
    });

    test('given a subgraph that has not kept what came after the last event, when it says so, then the endpoint is told, once, and it goes on', async () => {
      const { queue, place } = stage();
      const { id } = await place({ ownerId: '13' });
      const { asked, queued, cursor } = await follow(
        queue,
        id,
        [event('e1')],
        [mark('e1'), mark('p9'), { kind: 'gap' }],
        [mark('p9'), event('e10')],
      );
      expect({ asked, queued, cursor }).toEqual({
        asked: [undefined, 'e1', 'p9'],
        queued: ['order.created PENDING e1 -', 'webhook.gap PENDING order.created after e1 -', 'order.created PENDING e10 -'],
        cursor: 'e10',
      });
    });

    test('given a stream that breaks between the mark of a gap and the gap, when it is read again, then the gap is told', async () => {
      const { queue, place } = stage();
      const { id } = await place({ ownerId: '14' });
      const { asked, queued } = await follow(
        queue,
        id,
        [event('e1')],
        [mark('e1'), mark('p9'), 'TOKEN_EXPIRED'],
        [mark('e1'), mark('p9'), { kind: 'gap' }],
      );
      expect({ asked, queued: queued.at(-1) }).toEqual({
        asked: [undefined, 'e1', 'e1'],
        queued: 'webhook.gap PENDING order.created after e1 -',
      });
    });

    test('given an event that cannot be computed whole, when another subgraph is back, then it is queued whole', async () => {
      const { queue, place } = stage();
      const { id } = await place({ ownerId: '15' });
      const broken = event('e1', 'CREATED', ['SUBGRAPH_UNAVAILABLE']);
      const { asked, queued } = await follow(queue, id, [mark('p0'), broken], [mark('p0'), event('e1')]);
      expect({ asked, queued }).toEqual({ asked: [undefined, 'p0'], queued: ['order.created PENDING e1 -'] });
    });

    test('given an event of which the owner may not see all, when it comes, then it is blocked, and its owner can see that', async () => {
      const { queue, place } = stage();
      const { id } = await place({ ownerId: '16' });
      const { queued, cursor } = await follow(queue, id, [event('e1', 'CREATED', ['FORBIDDEN'])]);
      expect({ queued, cursor }).toEqual({ queued: ['order.created BLOCKED e1 FORBIDDEN'], cursor: 'e1' });
    });

    test('given an endpoint of another owner, or with other roles, when an event comes, then it is not told', async () => {
      const { queue, place } = stage();
      const { id } = await place({ ownerId: '17' });
      const [{ id: foreign }, { id: admin }] = [await place({ ownerId: '18' }), await place({ ownerId: '17', ownerRoles: ['ADMIN'] })];
      await follow(queue, id, [event('e1')]);
      expect([await queue.deliveries(foreign), await queue.deliveries(admin)]).toEqual([[], []]);
    });
  });
});
