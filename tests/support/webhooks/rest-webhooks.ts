import { Webhook } from 'standardwebhooks';
import { eventually } from '../time/eventually.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { NewUser } from '../stack/shared-stack.ts';
import type { Received } from './webhook-receiver.ts';

/** A webhook in the REST representation. Its secret is returned only at registration. */
export interface RestWebhook {
  readonly id: number;
  readonly state: string;
  readonly secret: string;
}

/** Content of a webhook message. */
export interface WebhookMessage {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly orderStatusChanged?: { readonly orderId: string; readonly status: string; readonly version: number } };
}

/** Verifies the signature with the library of the standard and returns the message. @throws Error when the signature is invalid */
export function verified({ id, timestamp, signature, body }: Received, secret: string): WebhookMessage {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
  return new Webhook(secret).verify(body, headers) as WebhookMessage;
}

/** Creates helpers for order webhooks over REST. */
export function createRestWebhooks(http: HttpClient) {
  async function register({ token }: NewUser, url: string): Promise<RestWebhook> {
    const json = { url, events: ['order.created', 'order.status_changed'], isOrdered: true };
    return (await http.post<RestWebhook>('/webhooks', json, { token })).body;
  }

  const read = async ({ token }: NewUser, { id }: RestWebhook) => (await http.get<RestWebhook>(`/webhooks/${id}`, { token })).body;

  /** Registers a webhook and waits until it has responded to its ping. */
  async function activate(owner: NewUser, url: string): Promise<RestWebhook> {
    const webhook = await register(owner, url);
    await eventually(async () => (await read(owner, webhook)).state === 'ACTIVE');
    return webhook;
  }

  return { register, read, activate };
}
