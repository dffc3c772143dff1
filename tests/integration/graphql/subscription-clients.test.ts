import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/built-cli.ts';
import { createRestWebhooks, verified } from '../../support/rest-webhooks.ts';
import { describeOnStack } from '../../support/shared-stack.ts';
import { readStream } from '../../support/stream-reader.ts';
import { SUBSCRIPTION_CLIENTS, type SubscriptionClient, type Wanted } from '../../support/subscription-clients.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const FOLLOW = 'subscription Follow { orderStatusChanged { kind order { id status user { name } product { title } } } }';
const COMMENTS = 'subscription Comments($postId: ID!) { commentAdded(postId: $postId) { comment { body author { name } } } }';

describeOnStack('clients that people use, on the reference graph', (stack) => {
  const stops: (() => void)[] = [];
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => receiver[Symbol.asyncDispose]());
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  /** Everything that a client hears. */
  function listen(client: SubscriptionClient, wanted: Wanted, token?: string): string[] {
    const heard: string[] = [];
    const hear = (one: unknown): void => void heard.push(one instanceof Error ? `failed: ${one.message}` : JSON.stringify(one));
    stops.push(client.subscribe(stack.url, wanted, { next: hear, complete: () => hear('complete'), error: hear }, token));
    return heard;
  }

  /** Lets things happen until each client has heard of one: a subscription says nothing before its first event. */
  async function untilAllHear(all: readonly string[][], text: string, happen: () => Promise<unknown>): Promise<void> {
    const endsAt = Date.now() + 15_000;
    while (!all.every((heard) => heard.some((one) => one.includes(text)))) {
      if (Date.now() > endsAt) throw new Error(`Not all have heard of ${text}: ${JSON.stringify(all)}`);
      await happen();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it('given an order, when it is confirmed by REST, then every client that can send a token reads of it, with fields of three subgraphs; so does who follows it by REST; and its owner is sent a signed webhook', async () => {
    const owner = await stack.newUser();
    const webhook = await createRestWebhooks(stack.http).activate(owner, `${receiver.url}/orders`);
    const clients = SUBSCRIPTION_CLIENTS.filter(({ takesToken }) => takesToken);
    expect(clients).toHaveLength(6);
    const all = clients.map((client) => listen(client, { query: FOLLOW }, owner.token));
    await untilAllHear(all, '"kind":"CREATED"', () => stack.newOrder(owner));
    // What is delivered to it is read from its first event on.
    await eventually(async () => {
      await stack.newOrder(owner);
      return receiver.received.length > 1;
    });
    const order = await stack.newOrder(owner);
    await using events = await readStream(`${stack.url}/orders/${order}/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${owner.token}` },
    });
    await events.until(/^id: .+\n\n/m); // how far it has come: whatever happens from here on is told

    await stack.http.send({ method: 'PATCH', path: `/orders/${order}`, json: { status: 'CONFIRMED' }, token: owner.token });

    await untilAllHear(all, '"kind":"STATUS_CHANGED"', async () => undefined);
    for (const heard of all) {
      const told = heard.filter((one) => one.includes('STATUS_CHANGED')).map((one) => JSON.parse(one) as unknown);
      expect(told).toEqual([
        expect.objectContaining({
          data: {
            orderStatusChanged: expect.objectContaining({
              kind: 'STATUS_CHANGED',
              order: expect.objectContaining({
                id: String(order),
                status: 'CONFIRMED',
                user: expect.objectContaining({ name: expect.any(String) }),
                product: expect.objectContaining({ title: expect.any(String) }),
              }),
            }),
          },
        }),
      ]);
    }
    const told = /^data: (.*)$/m.exec(await events.until(/^data: .*\n/m))?.[1] ?? '';
    expect(JSON.parse(told)).toMatchObject({ kind: 'STATUS_CHANGED', orderId: order, status: 'CONFIRMED', version: 2 });
    const moves = () => receiver.received.filter(({ body }) => body.includes('"order.status_changed"'));
    await eventually(async () => moves().length > 0);
    expect(moves().map((message) => verified(message, webhook.secret))).toEqual([
      {
        type: 'order.status_changed',
        timestamp: expect.stringMatching(/Z$/),
        data: { orderStatusChanged: expect.objectContaining({ orderId: String(order), status: 'CONFIRMED', version: 2 }) },
      },
    ]);
  }, 60_000);

  it('given comments, when every client follows them without a token, as EventSource must, then each reads of one', async () => {
    const author = await stack.newUser();
    const created = await stack.http.post<{ readonly data: { readonly createPost: { readonly id: string } } }>(
      '/graphql',
      { query: 'mutation { createPost(input: { title: "Momo", body: "By Ende" }) { id } }' },
      { token: author.token },
    );
    const postId = created.body.data.createPost.id;
    const all = SUBSCRIPTION_CLIENTS.map((client) => listen(client, { query: COMMENTS, variables: { postId } }));
    await untilAllHear(all, 'Well said', () =>
      stack.http.post(
        '/graphql',
        {
          query: 'mutation ($id: ID!) { addComment(input: { postId: $id, body: "Well said" }) { comment { id } } }',
          variables: { id: postId },
        },
        { token: author.token },
      ),
    );
  });
});
