import { inArray, lt } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import { deliveries, secrets } from '../tables.ts';

/** Time for which finished deliveries can be listed and redelivered. @unit milliseconds */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Maximum number of deliveries that one statement removes, so that sending does not wait for the removal of a whole day.
 *
 * @unit deliveries
 */
const BATCH = 1_000;

/**
 * Removes deliveries that were finished 30 days ago, oldest first and in batches, and expired secrets.
 *
 * @returns whether more deliveries must be removed
 */
export async function removeExpired(sql: Sql, now: Date): Promise<boolean> {
  const expired = sql
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(lt(deliveries.finishedAt, new Date(now.getTime() - RETENTION_MS)))
    .orderBy(deliveries.finishedAt)
    .limit(BATCH)
    // Rows that are being redelivered are not removed, and rows that another process removes are skipped.
    .for('update', { skipLocked: true });
  const removed = await sql.delete(deliveries).where(inArray(deliveries.id, expired)).returning({ id: deliveries.id });
  await sql.delete(secrets).where(lt(secrets.expiresAt, now));
  return removed.length === BATCH;
}
