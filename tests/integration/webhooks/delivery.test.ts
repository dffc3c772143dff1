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

describeOnQueue('messages of webhooks', (stage) => {
  test('given a receiver that answers 500, when the schedule is over, then the message is dead, and was tried with one id and a fresh time', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position();
    receiver.respond = () => ({ status: 500 });
    const messageId = await queue.add(id);
    const worker = queue.worker();

    await worker.drain();
    for (const [index, wait] of RETRY_SCHEDULE_MS.slice(1).entries()) {
      queue.clock.advance(wait - 1);
      await worker.drain();
      expect(received()).toHaveLength(index + 1); // not a moment too early
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
    expect(await queue.deliveries(id)).toHaveLength(0); // dead letters are kept for 30 days
  });

  test('given nobody at the address, when a message is sent, then it is tried again after five seconds', async () => {
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

  test('given a receiver that never answers, when its time is over, then the attempt has failed', async () => {
    const { queue, receiver, place: position } = stage();
    const { id } = await position();
    receiver.respond = () => undefined;
    await queue.add(id);

    await queue.worker({ timeoutMs: 50 }).drain();

    expect(await queue.deliveries(id)).toMatchObject([{ state: 'PENDING', attempts: 1, lastCode: 'RECEIVER_TIMEOUT' }]);
  });

  test('given a receiver that answers 410, when it has, then it is sent nothing more, and its owner can see why', async () => {
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
  ])(
    'given a receiver that answers %d with Retry-After, when it has, then all that waits for it waits that long',
    async (status, report) => {
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
    },
  );

  test('given a receiver that redirects to a private address, when a message is sent, then nobody follows', async () => {
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

  test('given a name that was public when it was registered and is private now, when a message is sent, then it is blocked', async () => {
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

  test('given an endpoint in plain HTTP at an address, when none is allowed any more, then what is sent to it is blocked', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    await queue.add(id);

    await queue.worker({ policy: {} }).drain();

    expect(received()).toHaveLength(0);
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'BLOCKED', lastCode: 'WEBHOOK_URL_FORBIDDEN' }]);
  });

  test('given proxies in the environment, when a message is sent, then it goes to its target', async () => {
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

  test('given five days of nothing but failures, when one more fails, then the endpoint is disabled', async () => {
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

  test('given days of failures with a success between, when one fails, then the days begin anew', async () => {
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

  test('given a secret that was replaced, when a message is sent, then both verify it for a day, and one after that', async () => {
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

  test('given an endpoint that nobody has heard of yet, when a ping is answered with 2xx, then it is active; before, it gets pings alone', async () => {
    const { queue, receiver, place: position } = stage();
    const { id, received } = await position({ state: 'PENDING' });
    await queue.add(id, { event: 'order.created', body: 'early' });
    await queue.add(id, { event: 'webhook.ping', body: 'ping' });
    const worker = queue.worker();
    receiver.respond = () => ({ status: 401 });
    await worker.drain();
    expect(received().map(({ body }) => body)).toEqual(['ping']);
    expect(await queue.endpoint(id)).toMatchObject({ state: 'PENDING' });

    receiver.respond = () => ({ status: 200, body: 'x'.repeat(100_000) }); // nobody reads it all
    queue.clock.advance(5_000);
    await worker.drain();

    expect(await queue.endpoint(id)).toMatchObject({ state: 'ACTIVE', version: 2 });
    expect(received().map(({ body }) => body)).toEqual(['ping', 'ping', 'early']);
  });
});

describe('what a receiver checks', () => {
  test('given a message as it came, when the reference library verifies it, or the code of our page, then it is good; and one character less, it is not', async () => {
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
