import { lt } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import { deliveries, secrets } from '../tables.ts';

/** How long what is finished can be listed, and delivered once more. @unit milliseconds */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** Removes deliveries that were finished 30 days ago, and secrets that sign no more. */
export async function removeExpired(sql: Sql, now: Date): Promise<void> {
  await sql.delete(deliveries).where(lt(deliveries.finishedAt, new Date(now.getTime() - RETENTION_MS)));
  await sql.delete(secrets).where(lt(secrets.expiresAt, now));
}
