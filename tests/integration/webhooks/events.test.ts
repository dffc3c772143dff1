import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { type Received, startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { startWebhooksStack, type WebhooksStack } from './webhooks-stack.ts';
import { eventually } from '../../support/time/eventually.ts';

describe('events of the graph', () => {
  let stack: WebhooksStack;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    [stack, receiver] = await Promise.all([startWebhooksStack(), startWebhookReceiver()]);
  }, 60_000);
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const sentTo = (path: string): readonly Received[] =>
    receiver.received.filter((one) => one.path === path && !one.body.includes('webhook.ping'));
  const ordersAt = (path: string) =>
    sentTo(path).map(
      ({ body }) => (JSON.parse(body) as { data: { orderStatusChanged: { orderId: string } } }).data.orderStatusChanged.orderId,
    );

  /** Registers a webhook and waits until its streams are open, so that every later event is delivered. */
  async function registerAt(path: string, as: string, events: readonly string[]) {
    const before = await stack.cursors();
    const registered = await stack.register(receiver.url + path, { as, events });
    await eventually(async () => (await stack.cursors()) >= before + events.length);
    return registered;
  }

  test('each owner receives only the events of the owner, signed and once', async () => {
    const one = await registerAt('/one', '1', ['order.created', 'order.status_changed']);
    await registerAt('/two', '2', ['order.created']);
    const orderOfOne = await stack.newOrder('1');
    const orderOfTwo = await stack.newOrder('2');
    await stack.request('mutation ($id: ID!) { cancelOrder(id: $id) { order { id } } }', { as: '1', variables: { id: orderOfOne } });
    await eventually(() => sentTo('/one').length >= 2 && sentTo('/two').length > 0);

    expect(ordersAt('/two')).toEqual([orderOfTwo]);
    const reported = sentTo('/one').map(({ id, timestamp, signature, body }) =>
      new Webhook(one.secret).verify(body, { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }),
    );
    expect(reported).toHaveLength(2);
    expect(reported).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'order.created',
          data: { orderStatusChanged: expect.objectContaining({ orderId: orderOfOne, kind: 'CREATED', status: 'PENDING' }) },
        }),
        expect.objectContaining({
          type: 'order.status_changed',
          data: { orderStatusChanged: expect.objectContaining({ orderId: orderOfOne, status: 'CANCELLED' }) },
        }),
      ]),
    );
  });

  test('every event is delivered once across an outage of the gateway', async () => {
    await registerAt('/away', '3', ['order.created']);
    const orders = [await stack.newOrder('3')];
    const [port, internalPort] = [stack.gateway.url, stack.gateway.internalUrl].map((url) => Number(new URL(url).port));
    const another = await stack.startAnother();
    await stack.gateway[Symbol.asyncDispose]();
    stack.gateway = another;
    for (let count = 0; count < 3; count += 1) orders.push(await stack.newOrder('3'));
    stack.gateway = await stack.startAnother({ server: { port: port ?? 0, internalPort: internalPort ?? 0 } });
    await another[Symbol.asyncDispose]();
    orders.push(await stack.newOrder('3'));
    await eventually(() => ordersAt('/away').length >= orders.length);

    expect(ordersAt('/away').toSorted()).toEqual(orders.toSorted());
    expect(sentTo('/away').some(({ body }) => body.includes('webhook.gap'))).toBe(false);
  });

  test('an event for a deleted owner disables the endpoint', async () => {
    const { createUser } = await stack.request<{ createUser: { user: { id: string } } }>(
      'mutation { createUser(input: { name: "Leaver", email: "leaver@example.com", age: 30 }) { user { id } } }',
      { as: '1' },
    );
    const as = createUser.user.id;
    await registerAt('/leaver', as, ['post.created']);
    await stack.request('mutation ($id: ID!) { deleteUser(id: $id) { errors { message } } }', { as, variables: { id: as } });
    await stack.request('mutation { createPost(input: { title: "News", body: "of the day" }) { id } }', { as: '1' });

    await eventually(async () => {
      const { rows } = await stack.database.sql.execute<{ reason: string }>(
        `select disabled_reason as reason from webhooks.endpoints where owner_id = '${as}'` as never,
      );
      return rows[0]?.reason === 'OWNER_GONE';
    });
    expect(sentTo('/leaver')).toEqual([]);
  });

  describe('the service endpoint on the internal listener', () => {
    const SECRET = 'this is the secret of the services of a test';
    const CREATED = 'subscription { orderStatusChanged { orderId } }';
    let gateway: RunningGateway;
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'gatefold-'));
      const manifest = join(directory, 'known.graphql');
      await writeFile(manifest, 'query Known { me { id } }');
      gateway = await stack.startAnother({
        identity: { form: 'bound', secret: stack.identitySecret, serviceSecret: SECRET },
        persisted: { mode: 'safelist', manifests: { web: manifest } },
      });
    });
    afterAll(async () => {
      await gateway[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    });

    const now = () => Math.floor(Date.now() / 1_000);
    const good = () => ({ aud: 'gatefold', kind: 'service', sub: '1', roles: [], iat: now(), exp: now() + 60 });
    const sign = (claims: object, key = SECRET, header: object = { alg: 'HS256' }) => {
      const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    };
    const request = (
      token: string | undefined,
      query = '{ me { id email } }',
      { at = gateway.internalUrl, headers = {}, method = 'POST' } = {},
    ) =>
      fetch(`${at}/graphql`, {
        method,
        headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: token }), ...headers },
        ...(method === 'POST' ? { body: JSON.stringify({ query }) } : {}),
      });

    test.each<[string, () => string | undefined]>([
      ['missing', () => undefined],
      ['signed by another key', () => sign(good(), 'this is the secret of somebody else in a test')],
      ['signed by the identity key', () => sign(good(), stack.identitySecret)],
      ['with the algorithm none', () => `${sign(good(), SECRET, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
      ['for another audience', () => sign({ ...good(), aud: 'orders' })],
      ['without an audience', () => sign({ ...good(), aud: undefined })],
      ['of a user', () => sign({ ...good(), kind: 'user' })],
      ['without a kind', () => sign({ ...good(), kind: undefined })],
      ['without an owner', () => sign({ ...good(), sub: undefined })],
      ['for an empty owner', () => sign({ ...good(), sub: '' })],
      ['expired', () => sign({ ...good(), iat: now() - 100, exp: now() - 40 })],
      ['without an expiry', () => sign({ ...good(), exp: undefined })],
      ['with a lifetime of an hour', () => sign({ ...good(), exp: now() + 3_600 })],
      ['valid from tomorrow', () => sign({ ...good(), iat: now() + 86_400, exp: now() + 86_430 })],
      ['a development token', () => signToken({ sub: '1' }, { key: stack.developmentKey })],
      ['not a token', () => 'x'],
    ])('returns 401 with a code for a token: %s', async (_what, make) => {
      const token = make();
      const response = await request(token === undefined ? undefined : `Bearer ${token}`);
      expect({ status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.json() }).toEqual({
        status: 401,
        challenge: expect.stringContaining('Bearer'),
        body: { errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: 'UNAUTHENTICATED' }) })] },
      });
    });

    test("a valid token runs any document with the owner's permissions only", async () => {
      const response = await request(`Bearer ${sign(good())}`, '{ user(id: "1") { email } other: user(id: "2") { email } }');
      expect(await response.json()).toMatchObject({ data: { user: { email: expect.any(String) }, other: { email: null } } });
      const admin = await request(`Bearer ${sign({ ...good(), roles: ['ADMIN'] })}`, '{ other: user(id: "2") { email } }');
      expect(await admin.json()).toMatchObject({ data: { other: { email: expect.any(String) } } });
    });

    test('charges and reports a budget of the service for the owner', async () => {
      await using charging = await stack.startAnother({
        identity: { form: 'bound', secret: stack.identitySecret, serviceSecret: SECRET },
        budget: { mode: 'enforce', signedIn: { capacity: 100, refillPerSecond: 1 } },
      });
      const left = async () => {
        const { headers } = await request(`Bearer ${sign(good())}`, undefined, { at: charging.internalUrl });
        return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
      };
      const [first, second] = [await left(), await left()];
      expect(first).toBeGreaterThan(0);
      expect(second).toBeLessThan(first);
    });

    test('a valid service token returns 401 on the public listener', async () => {
      const response = await request(`Bearer ${sign(good())}`, undefined, { at: gateway.url });
      expect(response.status).toBe(401);
    });

    test('returns 404 when the gateway has no service secret', async () => {
      const closed = await stack.startAnother({ identity: { form: 'bound', secret: stack.identitySecret } });
      const response = await request(`Bearer ${sign(good())}`, undefined, { at: closed.internalUrl });
      await closed[Symbol.asyncDispose]();
      expect(response.status).toBe(404);
    });

    test('returns 405 for methods other than POST', async () => {
      const response = await request(`Bearer ${sign(good())}`, undefined, { method: 'GET' });
      expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    });

    test('a stream ends with its token, and the next one resumes at the last bookmark', async () => {
      const token = sign({ ...good(), exp: now() + 2 });
      const response = await request(`Bearer ${token}`, CREATED, { headers: { accept: 'text/event-stream' } });
      const text = await response.text(); // The stream ends by itself.
      const [, position = ''] = /^id: (\S+)$/m.exec(text) ?? [];
      expect(text).toContain('TOKEN_EXPIRED');
      const order = await stack.newOrder('1'); // No stream is open at this point.
      const next = await request(`Bearer ${sign({ ...good(), exp: now() + 2 })}`, CREATED, {
        headers: { accept: 'text/event-stream', 'last-event-id': position },
      });
      expect(await next.text()).toContain(`{"orderStatusChanged":{"orderId":"${order}"}}`);
    });
  });
});
