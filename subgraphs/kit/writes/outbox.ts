import { sql as raw } from 'drizzle-orm';
import type { Sql } from '../database/database.ts';
import { outbox } from '../database/kit-tables.ts';
import type { EventPayload } from '../events/event-bus.ts';

/** Key of an advisory lock that nothing else uses. One lock for all events makes their ids follow the order of the commits. */
const OUTBOX_LOCK = 7_201_001;

/** Key of the lock of the relay that publishes the events. */
export const RELAY_LOCK = 7_201_003;

/** Adds events to the transaction that causes them. */
export async function appendToOutbox(
  sql: Sql,
  subgraph: string,
  events: readonly { readonly topic: string; readonly payload: EventPayload }[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  // The lock is held until the commit. Without it, a later id could become visible before an earlier one.
  await sql.execute(raw`select pg_advisory_xact_lock(${OUTBOX_LOCK})`);
  await sql.insert(outbox).values(events.map(({ topic, payload }) => ({ subgraph, topic, payload, createdAt: now })));
}
