import { createHash, randomUUID } from 'node:crypto';
import { and, countDistinct, eq, gt, gte, inArray, lt, sql as raw } from 'drizzle-orm';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import { onlyRow } from '../../kit/database/only-row.ts';
import type { Sql } from '../../kit/database/database.ts';
import { deliveries } from '../tables.ts';
import type { OwnerStream } from './owner-stream.ts';

/** Items without an id that one stream has delivered since it was opened. */
export interface RedeliveryCounts {
  /** Id of the last delivery that was queued before it was opened. */
  readonly since: string;
  /** Number of deliveries by item. */
  readonly counts: Map<string, number>;
}

/** An item without an id that a stream has delivered `count` times, including this time. */
export interface RedeliveryCount {
  readonly what: string;
  readonly count: number;
  readonly since: string;
}

/** First half of the key of an advisory lock; a number that nothing else uses. */
const UNNUMBERED_LOCK = 1_196_835_927;

/** Counts an item. Call it once per item and outside transactions, because a transaction may run again. */
export function countRedelivery({ since, counts }: RedeliveryCounts, { key }: Pick<OwnerStream, 'key'>, data: unknown): RedeliveryCount {
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
  /** Event of the message. */
  readonly event: string;
  /** Prefix of the id. @defaultValue none */
  readonly prefix?: string;
}

/**
 * Creates an id for an item without one; undefined when it was already queued. Other processes, and other streams of this one, receive the
 * same items. Therefore, at least as many copies must have been queued since the stream was opened as this stream has delivered, by any
 * process.
 */
export async function identify(
  sql: Sql,
  { what, count, since }: RedeliveryCount,
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
          // A range condition, which the unique index supports.
          gte(deliveries.eventId, `${prefix}${what} `),
          lt(deliveries.eventId, `${prefix}${what}!`),
          gt(deliveries.id, since),
        ),
      ),
  );
  return queued < count ? `${prefix}${what} ${randomUUID()}` : undefined;
}
