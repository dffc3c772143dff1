import { createHash, randomUUID } from 'node:crypto';
import { and, countDistinct, eq, gt, gte, inArray, lt, sql as raw } from 'drizzle-orm';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import { onlyRow } from '../../kit/database/only-row.ts';
import type { Sql } from '../../kit/database/database.ts';
import { deliveries } from '../tables.ts';
import type { OwnerStream } from './owner-stream.ts';

/** What one stream has brought that has no id, since it was opened. */
export interface Sightings {
  /** The last message that was queued before it was opened. */
  readonly since: string;
  /** How often it has brought what. */
  readonly counts: Map<string, number>;
}

/** Something without an id that was brought `count` times by a stream, this time included. */
export interface Sighting {
  readonly what: string;
  readonly count: number;
  readonly since: string;
}

/** First half of the key of a lock; any number that nothing else uses. */
const UNNUMBERED_LOCK = 1_196_835_927;

/** Counts what a stream has brought. Once for each time: a transaction may run again. */
export function sight({ since, counts }: Sightings, { key }: Pick<OwnerStream, 'key'>, data: unknown): Sighting {
  const hash = createHash('sha256')
    .update(JSON.stringify([key, data]))
    .digest('base64url');
  const what = `${UNNUMBERED_EVENT}${hash.slice(0, 22)}`;
  const count = (counts.get(what) ?? 0) + 1;
  counts.set(what, count);
  return { what, count, since };
}

export interface Readers {
  readonly endpointIds: readonly string[];
  /** Of the message. */
  readonly event: string;
  /** Stands before the id. @defaultValue nothing */
  readonly prefix?: string;
}

/**
 * An id for what has none; undefined where it was queued before. Other processes, and other streams of this one, are brought the same: of what
 * a stream has brought so many times since it was opened, so many must have been queued since then, whoever did it.
 */
export async function identify(
  sql: Sql,
  { what, count, since }: Sighting,
  { endpointIds, event, prefix = '' }: Readers,
): Promise<string | undefined> {
  await sql.execute(raw`select pg_advisory_xact_lock(${UNNUMBERED_LOCK}, hashtext(${what}))`);
  const { queued } = onlyRow(
    await sql
      .select({ queued: countDistinct(deliveries.eventId) })
      .from(deliveries)
      .where(
        and(
          inArray(deliveries.endpointId, [...endpointIds]),
          eq(deliveries.event, event),
          // A range, which the unique index can be asked for.
          gte(deliveries.eventId, `${prefix}${what} `),
          lt(deliveries.eventId, `${prefix}${what}!`),
          gt(deliveries.id, since),
        ),
      ),
  );
  return queued < count ? `${prefix}${what} ${randomUUID()}` : undefined;
}
