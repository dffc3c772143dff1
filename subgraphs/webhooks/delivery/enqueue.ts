import { randomBytes } from 'node:crypto';
import type { Sql } from '../../kit/database/database.ts';
import { deliveries, type EndpointRow } from '../tables.ts';

/** Event of a message that only checks whether an endpoint responds. */
export const PING_EVENT = 'webhook.ping';

/** One message for one endpoint. */
export interface Message {
  readonly endpointId: string;
  /** Name of the event, such as `order.created`. */
  readonly event: string;
  /** Id of the event in its stream: an endpoint gets an event once. Null for messages that come from no stream. */
  readonly eventId: string | null;
  /** Key of the entity, for endpoints that receive the events of an entity in order. */
  readonly entityKey: string | null;
  /** Exact text that is signed and sent. */
  readonly body: string;
  /**
   * Final state of a message that must not or cannot be sent, with a code of this subgraph or of the gateway.
   *
   * @defaultValue the message waits to be sent
   */
  readonly end?: { readonly state: 'BLOCKED' | 'DEAD'; readonly code: string } | undefined;
  readonly now: Date;
}

/** @unit bytes */
const MESSAGE_ID_BYTES = 18;

/** Creates the `webhook-id` of Standard Webhooks, by which receivers recognize a repeated message. */
function createMessageId(): string {
  return `msg_${randomBytes(MESSAGE_ID_BYTES).toString('base64url')}`;
}

/** Adds a message to the queue, in the transaction of its event. An existing message is not changed. */
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

/** Adds a ping, which checks whether an endpoint responds and knows its secret. After a 2xx response, the endpoint becomes ACTIVE. */
export async function enqueuePing(sql: Sql, { id }: Pick<EndpointRow, 'id'>, now: Date): Promise<void> {
  const body = JSON.stringify({ type: PING_EVENT, timestamp: now.toISOString(), data: { webhookId: id } });
  await enqueue(sql, { endpointId: id, event: PING_EVENT, eventId: null, entityKey: null, body, now });
}
