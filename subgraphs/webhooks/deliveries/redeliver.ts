import { and, eq } from 'drizzle-orm';
import { requireUser } from '../../kit/access-rules.ts';
import type { Sql } from '../../kit/database/database.ts';
import { onlyRow } from '../../kit/database/only-row.ts';
import { isRowId } from '../../kit/ids.ts';
import type { RequestContext } from '../../kit/request-context.ts';
import { type WriteResult, performWrite } from '../../kit/writes/perform-write.ts';
import { type WriteRejected, writeRejected } from '../../kit/writes/user-errors.ts';
import type { DeliveryCode } from '../delivery/attempt-result.ts';
import { PING_EVENT } from '../delivery/enqueue.ts';
import { lockEndpoint } from '../endpoints/endpoint-access.ts';
import { type DeliveryRow, type EndpointRow, deliveries } from '../tables.ts';
import type { WebhooksDependencies } from '../webhooks-dependencies.ts';

/** Code of BLOCKED deliveries that may be sent again as soon as the address is allowed. */
const ADDRESS_FORBIDDEN: DeliveryCode = 'WEBHOOK_URL_FORBIDDEN';

/** Delivery and its endpoint. */
export interface RedeliveryTarget {
  readonly endpointId: string;
  readonly deliveryId: string;
}

/**
 * Adds a finished delivery to the queue again, with all attempts available. Its message id does not change, so receivers recognize a
 * duplicate. Owner and address are checked at each attempt, as for every delivery. Deliveries that were blocked for missing permissions, or
 * finished without a message, are rejected.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, `FORBIDDEN`, `IDEMPOTENCY_KEY_INVALID`
 */
export async function redeliver(
  { wake }: WebhooksDependencies,
  context: RequestContext,
  target: RedeliveryTarget,
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<DeliveryRow>> {
  requireUser(context);
  const { endpointId, deliveryId } = target;
  const result = await performWrite(context, {
    once: { operation: 'redeliverWebhook', input: { endpointId, deliveryId }, key: idempotencyKey },
    async effect({ sql, now }) {
      const endpoint = await lockEndpoint(context, sql, endpointId);
      const before = await lockDelivery(sql, endpoint, deliveryId);
      const problem = findProblem(endpoint, before);
      if (problem !== undefined) throw problem;
      const again = { attempts: 0, nextAttemptAt: now, leaseUntil: null, lastStatus: null, lastCode: null, finishedAt: null };
      return onlyRow(
        await sql
          .update(deliveries)
          .set({ state: 'PENDING', ...again })
          .where(eq(deliveries.id, before.id))
          .returning(),
      );
    },
  });
  wake();
  return result;
}

async function lockDelivery(sql: Sql, endpoint: EndpointRow, id: string): Promise<DeliveryRow> {
  const [delivery] = isRowId(id)
    ? await sql
        .select()
        .from(deliveries)
        .where(and(eq(deliveries.id, id), eq(deliveries.endpointId, endpoint.id)))
        .for('update')
    : [];
  if (delivery === undefined) throw writeRejected('BAD_USER_INPUT', 'input.deliveryId', 'The webhook has no delivery with this id.');
  return delivery;
}

function findProblem(endpoint: EndpointRow, delivery: DeliveryRow): WriteRejected | undefined {
  const reason = whyNeverAgain(delivery);
  if (reason !== undefined) return writeRejected('CONFLICT', 'input.deliveryId', reason);
  const isUsed = endpoint.state === 'ACTIVE' || (endpoint.state === 'PENDING' && delivery.event === PING_EVENT);
  return isUsed
    ? undefined
    : writeRejected('CONFLICT', 'id', `The webhook is ${endpoint.state}, so nothing is sent to it. Activate it first.`);
}

function whyNeverAgain({ state, lastCode, lastAttemptAt }: DeliveryRow): string | undefined {
  if (state === 'PENDING') return 'This delivery is already waiting to be sent.';
  // Permissions are checked before each attempt, but not the permissions with which the body was created. Such a delivery remains blocked.
  if (state === 'BLOCKED' && lastCode !== ADDRESS_FORBIDDEN)
    return `The owner has no permission for this event (${lastCode}), so it is not sent.`;
  if (state === 'DEAD' && lastAttemptAt === null)
    return `The message of this delivery could not be created (${lastCode}), so it cannot be sent.`;
  return undefined;
}
