import { and, eq, sql as raw } from 'drizzle-orm';
import type { Sql } from '../../kit/database/database.ts';
import { type DisabledReason, deliveries, endpoints } from '../tables.ts';
import type { DeliveryCode } from './attempt-result.ts';

/** An endpoint that is disabled, and the reason. */
export interface Disabling {
  readonly endpointId: string;
  readonly reason: Exclude<DisabledReason, 'OWNER'>;
  readonly now: Date;
}

/**
 * Disables an endpoint and removes its waiting deliveries from the queue. The owner can redeliver them when the endpoint is ACTIVE again.
 * Deliveries of an owner who no longer exists are blocked.
 */
export async function disableEndpoint(sql: Sql, { endpointId, reason, now }: Disabling): Promise<void> {
  await sql
    .update(endpoints)
    .set({ state: 'DISABLED', disabledReason: reason, updatedAt: now, version: raw`${endpoints.version} + 1` })
    .where(eq(endpoints.id, endpointId));
  const code: DeliveryCode = reason === 'OWNER_GONE' ? 'OWNER_GONE' : 'ENDPOINT_DISABLED';
  await sql
    .update(deliveries)
    .set({ state: reason === 'OWNER_GONE' ? 'BLOCKED' : 'CANCELLED', lastCode: code, finishedAt: now, leaseUntil: null })
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, 'PENDING')));
}
