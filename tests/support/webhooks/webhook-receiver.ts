import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received message. */
export interface Received {
  readonly path: string;
  readonly id: string;
  /** @unit seconds since the epoch */
  readonly timestamp: number;
  readonly signature: string;
  readonly body: string;
  /** Undefined when the header was not sent. */
  readonly traceparent: string | undefined;
}

export interface ReceiverResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A local server that receives webhooks. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Maximum number of concurrent messages, by path. */
  readonly mostAtOnce: ReadonlyMap<string, number>;
  /** Handler of the next messages. Undefined sends no response at all. */
  respond: (message: Received) => ReceiverResponse | undefined | Promise<ReceiverResponse | undefined>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const atOnce = new Map<string, number>();
  const mostAtOnce = new Map<string, number>();
  const server = createServer((request, response) => {
    void (async () => {
      const message = await read(request);
      const now = (atOnce.get(message.path) ?? 0) + 1;
      atOnce.set(message.path, now);
      mostAtOnce.set(message.path, Math.max(now, mostAtOnce.get(message.path) ?? 0));
      received.push(message);
      const httpResponse = await receiver.respond(message);
      atOnce.set(message.path, now - 1);
      if (httpResponse !== undefined) response.writeHead(httpResponse.status, httpResponse.headers ?? {}).end(httpResponse.body ?? '');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mostAtOnce,
    respond: () => ({ status: 204 }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}

async function read(request: IncomingMessage): Promise<Received> {
  const { headers, url = '' } = request;
  return {
    path: url,
    id: String(headers['webhook-id']),
    timestamp: Number(headers['webhook-timestamp']),
    signature: String(headers['webhook-signature']),
    traceparent: typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined,
    body: await text(request),
  };
}
