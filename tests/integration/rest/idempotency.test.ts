import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpResponse } from '../../support/http/http-client.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { missingRedisServer, type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { expectJson, expectError } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface Payment {
  readonly id: number;
  readonly amount: number;
}

interface Sent {
  readonly token?: string | undefined;
  readonly key?: string | undefined;
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MONEY = { amount: 1_999, currency: 'EUR' };

describeOnStack('Idempotency-Key by REST', (stack) => {
  const { http, newUser, newOrder, tokens } = stack;

  const send = <Body>(method: string, path: string, json: unknown, { token, key, origin, headers }: Sent) =>
    http.send<Body>({
      method,
      path,
      json,
      token,
      ...(origin === undefined ? {} : { origin }),
      headers: { ...(key === undefined ? {} : { 'idempotency-key': key }), ...headers },
    });
  const pay = (json: unknown, sent: Sent) => send<Payment>('POST', '/payments', json, sent);

  describe('key syntax', () => {
    it.each([
      ['no header', undefined, 'IDEMPOTENCY_KEY_REQUIRED'],
      ['an empty header', '', 'IDEMPOTENCY_KEY_INVALID'],
      ['empty text in quotes', '""', 'IDEMPOTENCY_KEY_INVALID'],
      ['256 characters', 'x'.repeat(256), 'IDEMPOTENCY_KEY_INVALID'],
      ['256 characters in quotes', `"${'x'.repeat(256)}"`, 'IDEMPOTENCY_KEY_INVALID'],
      ['a space without quotes', 'one two', 'IDEMPOTENCY_KEY_INVALID'],
      ['an unterminated quote', '"one', 'IDEMPOTENCY_KEY_INVALID'],
      ['a letter beyond ASCII', 'schl\u00fcssel', 'IDEMPOTENCY_KEY_INVALID'],
      ['two headers', 'one, two', 'IDEMPOTENCY_KEY_INVALID'],
      ['two headers in quotes', '"one", "two"', 'IDEMPOTENCY_KEY_INVALID'],
      ['parameters', '"one";a=b', 'IDEMPOTENCY_KEY_INVALID'],
    ])('a payment with %s as key returns 400 and links to the key description', async (_title, key, code) => {
      const { token } = await newUser();
      const response = await pay(MONEY, { token, key });
      expectError(response, 400, code);
      expect(response.headers['link']).toContain('rel="describedby"');
    });

    it('rejects an invalid key on a resource whose key is optional', async () => {
      const owner = await newUser();
      const order = await newOrder(owner);
      const response = await send('PATCH', `/orders/${order}`, { qty: 3 }, { token: owner.token, key: 'one two' });
      expectError(response, 400, 'IDEMPOTENCY_KEY_INVALID');
    });

    it('ignores an invalid key on reads and deletions', async () => {
      const owner = await newUser();
      const order = await newOrder(owner);
      const sent = { token: owner.token, key: 'one two' };
      expect((await send('GET', `/orders/${order}`, undefined, sent)).status).toBe(200);
      expect((await send('DELETE', `/orders/${order}`, undefined, sent)).status).toBe(204);
    });

    it.each(['x', 'x'.repeat(255), `"${'\\"'.repeat(255)}"`, '"one, two; three"', 'urn:uuid:0', "!#$%&'*+-.^_`|~"])(
      'accepts the key %s',
      async (key) => {
        const { token } = await newUser();
        expectJson(await pay(MONEY, { token, key }), 201);
      },
    );

    it('treats a key in quotes as equal to the same key without', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await pay(MONEY, { token, key });
      expect((await pay(MONEY, { token, key: `"${key}"` })).text).toBe(first.text);
    });
  });

  describe('a repeated key', () => {
    it('returns 422 for another body and still replays the first response', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await pay(MONEY, { token, key });
      expectError(await pay({ ...MONEY, amount: 1 }, { token, key }), 422, 'IDEMPOTENCY_KEY_REUSED');
      expect((await pay(MONEY, { token, key })).text).toBe(first.text);
    });

    it('returns 422 for another resource', async () => {
      const owner = await newUser();
      const key = randomUUID();
      await pay(MONEY, { token: owner.token, key });
      const response = await send('POST', '/orders', { productId: 1, qty: 1 }, { token: owner.token, key });
      expectError(response, 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('returns 422 for another ID of the same resource', async () => {
      const owner = await newUser();
      const [one, other] = [await newOrder(owner), await newOrder(owner)];
      const sent = { token: owner.token, key: randomUUID() };
      expectJson(await send('PATCH', `/orders/${one}`, { qty: 3 }, sent), 200);
      expectError(await send('PATCH', `/orders/${other}`, { qty: 3 }, sent), 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('flags a replay and repeats status, body, type and Location', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await pay(MONEY, { token, key });
      const again = await pay(MONEY, { token, key, headers: { 'x-correlation-id': 'another' } });
      expectJson(first, 201);
      expectJson(again, 201);
      expect(again.text).toBe(first.text);
      for (const name of ['content-type', 'location', 'etag', 'cache-control']) expect(again.headers[name]).toBe(first.headers[name]);
      expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
      expect(again.headers['x-correlation-id']).toBe('another');
      expect(first.headers['x-correlation-id']).not.toBe('another');
    });

    it('ignores white space, member order and the mount', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await pay(MONEY, { token, key });
      const again = await http.send({
        method: 'POST',
        path: '/api/payments/',
        body: '{ "currency": "EUR",\n "amount": 1999.0 }',
        token,
        headers: { 'idempotency-key': key, 'content-type': 'application/json; charset=utf-8' },
      });
      expect(again.text).toBe(first.text);
      expect(again.headers['idempotent-replayed']).toBe('true');
    });

    it('replays a business error after its cause is gone', async () => {
      const owner = await newUser();
      const order = await newOrder(owner);
      const sent = { token: owner.token, key: randomUUID() };
      const shipped = { status: 'SHIPPED' };
      const first = await send('PATCH', `/orders/${order}`, shipped, { ...sent, token: tokens.admin });
      expectError(first, 409, 'CONFLICT');
      await send('PATCH', `/orders/${order}`, { status: 'CONFIRMED' }, { token: owner.token });
      const again = await send('PATCH', `/orders/${order}`, shipped, { ...sent, token: tokens.admin });
      expectError(again, 409, 'CONFLICT');
      expect(again.headers['idempotent-replayed']).toBe('true');
      expectJson(await send('PATCH', `/orders/${order}`, shipped, { token: tokens.admin, key: randomUUID() }), 200);
    });

    it('executes the corrected request after a validation error', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      expectError(await pay({ ...MONEY, currency: 1 }, { token, key }), 400, 'BAD_USER_INPUT');
      expectJson(await pay(MONEY, { token, key }), 201);
    });

    it('returns 422 for another version or media type, and replays the first response', async () => {
      const { token } = await newUser();
      const sent = { token, key: randomUUID() };
      const links = { accept: 'application/vnd.gatefold.v2.links+json' };
      const first = await send<Payment>('POST', '/payments', MONEY, { ...sent, headers: links });
      expect([first.status, first.headers['api-version']]).toEqual([201, '2']);
      expectError(await send('POST', '/v1/payments', MONEY, sent), 422, 'IDEMPOTENCY_KEY_REUSED');
      expectError(await send('POST', '/v2/payments', MONEY, sent), 422, 'IDEMPOTENCY_KEY_REUSED');
      const again = await send<Payment>('POST', '/v2/payments', MONEY, { ...sent, headers: links });
      expect([again.text, again.headers['content-type']]).toEqual([first.text, first.headers['content-type']]);
    });

    it('returns 422 without the `return=minimal` preference of the first request', async () => {
      const { token } = await newUser();
      const sent = { token, key: randomUUID() };
      const minimal = { prefer: 'return=minimal' };
      const first = await pay(MONEY, { ...sent, headers: minimal });
      expect([first.status, first.text, first.headers['preference-applied']]).toEqual([201, '', 'return=minimal']);
      expectError(await pay(MONEY, sent), 422, 'IDEMPOTENCY_KEY_REUSED');
      const again = await pay(MONEY, { ...sent, headers: minimal });
      expect([again.status, again.text, again.headers['preference-applied']]).toEqual([201, '', 'return=minimal']);
      expect(again.headers['location']).toBe(first.headers['location']);
    });

    it('applies a change once when the key is optional', async () => {
      const owner = await newUser();
      const order = await newOrder(owner);
      const sent = { token: owner.token, key: randomUUID() };
      const first = await send<{ version: number }>('PATCH', `/orders/${order}`, { qty: 7 }, sent);
      await send('PATCH', `/orders/${order}`, { qty: 8 }, { token: owner.token });
      const again = await send('PATCH', `/orders/${order}`, { qty: 7 }, sent);
      expect(again.text).toBe(first.text);
      expect((await http.get<{ qty: number }>(`/orders/${order}`, { token: owner.token })).body.qty).toBe(8);
    });
  });

  describe('key ownership', () => {
    it('two callers with the same key create separate payments', async () => {
      const [one, other] = [await newUser(), await newUser()];
      const key = randomUUID();
      const first = await pay(MONEY, { token: one.token, key });
      const second = await pay({ ...MONEY, amount: 5 }, { token: other.token, key });
      expectJson(second, 201);
      expect(second.body.id).not.toBe(first.body.id);
      expect(second.headers['idempotent-replayed']).toBeUndefined();
    });

    it('returns 401 without credentials, regardless of the key', async () => {
      for (const key of [undefined, 'one two', randomUUID()]) expectError(await pay(MONEY, { key }), 401, 'UNAUTHENTICATED');
    });

    it('replays an anonymous registration from the same address', async () => {
      const key = randomUUID();
      const newUser = { name: 'Somebody New', email: `${key}@example.com`, age: 30 };
      const first = await send<{ id: number }>('POST', '/users', newUser, { key });
      const again = await send<{ id: number }>('POST', '/users', newUser, { key });
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.body.id).toBe(first.body.id);
      expect(again.headers['idempotent-replayed']).toBe('true');
    });
  });

  (missingRedisServer() === undefined ? describe : describe.skip)('two gateways with a shared Redis', () => {
    let redis: RedisServer;
    let gateways: readonly Awaited<ReturnType<typeof startReferenceGateway>>[];

    beforeAll(async () => {
      redis = await startRedisServer();
      const config = { redis: { url: redis.url } };
      gateways = await Promise.all([1, 2].map(() => startReferenceGateway({ ...stack, config })));
    });

    afterAll(async () => {
      for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    });

    const origin = (index: number): string => gateways[index % 2]?.url ?? '';

    /**
     * Repeats a request until no other request with its key is in progress and Redis responds in time. On a busy machine, Redis may be
     * late.
     */
    async function untilResponse<ReceivedResponse extends HttpResponse<unknown>>(
      request: () => Promise<ReceivedResponse>,
    ): Promise<ReceivedResponse> {
      for (;;) {
        const response = await request();
        if (response.status !== 409 && response.status !== 503) return response;
        const { error } = response.body as { readonly error: string };
        expect(['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_UNAVAILABLE']).toContain(error);
        expect(response.headers['retry-after']).toBe('1');
      }
    }

    it('forty concurrent payments over both gateways have the same response', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) => untilResponse(() => pay(MONEY, { token, key, origin: origin(index) }))),
      );
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      const { body } = await http.get<{ amount: number }>(String(responses[0]?.headers.location), { token });
      expect(body.amount).toBe(MONEY.amount);
    });

    it('twenty concurrent changes with an optional key are applied once', async () => {
      const owner = await newUser();
      const order = await newOrder(owner);
      const sent = { token: owner.token, key: randomUUID() };
      const change = (index: number) => send('PATCH', `/orders/${order}`, { qty: 9 }, { ...sent, origin: origin(index) });
      const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => untilResponse(() => change(index))));
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      const { data } = await stack.graphql<{ order: { version: number } }>(`{ order(id: "${order}") { version } }`, { token: owner.token });
      expect(data?.order.version).toBe(2);
    });

    it('without Redis, an optional key returns 503 and a payment is charged once', async () => {
      const owner = await newUser();
      const order = await newOrder(owner);
      const key = randomUUID();
      await redis.kill();
      try {
        const change = await send('PATCH', `/orders/${order}`, { qty: 9 }, { token: owner.token, key, origin: origin(0) });
        expectError(change, 503, 'IDEMPOTENCY_UNAVAILABLE');
        const responses = [0, 1].map((index) => pay(MONEY, { token: owner.token, key, origin: origin(index) }));
        const [first, again] = await Promise.all(responses);
        expect(again?.text).toBe(first?.text);
        expectJson(first ?? change, 201);
      } finally {
        await redis.start();
      }
    });
  });
});
