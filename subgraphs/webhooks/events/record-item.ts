import { and, arrayContains, eq, sql as raw } from 'drizzle-orm';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import type { Database, Sql } from '../../kit/database/database.ts';
import { enqueue } from '../delivery/enqueue.ts';
import { entityKeyOf, isOfDocument } from '../documents/webhook-document.ts';
import { includesAll, storedPermissions } from '../owners/permissions.ts';
import { cursors, deliveries, endpoints, type EndpointRow } from '../tables.ts';
import { onlyRow } from '../../kit/database/only-row.ts';
import type { OwnerStream } from './owner-stream.ts';
import { toPayload } from './payload.ts';
import type { Data } from './read-events.ts';
import { identify, type RedeliveryCount } from './redelivery-counts.ts';

/** Event of a message that reports a gap; its `data` contains the event name. */
const GAP_EVENT = 'webhook.gap';

export interface RecordedEvent {
  /** Event id, or, without one, the number of times that the stream has delivered the event. */
  readonly id: string | RedeliveryCount;
  readonly data: Data;
  /** Final state of an event that is not sent. The owner can see it with its reason. */
  readonly end?: { readonly state: 'BLOCKED' | 'DEAD'; readonly code: string } | undefined;
  readonly now: Date;
}

/**
 * Queues an event for all endpoints that receive it, and moves the position of the stream after it, in one transaction. A stream therefore
 * always continues after the last queued event. An event that arrives twice is queued once.
 */
export async function recordEvent(database: Database, stream: OwnerStream, { id, data, end, now }: RecordedEvent): Promise<void> {
  const { document } = stream;
  await database.transaction(async (sql) => {
    if (isOfDocument(data, document) || end !== undefined) await queueEvent(sql, stream, { id, data, end, now });
    await writeCursor(sql, stream, typeof id === 'string' ? id : UNNUMBERED_EVENT, now);
  });
}

async function queueEvent(sql: Sql, stream: OwnerStream, { id, data, end, now }: RecordedEvent): Promise<void> {
  const { document } = stream;
  const { event } = document;
  const readers = await readersOf(sql, stream);
  if (readers.length === 0) return;
  const eventId = typeof id === 'string' ? id : await identify(sql, id, { endpointIds: readers.map((reader) => reader.id), event });
  if (eventId === undefined) return;
  const { body, isTooLarge } = toPayload({ event, at: now, data });
  const finished = end ?? (isTooLarge ? ({ state: 'DEAD', code: 'PAYLOAD_TOO_LARGE' } as const) : undefined);
  for (const endpoint of readers) {
    const entityKey = endpoint.isOrdered ? entityKeyOf(data, document) : null;
    await enqueue(sql, { endpointId: endpoint.id, event, eventId, entityKey, body, end: finished, now });
  }
}

/** Records the position of a stream without an event. */
export async function recordBookmark(database: Database, stream: OwnerStream, id: string, now: Date): Promise<void> {
  await database.transaction(async (sql) => writeCursor(sql, stream, id, now));
}

export interface Gap {
  /** Id of the last event before the gap, or, without one, the number of gaps that the stream has reported. */
  readonly from: string | RedeliveryCount;
  /** Position at which the stream continues; undefined when it is not known. */
  readonly to: string | undefined;
  readonly now: Date;
}

/** Notifies all endpoints once per gap that events may have been missed, and moves the position after the gap. */
export async function recordGap(database: Database, stream: OwnerStream, { from, to, now }: Gap): Promise<void> {
  const { event } = stream.document;
  const prefix = `${event} after `;
  const body = JSON.stringify({ type: GAP_EVENT, timestamp: now.toISOString(), data: { event } });
  await database.transaction(async (sql) => {
    const endpointIds = (await readersOf(sql, stream)).map(({ id }) => id);
    const eventId = typeof from === 'string' ? `${prefix}${from}` : await identify(sql, from, { endpointIds, event: GAP_EVENT, prefix });
    for (const endpointId of eventId === undefined ? [] : endpointIds) {
      await enqueue(sql, { endpointId, event: GAP_EVENT, eventId: eventId ?? null, entityKey: null, body, now });
    }
    if (to === undefined) await sql.delete(cursors).where(eq(cursors.streamKey, stream.key));
    else await writeCursor(sql, stream, to, now);
  });
}

/** Position of a stream. */
export interface StreamPosition {
  /** Id of the last event that was queued or skipped; a constant for events without an id. */
  readonly lastEventId: string | undefined;
  /** Id of the last delivery that any process has queued. */
  readonly lastQueued: string;
}

export async function readPosition({ sql }: Pick<Database, 'sql'>, { key }: Pick<OwnerStream, 'key'>): Promise<StreamPosition> {
  const [row] = await sql.select().from(cursors).where(eq(cursors.streamKey, key));
  const { last } = onlyRow(await sql.select({ last: raw<string>`coalesce(max(${deliveries.id}), 0)::text` }).from(deliveries));
  return { lastEventId: row?.lastEventId, lastQueued: last };
}

async function readersOf(sql: Sql, { document, owner }: OwnerStream): Promise<readonly EndpointRow[]> {
  const own = and(eq(endpoints.ownerId, owner.id), eq(endpoints.state, 'ACTIVE'), arrayContains(endpoints.events, [document.event]));
  const rows = await sql.select().from(endpoints).where(own).orderBy(endpoints.id);
  return rows.filter((endpoint) => {
    const stored = storedPermissions(endpoint);
    return includesAll(owner, stored) && includesAll(stored, owner);
  });
}

async function writeCursor(sql: Sql, { key }: OwnerStream, lastEventId: string, now: Date): Promise<void> {
  await sql
    .insert(cursors)
    .values({ streamKey: key, lastEventId, updatedAt: now })
    .onConflictDoUpdate({ target: cursors.streamKey, set: { lastEventId, updatedAt: now } });
}
