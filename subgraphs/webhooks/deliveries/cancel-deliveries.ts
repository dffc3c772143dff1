import { type SQL, and, eq } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import type { DeliveryCode } from '../delivery/attempt-result.ts';
import { deliveries } from '../tables.ts';

/**
 * Removes waiting deliveries of an endpoint from the queue: all, or those that `where` selects. An attempt in progress completes, but its
 * result is not recorded, because only a PENDING delivery can be finished.
 */
export async function cancelDeliveries(sql: Sql, endpointId: string, now: Date, where?: SQL): Promise<void> {
  const lastCode: DeliveryCode = 'ENDPOINT_DISABLED';
  await sql
    .update(deliveries)
    .set({ state: 'CANCELLED', lastCode, finishedAt: now, leaseUntil: null })
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, 'PENDING'), where));
}
