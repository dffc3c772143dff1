import { gt } from 'drizzle-orm';
import { integer, pgSchema } from 'drizzle-orm/pg-core';
import { id, instant } from '../kit/database/columns.ts';
import type { Database } from '../kit/database/database.ts';
import type { Parcel } from './booking-client.ts';

/** View that orders publishes. */
const shippedOrders = pgSchema('orders').table('shipped_orders', {
  orderId: id().notNull(),
  qty: integer().notNull(),
  shippedAt: instant().notNull(),
});

/** Returns the orders that were shipped after a time. */
export async function readShippedSince({ sql }: Pick<Database, 'sql'>, since: Date): Promise<readonly Parcel[]> {
  const rows = await sql.select().from(shippedOrders).where(gt(shippedOrders.shippedAt, since)).orderBy(shippedOrders.shippedAt);
  return rows.map(({ orderId, qty, shippedAt }) => ({ orderId, pieces: qty, handedOverAt: shippedAt }));
}
