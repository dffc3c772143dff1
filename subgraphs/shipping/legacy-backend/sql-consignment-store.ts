import { customType, integer, pgSchema, smallint, timestamp } from 'drizzle-orm/pg-core';
import { sql as raw } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import type { Consignment, ConsignmentState } from './consignment.ts';
import type { ConsignmentStore } from './consignment-store.ts';

const orderNumber = customType<{ data: number; driverData: string | number }>({ dataType: () => 'bigint', fromDriver: Number });

const consignments = pgSchema('legacy_shipping').table('consignments', {
  orderId: orderNumber().primaryKey(),
  pieces: integer().notNull(),
  state: smallint().$type<ConsignmentState>().notNull(),
  handedOverAt: timestamp({ withTimezone: true, precision: 0, mode: 'date' }).notNull(),
});

/** Creates a store with a table of the back end. */
export function createSqlConsignmentStore({ sql }: Pick<Database, 'sql'>): ConsignmentStore {
  return {
    async find(orderIds): Promise<readonly Consignment[]> {
      if (orderIds.length === 0) return [];
      return sql
        .select()
        .from(consignments)
        .where(raw`${consignments.orderId} = any(${`{${orderIds.join(',')}}`}::bigint[])`);
    },
    async add(consignment) {
      const added = await sql.insert(consignments).values(consignment).onConflictDoNothing().returning({ orderId: consignments.orderId });
      return added.length > 0;
    },
  };
}
