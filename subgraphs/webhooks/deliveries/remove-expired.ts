import { inArray, lt } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import { deliveries, secrets } from '../tables.ts';

/** How long what is finished can be listed, and delivered once more. @unit milliseconds */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** Removed by one statement: whoever sends need not wait until a day of many is gone. @unit deliveries */
const BATCH = 1_000;

/**
 * Removes deliveries that were finished 30 days ago, the oldest first and no more than go at a time, and secrets that sign no more.
 *
 * @returns whether more deliveries are left to remove
 */
export async function removeExpired(sql: Sql, now: Date): Promise<boolean> {
  const expired = sql
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(lt(deliveries.finishedAt, new Date(now.getTime() - RETENTION_MS)))
    .orderBy(deliveries.finishedAt)
    .limit(BATCH)
    // What is delivered once more at this moment stays, and what another process removes is left to it.
    .for('update', { skipLocked: true });
  const removed = await sql.delete(deliveries).where(inArray(deliveries.id, expired)).returning({ id: deliveries.id });
  await sql.delete(secrets).where(lt(secrets.expiresAt, now));
  return removed.length === BATCH;
}
