import { describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { compileWebhookDocuments } from '../../../subgraphs/webhooks/documents/compile-webhook-document.ts';
import { startEventsWorker } from '../../../subgraphs/webhooks/events/events-worker.ts';
import { inheritCursors, storeCursors } from '../../../subgraphs/webhooks/events/store-cursors.ts';
import { type OwnerStream, streamsOf } from '../../../subgraphs/webhooks/events/owner-stream.ts';
import type { StreamItem } from '../../../subgraphs/webhooks/events/read-events.ts';
import { readPosition } from '../../../subgraphs/webhooks/events/record-item.ts';
import { cursors } from '../../../subgraphs/webhooks/tables.ts';
import { storedPermissions } from '../../../subgraphs/webhooks/owners/permissions.ts';
import { describeOnQueue } from './describe-on-queue.ts';
import { eventually } from '../../support/time/eventually.ts';

const DOCUMENT = 'subscription A @webhook(event: "order.created") { changed { kind @only(value: "CREATED") id @entity } }';
const documents = new Map(compileWebhookDocuments(DOCUMENT).map((document) => [document.event, document]));
const MINUTE_MS = 60_000;

const positionOf = async (database: Database, key: string) => (await readPosition(database, { key })).lastEventId;

describe('stream cursors', () => {
  describeOnQueue('retention', (stage) => {
    const put = async (streamKey: string, updatedAt: Date, lastEventId = 'e1') =>
      stage().queue.database.sql.insert(cursors).values({ streamKey, lastEventId, updatedAt });
    const later = (minutes: number) => new Date(stage().queue.clock.now() + minutes * MINUTE_MS);
    const streamOf = async (id: string): Promise<OwnerStream> => {
      const [stream] = streamsOf([await stage().queue.endpoint(id)], documents).values();
      if (stream === undefined) throw new Error('The endpoint has no stream.');
      return stream;
    };

    test('a quiet stream resumes at its cursor after a short time without endpoints', async () => {
      const { database } = stage().queue;
      await put('quiet', later(-60));
      await storeCursors(database, ['quiet'], later(0));
      await storeCursors(database, [], later(1));
      expect(await positionOf(database, 'quiet')).toBe('e1');
    });

    test('an unused cursor is deleted when its events are no longer stored', async () => {
      const { database } = stage().queue;
      await put('unwanted', later(0));
      await storeCursors(database, [], later(9));
      const before = await positionOf(database, 'unwanted');
      await storeCursors(database, ['another'], later(11));
      expect([before, await positionOf(database, 'unwanted')]).toEqual(['e1', undefined]);
    });

    test('more streams than statement parameters are all processed', async () => {
      const { queue, place: position } = stage();
      const { id } = await position({ ownerId: '21' });
      const stream = await streamOf(id);
      const keys = Array.from({ length: 70_000 }, (_, number) => `many ${number}`);
      await put('many 69999', later(-60));
      await inheritCursors(queue.database, [stream], [...keys, stream.key]);
      await storeCursors(queue.database, keys, later(0));
      expect(await positionOf(queue.database, 'many 69999')).toBe('e1');
    });

    test('owners with changed roles inherit their own cursors in one statement', async () => {
      const { queue, place: position } = stage();
      const { database, clock } = queue;
      const owners = await Promise.all(['22', '23', '24'].map(async (ownerId) => position({ ownerId, ownerRoles: ['ADMIN'] })));
      const streams = await Promise.all(owners.map(({ id }) => streamOf(id)));
      const [one, two, three] = streams as [OwnerStream, OwnerStream, OwnerStream];
      await put(`${one.family}before------`, later(-5), 'older');
      await put(`${one.family}roles-------`, later(-2), 'one');
      await put(`${two.family}roles-------`, later(-2), 'two');
      await put(three.key, later(-5), 'its own');
      await put(`${three.family}roles-------`, later(-2), 'three');
      const statements: string[] = [];
      const requested = new Map<string, string | undefined>();
      using _observed = database.observe(({ text }) => void statements.push(text));
      const worker = startEventsWorker({
        database,
        documents,
        gateway: {
          async *read({ lastEventId, token }, signal) {
            requested.set(token, lastEventId);
            yield* await new Promise<readonly StreamItem[]>((resolve) => signal.addEventListener('abort', () => resolve([])));
          },
        },
        sign: async ({ id }) => id,
        checkOwner: async (endpoint) => storedPermissions(endpoint),
        onQueued: () => undefined,
        clock,
        log: silentLogger,
      });
      await eventually(() => ['22', '23', '24'].every((ownerId) => requested.has(ownerId)));
      await worker.stop();
      expect(['22', '23', '24'].map((ownerId) => requested.get(ownerId))).toEqual(['one', 'two', 'its own']);
      expect(statements.filter((text) => text.includes('distinct on'))).toHaveLength(1);
    });
  });
});
