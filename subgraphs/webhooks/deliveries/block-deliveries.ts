import { and, eq, inArray, ne, sql as raw } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import type { DeliveryCode } from '../delivery/attempt-result.ts';
import { PING_EVENT } from '../delivery/enqueue.ts';
import { deliveries } from '../tables.ts';

/**
 * Blocks all undelivered messages of an endpoint whose owner has lost permissions: waiting messages, and finished ones that could be
 * redelivered. Pings are excluded, because they contain no data that requires permissions.
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
