import { Webhook } from 'standardwebhooks';
import { eventually } from '../time/eventually.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { NewUser } from '../stack/shared-stack.ts';
import type { Received } from './webhook-receiver.ts';

/** A webhook as REST shows it; its secret is shown once, to whoever registers it. */
export interface RestWebhook {
  readonly id: number;
  readonly state: string;
  readonly secret: string;
}

/** What a message says. */
export interface WebhookMessage {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly orderStatusChanged?: { readonly orderId: string; readonly status: string; readonly version: number } };
}

/** What the message says, once its signature is proved by the library of the standard. @throws Error when it is not */
export function verified({ id, timestamp, signature, body }: Received, secret: string): WebhookMessage {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
  return new Webhook(secret).verify(body, headers) as WebhookMessage;
}

/** Webhooks of orders, by REST. */
export function createRestWebhooks(http: HttpClient) {
  async function register({ token }: NewUser, url: string): Promise<RestWebhook> {
    const json = { url, events: ['order.created', 'order.status_changed'], isOrdered: true };
    return (await http.post<RestWebhook>('/webhooks', json, { token })).body;
  }

  const read = async ({ token }: NewUser, { id }: RestWebhook) => (await http.get<RestWebhook>(`/webhooks/${id}`, { token })).body;

  /** One that has answered its ping. */
  async function activate(owner: NewUser, url: string): Promise<RestWebhook> {
    const webhook = await register(owner, url);
    await eventually(async () => (await read(owner, webhook)).state === 'ACTIVE');
    return webhook;
  }

  return { register, read, activate };
}
