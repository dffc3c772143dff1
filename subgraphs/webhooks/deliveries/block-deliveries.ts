import { and, eq, inArray, ne, sql as raw } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import type { DeliveryCode } from '../delivery/attempt-outcome.ts';
import { PING_EVENT } from '../delivery/enqueue.ts';
import { deliveries } from '../tables.ts';

/**
 * Blocks all that nobody has got yet of what was made for an endpoint whose owner has fewer rights now: what waits, and what is finished
 * and could be delivered once more. A ping tells nothing that takes a right.
 */
export async function blockDeliveries(sql: Sql, endpointId: string, now: Date): Promise<void> {
  const lastCode: DeliveryCode = 'FORBIDDEN';
  await sql
    .update(deliveries)
    .set({
      state: 'BLOCKED',
      lastCode,
      finishedAt: raw`coalesce(${deliveries.finishedAt}, ${now.toISOString()}::timestamptz)`,
      leaseUntil: null,
    })
    .where(
      and(
        eq(deliveries.endpointId, endpointId),
        inArray(deliveries.state, ['PENDING', 'DEAD', 'CANCELLED', 'BLOCKED']),
        ne(deliveries.event, PING_EVENT),
      ),
    );
}
