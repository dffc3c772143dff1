import { afterAll, beforeAll, describe } from '@jest/globals';
import type { EndpointRow } from '../../../subgraphs/webhooks/tables.ts';
import { missingPostgresql } from '../../support/database/missing-postgresql.ts';
import { type DeliveryQueue, openDeliveryQueue } from './delivery-queue.ts';
import { type Received, startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';

/** A queue, a receiver for its messages, and endpoints that no other test uses. */
export interface QueueStage {
  readonly queue: DeliveryQueue;
  readonly receiver: WebhookReceiver;
  /** Creates an endpoint at a separate path. The receiver returns 204 from then on. */
  readonly place: (row?: Partial<EndpointRow>) => Promise<{ readonly id: string; readonly received: () => readonly Received[] }>;
}

const missing = await missingPostgresql();

/** Runs the tests on the embedded database and, when one is available, on a PostgreSQL server. */
export function describeOnQueue(title: string, body: (stage: () => QueueStage) => void): void {
  describe.each(['embedded', 'server'] as const)(`${title}, on the %s database`, (kind) => {
    const run = kind === 'server' && missing !== undefined ? describe.skip : describe;
    run(kind === 'server' ? (missing ?? 'PostgreSQL') : 'PGlite', () => {
      let stage: QueueStage | undefined;
      beforeAll(async () => {
        stage = await openStage(kind);
      });
      afterAll(async () => {
        await stage?.queue[Symbol.asyncDispose]();
        await stage?.receiver[Symbol.asyncDispose]();
      });
      body(() => {
        if (stage === undefined) throw new Error('The stage is available only while the tests run.');
        return stage;
      });
    });
  });
}

async function openStage(kind: 'embedded' | 'server'): Promise<QueueStage> {
  const [queue, receiver] = await Promise.all([openDeliveryQueue(kind), startWebhookReceiver()]);
  let positions = 0;
  return {
    queue,
    receiver,
    async place(row = {}) {
      positions += 1;
      const path = `/hook-${positions}`;
      receiver.respond = () => ({ status: 204 });
      const id = await queue.addEndpoint({ url: receiver.url + path, ...row });
      return { id, received: () => receiver.received.filter((message) => message.path === path) };
    },
  };
}
