import { boolean, integer, pgSchema, text } from 'drizzle-orm/pg-core';
import { generatedId, id, instant, money } from '../kit/database/columns.ts';
import type { OrderStatus } from './order-status.ts';

export const orders = pgSchema('orders').table('orders', {
  id: generatedId(),
  userId: id().notNull(),
  productId: id().notNull(),
  qty: integer().notNull(),
  unitPrice: money().notNull(),
  total: money().notNull(),
  status: text().$type<OrderStatus>().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  version: integer().notNull(),
});

export type OrderRow = typeof orders.$inferSelect;

/** View that payments publish: orders with a succeeded payment. */
export const paidOrders = pgSchema('payments').table('paid_orders', {
  orderId: id().notNull(),
});

/** The view that the catalogue publishes: all that orders know of a product. */
export const productPrices = pgSchema('catalogue').table('product_prices', {
  productId: id().notNull(),
  price: money().notNull(),
  inStock: boolean().notNull(),
});
