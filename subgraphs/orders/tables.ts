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

/** View that payments publishes: orders with a successful payment. */
export const paidOrders = pgSchema('payments').table('paid_orders', {
  orderId: id().notNull(),
});

/** View that the catalogue publishes: the product data that orders needs. */
export const productPrices = pgSchema('catalogue').table('product_prices', {
  productId: id().notNull(),
  price: money().notNull(),
  inStock: boolean().notNull(),
});
