import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/time/eventually.ts';
import { fetchDescriptions } from '../../support/description/fetch-descriptions.ts';
import { messageIssues } from '../../support/description/message-issues.ts';
import type { Page } from '../../support/rest/rest-expectations.ts';
import { createRestWebhooks, verified } from '../../support/webhooks/rest-webhooks.ts';
import { describeOnStack, type NewUser } from '../../support/stack/shared-stack.ts';
import { type Received, startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';

describeOnStack('webhook messages about events', (stack) => {
  const { http, newUser, newOrder } = stack;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => receiver[Symbol.asyncDispose]());

  const at = (path: string) => receiver.received.filter((message) => message.path === path);

  const { register, read, activate } = createRestWebhooks(http);

  const patch = async ({ token }: NewUser, path: string, json: object) => http.send({ method: 'PATCH', path, token, json });

  it('an old address that responds to its ping does not activate the new address', async () => {
    const owner = await newUser();
    let respondOld: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      respondOld = resolve;
    });
    receiver.respond = async ({ path }) => {
      if (path === '/old') await held;
      return { status: path === '/old' ? 204 : 500 };
    };
    const webhook = await register(owner, `${receiver.url}/old`);
    await eventually(async () => at('/old').length === 1);
    await patch(owner, `/webhooks/${webhook.id}`, { url: `${receiver.url}/new` });
    respondOld();
    await eventually(async () => at('/new').length > 0);
    expect((await read(owner, webhook)).state).toBe('PENDING');
    await http.send({ method: 'DELETE', path: `/webhooks/${webhook.id}`, token: owner.token });
  }, 60_000);

  it("sends signed, described messages about the owner's orders only", async () => {
    const [owner, other] = [await newUser(), await newUser()];
    receiver.respond = () => ({ status: 204 });
    const webhook = await activate(owner, `${receiver.url}/orders`);
    const [ping] = at('/orders');
    expect(ping && verified(ping, webhook.secret)).toMatchObject({ type: 'webhook.ping', data: { webhookId: String(webhook.id) } });

    // The webhook receives events only after its stream is open. The first order that is delivered proves that.
    const created: number[] = [];
    await eventually(async () => {
      created.push(await newOrder(owner));
      return at('/orders').length > 1;
    });
    const id = created.at(-1) ?? 0;
    await newOrder(other);
    const rotated = await http.post<{ secret: string }>(`/webhooks/${webhook.id}/secrets`, undefined, { token: owner.token });
    expect(rotated.status).toBe(201);
    expect((await patch(owner, `/orders/${id}`, { status: 'CONFIRMED' })).status).toBe(200);

    const about = () =>
      at('/orders')
        .slice(1)
        .filter(({ body }) => body.includes(`"orderId":"${id}"`));
    await eventually(async () => about().length === 2);
    const [made, moved] = about() as [Received, Received];
    expect(verified(made, webhook.secret)).toMatchObject({
      type: 'order.created',
      timestamp: expect.stringMatching(/Z$/),
      data: { orderStatusChanged: { orderId: String(id), status: 'PENDING', version: 1 } },
    });
    const reported = {
      type: 'order.status_changed',
      data: { orderStatusChanged: { orderId: String(id), status: 'CONFIRMED', version: 2 } },
    };
    for (const secret of [webhook.secret, rotated.body.secret]) expect(verified(moved, secret)).toMatchObject(reported);
    expect(() => verified({ ...moved, body: moved.body.replace('CONFIRMED', 'SHIPPED') }, webhook.secret)).toThrow();

    const events = at('/orders')
      .slice(1)
      .map((message) => verified(message, webhook.secret));
    expect(events.map(({ data }) => Number(data.orderStatusChanged?.orderId)).filter((orderId) => !created.includes(orderId))).toEqual([]);
    expect(new Set(at('/orders').map((message) => message.id)).size).toBe(at('/orders').length);
    const [description] = await fetchDescriptions(stack.url);
    if (description === undefined) throw new Error('The gateway has no OpenAPI description.');
    expect(at('/orders').flatMap(({ body }) => messageIssues(description.document, body))).toEqual([]);
    const page = `/webhooks/${webhook.id}/deliveries?state=DELIVERED`;
    await eventually(async () => {
      const { body } = await http.get<Page<unknown>>(page, { token: owner.token });
      return body.totalElements === at('/orders').length;
    });
  }, 60_000);
});
