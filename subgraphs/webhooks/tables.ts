import { boolean, integer, pgSchema, text } from 'drizzle-orm/pg-core';
import { generatedId, id, instant } from '../kit/database/columns.ts';

/** State of an endpoint. It is PENDING until its receiver has responded to a signed ping with 2xx. */
export type EndpointState = 'PENDING' | 'ACTIVE' | 'DISABLED';

/** Reason why an endpoint was disabled: 410 Gone, days of failures, its owner, or an owner who no longer exists. */
export type DisabledReason = 'GONE' | 'FAILING' | 'OWNER' | 'OWNER_GONE';

/**
 * State of a delivery: DEAD after the last attempt; BLOCKED when its address or its data is forbidden; CANCELLED when it was removed from
 * the queue.
 */
export type DeliveryState = 'PENDING' | 'DELIVERED' | 'DEAD' | 'BLOCKED' | 'CANCELLED';

const webhooks = pgSchema('webhooks');

export const endpoints = webhooks.table('endpoints', {
  id: generatedId(),
  ownerId: text().notNull(),
  ownerRoles: text().array().notNull(),
  ownerScopes: text().array().notNull(),
  url: text().notNull(),
  events: text().array().notNull(),
  isOrdered: boolean().notNull(),
  state: text().$type<EndpointState>().notNull(),
  disabledReason: text().$type<DisabledReason>(),
  failingSince: instant(),
  lastDeliveredAt: instant(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  version: integer().notNull(),
});

export type EndpointRow = typeof endpoints.$inferSelect;

export const secrets = webhooks.table('secrets', {
  id: generatedId(),
  endpointId: id().notNull(),
  sealed: text().notNull(),
  createdAt: instant().notNull(),
  expiresAt: instant(),
});

export type SecretRow = typeof secrets.$inferSelect;

export const deliveries = webhooks.table('deliveries', {
  id: generatedId(),
  endpointId: id().notNull(),
  messageId: text().notNull(),
  event: text().notNull(),
  eventId: text(),
  entityKey: text(),
  body: text().notNull(),
  state: text().$type<DeliveryState>().notNull(),
  attempts: integer().notNull(),
  nextAttemptAt: instant().notNull(),
  leaseUntil: instant(),
  lastStatus: integer(),
  lastCode: text(),
  lastAttemptAt: instant(),
  createdAt: instant().notNull(),
  finishedAt: instant(),
});

export type DeliveryRow = typeof deliveries.$inferSelect;

export const cursors = webhooks.table('cursors', {
  streamKey: text().primaryKey(),
  lastEventId: text().notNull(),
  updatedAt: instant().notNull(),
});
