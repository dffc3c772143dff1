import type { ScriptSession } from '../kit/database/database.ts';
import { createCommerceRows } from './commerce-rows.ts';

/** Fills the empty tables of catalogue, orders, payments and the legacy shipping backend. The data is the same every time. */
export async function seedCommerce(session: ScriptSession): Promise<void> {
  const { books, orders, payments, consignments } = createCommerceRows();
  await insertRows(session, 'catalogue.books', books);
  await insertRows(session, 'orders.orders', orders);
  await insertRows(session, 'payments.payments', payments);
  await insertRows(session, 'legacy_shipping.consignments', consignments);
  for (const table of ['catalogue.books', 'orders.orders', 'payments.payments']) {
    // The ids were given; what is created next counts on from them.
    await session.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
  }
}

/** All rows of a table in one statement. */
async function insertRows(session: ScriptSession, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await session.query(`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::text::json)`, [
    JSON.stringify(rows),
  ]);
}
