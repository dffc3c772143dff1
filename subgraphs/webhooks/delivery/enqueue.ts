import { randomBytes } from 'node:crypto';
import type { Sql } from '../../kit/database/database.ts';
import { deliveries, type EndpointRow } from '../tables.ts';

/** The event of a message that only asks whether anybody is there. */
export const PING_EVENT = 'webhook.ping';

/** One message for one endpoint. */
export interface Message {
  readonly endpointId: string;
  /** `order.created`. */
  readonly event: string;
  /** Its place in the stream that it came from: an endpoint gets an event once. Null for what comes from no stream. */
  readonly eventId: string | null;
  /** What it is about, at endpoints that are told of one thing in order. */
  readonly entityKey: string | null;
  /** The very characters that are signed and sent. */
  readonly body: string;
  /** Why it is finished before it was begun: it must not be sent, or cannot. A code of ours or of the gateway's. @defaultValue it waits to be sent */
  readonly end?: { readonly state: 'BLOCKED' | 'DEAD'; readonly code: string } | undefined;
  readonly now: Date;
}

/** @unit bytes */
const MESSAGE_ID_BYTES = 18;

/** The `webhook-id` of Standard Webhooks, by which receivers know a message that comes again. */
function createMessageId(): string {
  return `msg_${randomBytes(MESSAGE_ID_BYTES).toString('base64url')}`;
}

/** Puts a message into the queue, in the transaction of what it tells of. One that is there already stays as it is. */
export async function enqueue(sql: Sql, { endpointId, event, eventId, entityKey, body, end, now }: Message): Promise<void> {
  await sql
    .insert(deliveries)
    .values({
      endpointId,
      messageId: createMessageId(),
      event,
      eventId,
      entityKey,
      body,
      state: end?.state ?? 'PENDING',
      attempts: 0,
      nextAttemptAt: now,
      lastCode: end?.code ?? null,
      createdAt: now,
      finishedAt: end === undefined ? null : now,
    })
    .onConflictDoNothing();
}

/** Asks an endpoint whether it is there and knows its secret; answered with 2xx, it becomes ACTIVE. */
export async function enqueuePing(sql: Sql, { id }: Pick<EndpointRow, 'id'>, now: Date): Promise<void> {
  const body = JSON.stringify({ type: PING_EVENT, timestamp: now.toISOString(), data: { webhookId: id } });
  await enqueue(sql, { endpointId: id, event: PING_EVENT, eventId: null, entityKey: null, body, now });
}
