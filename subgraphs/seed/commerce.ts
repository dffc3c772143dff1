import type { ScriptSession } from '../kit/database/database.ts';
import { createCommerceRows } from './commerce-rows.ts';
import { continueIds, insertRows } from './insert-rows.ts';

/** Fills the empty tables of catalogue, orders, payments and the legacy shipping backend. The data is the same every time. */
export async function seedCommerce(session: ScriptSession): Promise<void> {
  const { books, orders, payments, consignments } = createCommerceRows();
  await insertRows(session, 'catalogue.books', books);
  await insertRows(session, 'orders.orders', orders);
  await insertRows(session, 'payments.payments', payments);
  await insertRows(session, 'legacy_shipping.consignments', consignments);
  for (const table of ['catalogue.books', 'orders.orders', 'payments.payments']) await continueIds(session, table);
}
