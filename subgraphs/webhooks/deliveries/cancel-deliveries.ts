import { type SQL, and, eq } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import type { DeliveryCode } from '../delivery/attempt-outcome.ts';
import { deliveries } from '../tables.ts';

/**
 * Takes what waits for an endpoint out of the queue, or what of it `where` says. An attempt that is under way ends as it does, and nobody
 * hears of it: whoever finishes a delivery does so only while it is PENDING.
 */
export async function cancelDeliveries(sql: Sql, endpointId: string, now: Date, where?: SQL): Promise<void> {
  const lastCode: DeliveryCode = 'ENDPOINT_DISABLED';
  await sql
    .update(deliveries)
    .set({ state: 'CANCELLED', lastCode, finishedAt: now, leaseUntil: null })
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, 'PENDING'), where));
}
