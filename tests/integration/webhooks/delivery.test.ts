import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { RETRY_SCHEDULE_MS } from '../../../subgraphs/webhooks/delivery/retry-schedule.ts';
import { openDeliveryQueue } from './delivery-queue.ts';
import { describeOnQueue } from './describe-on-queue.ts';
import { startWebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describeOnQueue('webhook messages', (stage) => {
  test('end as DEAD after the schedule, with one ID and a new timestamp per attempt', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    receiver.respond = () => ({ status: 500 });
    const messageId = await queue.add(id);
    const worker = queue.worker();

    await worker.drain();
    for (const [index, wait] of RETRY_SCHEDULE_MS.slice(1).entries()) {
      queue.clock.advance(wait - 1);
      await worker.drain();
      expect(received()).toHaveLength(index + 1); // No attempt is made too early.
      queue.clock.advance(1);
      await worker.drain();
    }

    expect(received()).toHaveLength(RETRY_SCHEDULE_MS.length);
    expect(new Set(received().map((message) => message.id))).toEqual(new Set([messageId]));
    expect(new Set(received().map(({ timestamp }) => timestamp)).size).toBe(RETRY_SCHEDULE_MS.length);
    const [delivery] = await queue.deliveries(id);
    expect(delivery).toMatchObject({ state: 'DEAD', attempts: 10, lastStatus: 500, lastCode: 'RECEIVER_REFUSED' });
    queue.clock.advance(30 * DAY_MS - 1_000);
    await queue.worker().drain();
    expect(await queue.deliveries(id)).toHaveLength(1);
    queue.clock.advance(2_000);
    await queue.worker().drain();
    expect(await queue.deliveries(id)).toHaveLength(0); // Dead letters are retained for 30 days.
  });

  test('are retried after five seconds when the receiver is unreachable', async () => {
    const { queue } = stage();
    const id = await queue.addEndpoint({ url: 'http://127.0.0.1:1/hook' });
    await queue.add(id);

    await queue.worker().drain();

    const [delivery] = await queue.deliveries(id);
    expect(delivery).toMatchObject({
      state: 'PENDING',
      attempts: 1,
      lastStatus: null,
      lastCode: 'RECEIVER_UNREACHABLE',
      leaseUntil: null,
    });
    expect(delivery?.nextAttemptAt.getTime()).toBe(queue.clock.now() + 5_000);
  });

  test('fail the attempt on timeout', async () => {
    const { queue, receiver, place: position } = stage();
    const { id } = await position();
    receiver.respond = () => undefined;
    await queue.add(id);

    await queue.worker({ timeoutMs: 50 }).drain();

    expect(await queue.deliveries(id)).toMatchObject([{ state: 'PENDING', attempts: 1, lastCode: 'RECEIVER_TIMEOUT' }]);
  });

  test('410 cancels pending messages and disables the endpoint as GONE', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    receiver.respond = () => ({ status: 410 });
    await queue.add(id);
    const worker = queue.worker();
    await queue.add(id);

    await worker.drain();

    expect(received()).toHaveLength(1);
    expect(await queue.endpoint(id)).toMatchObject({ state: 'DISABLED', disabledReason: 'GONE' });
    expect(await queue.deliveries(id)).toMatchObject([
      { state: 'CANCELLED', lastStatus: 410, lastCode: 'RECEIVER_GONE' },
      { state: 'CANCELLED', attempts: 0, lastCode: 'ENDPOINT_DISABLED' },
    ]);
  });

  test.each([
    [429, () => '3600'],
    [503, (now: number) => new Date(now + 3_600_000).toUTCString()],
  ])('%d with Retry-After delays all messages of the endpoint', async (status, report) => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    receiver.respond = () => ({ status, headers: { 'retry-after': report(queue.clock.now()) } });
    await queue.add(id);
    await queue.add(id);
    const worker = queue.worker();

    await worker.drain();
    queue.clock.advance(3_590_000);
    await worker.drain();
    expect(received()).toHaveLength(1);

    receiver.respond = () => ({ status: 204 });
    queue.clock.advance(10_000);
    await worker.drain();
    expect(received()).toHaveLength(3);
  });

  test('do not follow a redirect to a private address', async () => {
    const { queue, receiver, place: position } = stage();
    const { id } = await position();
    const inside = await startWebhookReceiver();
    receiver.respond = () => ({ status: 307, headers: { location: `${inside.url}/metadata` } });
    await queue.add(id);

    await queue.worker().drain();

    expect(inside.received).toHaveLength(0);
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'PENDING', attempts: 1, lastStatus: 307, lastCode: 'RECEIVER_REDIRECTED' }]);
    await inside[Symbol.asyncDispose]();
  });

  test('are blocked when a public name now resolves to a private address', async () => {
    const { queue, receiver } = stage();
    const { port } = new URL(receiver.url);
    const id = await queue.addEndpoint({ url: 'https://rebound.example.com:8443/' });
    await queue.add(id);
    const requested: string[] = [];
    const resolve = async (hostname: string) => {
      requested.push(hostname);
      return [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ];
    };
    const before = receiver.received.length;

    await queue.worker({ policy: { resolve } }).drain();

    expect({ requested, port: port !== '', received: receiver.received.length - before }).toEqual({
      requested: ['rebound.example.com'],
      port: true,
      received: 0,
    });
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'BLOCKED', lastCode: 'WEBHOOK_URL_FORBIDDEN', lastStatus: null }]);
  });

  test('are blocked for a plain HTTP address that is no longer allowed', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    await queue.add(id);

    await queue.worker({ policy: {} }).drain();

    expect(received()).toHaveLength(0);
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'BLOCKED', lastCode: 'WEBHOOK_URL_FORBIDDEN' }]);
  });

  test('ignore proxies in the environment', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    const proxy = await startWebhookReceiver();
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
    for (const name of names) process.env[name] = proxy.url;
    try {
      await queue.add(id);
      await queue.worker().drain();
    } finally {
      for (const name of names) delete process.env[name];
      await proxy[Symbol.asyncDispose]();
    }

    expect({ direct: received().length, byProxy: proxy.received.length }).toEqual({ direct: 1, byProxy: 0 });
  });

  test('disable an endpoint after five days of failures only', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    receiver.respond = () => ({ status: 500 });
    const worker = queue.worker();
    await queue.add(id);
    await worker.drain();
    queue.clock.advance(5 * DAY_MS - 1);
    await queue.add(id);
    await worker.drain();
    expect(await queue.endpoint(id)).toMatchObject({ state: 'ACTIVE' });

    queue.clock.advance(5_000);
    await worker.drain();

    expect(await queue.endpoint(id)).toMatchObject({ state: 'DISABLED', disabledReason: 'FAILING' });
    const tried = received().length;
    queue.clock.advance(DAY_MS);
    await worker.drain();
    expect(received()).toHaveLength(tried);
  });

  test('a success restarts the failure period', async () => {
    const { queue, receiver, place: position } = stage();
    const { id } = await position();
    const worker = queue.worker();
    for (const status of [500, 204, 500]) {
      receiver.respond = () => ({ status });
      await queue.add(id);
      await worker.drain();
      queue.clock.advance(3 * DAY_MS);
    }

    const { state, failingSince, lastDeliveredAt } = await queue.endpoint(id);
    expect({ state, days: (queue.clock.now() - Number(failingSince)) / DAY_MS }).toEqual({ state: 'ACTIVE', days: 3 });
    expect(lastDeliveredAt).not.toBeNull();
  });

  test('have the signature of a replaced secret for one more day', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    const [old = ''] = await queue.secretsOf(id);
    const fresh = await queue.rotateSecret(id);
    const worker = queue.worker();

    await queue.add(id);
    await worker.drain();
    queue.clock.advance(DAY_MS);
    await queue.add(id);
    await worker.drain();

    const [first, second] = received().map(({ id: messageId, timestamp, body, signature }) => {
      const sign = (secret: string) => new Webhook(secret).sign(messageId, new Date(timestamp * 1_000), body);
      return { signature, byOld: sign(old), byFresh: sign(fresh) };
    });
    expect(first?.signature).toBe(`${first?.byFresh} ${first?.byOld}`);
    expect(second?.signature).toBe(second?.byFresh);
  });

  test('a PENDING endpoint receives only pings until one succeeds', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position({ state: 'PENDING' });
    await queue.add(id, { event: 'order.created', body: 'early' });
    await queue.add(id, { event: 'webhook.ping', body: 'ping' });
    const worker = queue.worker();
    receiver.respond = () => ({ status: 401 });
    await worker.drain();
    expect(received().map(({ body }) => body)).toEqual(['ping']);
    expect(await queue.endpoint(id)).toMatchObject({ state: 'PENDING' });

    receiver.respond = () => ({ status: 200, body: 'x'.repeat(100_000) }); // The sender does not read the whole body.
    queue.clock.advance(5_000);
    await worker.drain();

    expect(await queue.endpoint(id)).toMatchObject({ state: 'ACTIVE', version: 2 });
    expect(received().map(({ body }) => body)).toEqual(['ping', 'ping', 'early']);
  });
});

describe('signature verification', () => {
  test('reference library and documented code accept only the unmodified message', async () => {
    await using queue = await openDeliveryQueue('embedded');
    await using receiver = await startWebhookReceiver();
    const id = await queue.addEndpoint({ url: receiver.url });
    await queue.add(id, { body: '{"type":"order.created","data":{"naïve":"żółć 🚀"}}' });
    await queue.worker().drain();
    const [message] = receiver.received;
    const [secret = ''] = await queue.secretsOf(id);
    const headers = {
      'webhook-id': message?.id ?? '',
      'webhook-timestamp': String(message?.timestamp),
      'webhook-signature': message?.signature ?? '',
    };

    const page = await readFile(join(packageRoot, 'docs/guides/webhooks.md'), 'utf8');
    const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isGenuine: (headers: object, body: string, secret: string) => boolean;
    };
    expect([isGenuine(headers, message?.body ?? '', secret), isGenuine(headers, 'x', secret), isGenuine({}, 'x', secret)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(new Webhook(secret).verify(message?.body ?? '', headers)).toMatchObject({ type: 'order.created' });
    expect(() => new Webhook(secret).verify(message?.body.slice(0, -1) ?? '', headers)).toThrow('No matching signature');
  });
});
