import { jsonb, pgSchema, text } from 'drizzle-orm/pg-core';
import type { EventPayload } from '../events/event-bus.ts';
import { generatedId, instant } from './columns.ts';

const kit = pgSchema('kit');

/** Writes with an idempotency key. `outcome` is null only inside the transaction of the write. */
export const idempotencyRecords = kit.table('idempotency_records', {
  subgraph: text().notNull(),
  principal: text().notNull(),
  key: text().notNull(),
  fingerprint: text().notNull(),
  outcome: text(),
  createdAt: instant().notNull(),
});

/** Events that are committed but not yet published. */
export const outbox = kit.table('outbox', {
  id: generatedId(),
  subgraph: text().notNull(),
  topic: text().notNull(),
  payload: jsonb().$type<EventPayload>().notNull(),
  createdAt: instant().notNull(),
});
