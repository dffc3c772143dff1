import { and, arrayContains, eq } from 'drizzle-orm';
import type { Database, Sql } from '../../kit/database/database.ts';
import { enqueue } from '../delivery/enqueue.ts';
import { entityKeyOf, isOfDocument } from '../documents/webhook-document.ts';
import { cursors, endpoints, type EndpointRow } from '../tables.ts';
import type { OwnerStream } from './owner-stream.ts';
import { toPayload } from './payload.ts';
import type { Data } from './read-events.ts';

/** Tells an endpoint that events may have been missed; its `data` says of which kind. */
const GAP_EVENT = 'webhook.gap';

export interface RecordedEvent {
  /** Undefined where the subgraph gives none. */
  readonly id: string | undefined;
  readonly data: Data;
  /** Why nobody is sent it; its owner can see it, and why. */
  readonly end?: { readonly state: 'BLOCKED' | 'DEAD'; readonly code: string } | undefined;
  readonly now: Date;
}

/**
 * Queues an event for all endpoints that want it and moves the stream's place behind it, in one transaction: whoever reads on reads on after
 * what is queued. What comes twice is queued once.
 */
export async function recordEvent(database: Database, stream: OwnerStream, { id, data, end, now }: RecordedEvent): Promise<void> {
  const { document } = stream;
  await database.transaction(async (sql) => {
    if (isOfDocument(data, document) || end !== undefined) {
      const { body, isTooLarge } = toPayload({ event: document.event, at: now, data });
      const finished = end ?? (isTooLarge ? ({ state: 'DEAD', code: 'PAYLOAD_TOO_LARGE' } as const) : undefined);
      for (const endpoint of await readersOf(sql, stream)) {
        const entityKey = endpoint.isOrdered ? entityKeyOf(data, document) : null;
        await enqueue(sql, { endpointId: endpoint.id, event: document.event, eventId: id ?? null, entityKey, body, end: finished, now });
      }
    }
    if (id !== undefined) await writeCursor(sql, stream, id, now);
  });
}

/** How far the stream has come without an event. */
export async function recordMark(database: Database, stream: OwnerStream, id: string, now: Date): Promise<void> {
  await database.transaction(async (sql) => writeCursor(sql, stream, id, now));
}

/**
 * Tells all endpoints that events may have been missed, once for each gap, and goes on after it.
 *
 * @param from the last event before it
 * @param to where the stream goes on; undefined where nobody says it
 */
export async function recordGap(
  database: Database,
  stream: OwnerStream,
  { from, to, now }: { readonly from: string | undefined; readonly to: string | undefined; readonly now: Date },
): Promise<void> {
  const { event } = stream.document;
  const body = JSON.stringify({ type: GAP_EVENT, timestamp: now.toISOString(), data: { event } });
  await database.transaction(async (sql) => {
    for (const { id: endpointId } of await readersOf(sql, stream)) {
      await enqueue(sql, { endpointId, event: GAP_EVENT, eventId: `${event} after ${from ?? '-'}`, entityKey: null, body, now });
    }
    if (to === undefined) await sql.delete(cursors).where(eq(cursors.streamKey, stream.key));
    else await writeCursor(sql, stream, to, now);
  });
}

/** The last event of a stream that was queued, or passed by. */
export async function readCursor({ sql }: Database, { key }: Pick<OwnerStream, 'key'>): Promise<string | undefined> {
  const [row] = await sql.select().from(cursors).where(eq(cursors.streamKey, key));
  return row?.lastEventId;
}

async function readersOf(sql: Sql, { document, owner }: OwnerStream): Promise<readonly EndpointRow[]> {
  const own = and(eq(endpoints.ownerId, owner.id), eq(endpoints.state, 'ACTIVE'), arrayContains(endpoints.events, [document.event]));
  const rows = await sql.select().from(endpoints).where(own).orderBy(endpoints.id);
  return rows.filter(
    ({ ownerRoles }) => ownerRoles.length === owner.roles.length && ownerRoles.every((role) => owner.roles.includes(role)),
  );
}

async function writeCursor(sql: Sql, { key }: OwnerStream, lastEventId: string, now: Date): Promise<void> {
  await sql
    .insert(cursors)
    .values({ streamKey: key, lastEventId, updatedAt: now })
    .onConflictDoUpdate({ target: cursors.streamKey, set: { lastEventId, updatedAt: now } });
}
