import { sql as raw } from 'drizzle-orm';
import type { Sql } from '../database/database.ts';
import { outbox } from '../database/kit-tables.ts';
import type { EventPayload } from '../events/event-bus.ts';

/** Any number that nothing else locks; one lock for all events keeps their ids in the order of the commits. */
const OUTBOX_LOCK = 7_201_001;

/** Held by the one relay that publishes. */
export const RELAY_LOCK = 7_201_003;

/** Adds events to the transaction that they tell of. */
export async function appendToOutbox(
  sql: Sql,
  subgraph: string,
  events: readonly { readonly topic: string; readonly payload: EventPayload }[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  // Held until the commit: without it a later id could become visible before an earlier one.
  await sql.execute(raw`select pg_advisory_xact_lock(${OUTBOX_LOCK})`);
  await sql.insert(outbox).values(events.map(({ topic, payload }) => ({ subgraph, topic, payload, createdAt: now })));
}
