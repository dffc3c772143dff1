import { integer, numeric, pgSchema, text } from 'drizzle-orm/pg-core';
import { generatedId, id, instant } from '../kit/database/columns.ts';

export const payments = pgSchema('payments').table('payments', {
  id: generatedId(),
  userId: id().notNull(),
  orderId: id(),
  amount: integer().notNull(),
  currency: text().notNull(),
  status: text().$type<'SUCCEEDED' | 'REFUNDED'>().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  version: integer().notNull(),
});

export type PaymentRow = typeof payments.$inferSelect;

/** View that orders publishes: user, price and status of an order. */
export const payableOrders = pgSchema('orders').table('payable_orders', {
  orderId: id().notNull(),
  userId: id().notNull(),
  status: text().notNull(),
  /** @unit euros, with two decimals */
  total: numeric().notNull(),
});
