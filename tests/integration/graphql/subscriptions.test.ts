import { afterEach, expect, it } from '@jest/globals';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface Received {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code: string } }[];
  readonly extensions?: { readonly eventId?: string };
}

describeOnStack('subscriptions of the reference graph', (stack) => {
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.dispose();
  });

  function connect(token?: string): Client {
    const client = createClient({
      url: `${stack.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: token === undefined ? {} : { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    clients.push(client);
    return client;
  }

  async function next(events: AsyncIterableIterator<Received>): Promise<Received> {
    const { value } = await events.next();
    return value as Received;
  }

  const subscribe = (client: Client, query: string, extensions?: Record<string, unknown>): AsyncIterableIterator<Received> =>
    client.iterate({ query, ...(extensions === undefined ? {} : { extensions }) }) as AsyncIterableIterator<Received>;

  /** Reads events until one matches. Other tests share the graph and cause their own events. */
  async function until(events: AsyncIterableIterator<Received>, passes: (event: Received) => boolean): Promise<Received> {
    for (;;) {
      const event = await next(events);
      if (passes(event)) return event;
    }
  }

  /** Returns the first event. A subscription sends nothing before it, so events are caused until one arrives. */
  async function first(events: AsyncIterableIterator<Received>, happen: () => Promise<unknown>): Promise<Received> {
    const reported = next(events);
    const seen: Received[] = [];
    void reported.then((event) => seen.push(event));
    while (seen.length === 0) await happen();
    return reported;
  }

  const ORDERS = 'subscription { orderStatusChanged { orderId kind } }';
  const FOLLOW = `subscription { orderStatusChanged { kind order {
    id status user { name email } product { title } shipment { trackingNumber }
  } } }`;

  it('reject an anonymous caller who follows orders, with a code', async () => {
    const events = subscribe(connect(), 'subscription { orderStatusChanged { kind } }');
    const reported = await next(events).catch((error: unknown) => ({ errors: error as Received['errors'] }));
    expect(reported.errors?.map(({ extensions }) => extensions?.code)).toEqual(['UNAUTHENTICATED']);
  });

  it('send a confirmation by REST to the owner only, with fields of four subgraphs', async () => {
    const [owner, other] = [await stack.newUser(), await stack.newUser()];
    const order = await stack.newOrder(owner);
    const [events, others] = [subscribe(connect(owner.token), FOLLOW), subscribe(connect(other.token), ORDERS)];
    await first(events, () => stack.newOrder(owner));
    const foreign = first(others, () => stack.newOrder(other));
    await stack.http.send({ method: 'PATCH', path: `/orders/${order}`, json: { status: 'CONFIRMED' }, token: owner.token });
    const reported = await until(events, ({ data }) => JSON.stringify(data).includes('STATUS_CHANGED'));
    expect(reported).toEqual({
      data: {
        orderStatusChanged: {
          kind: 'STATUS_CHANGED',
          order: {
            id: String(order),
            status: 'CONFIRMED',
            user: { name: 'Somebody New', email: owner.email },
            product: { title: expect.any(String) },
            shipment: null,
          },
        },
      },
      extensions: { eventId: expect.any(String) },
    });
    expect(await foreign).toMatchObject({ data: { orderStatusChanged: { kind: 'CREATED' } } });
  });

  it('send missed events first to a client that returns with its last event', async () => {
    const owner = await stack.newUser();
    const before = subscribe(connect(owner.token), ORDERS);
    const made: number[] = [];
    const reported = await first(before, async () => made.push(await stack.newOrder(owner)));
    await before.return?.();
    const missed = [await stack.newOrder(owner), await stack.newOrder(owner)];
    const after = subscribe(connect(owner.token), ORDERS, { lastEventId: reported.extensions?.eventId });
    const seen = JSON.stringify(reported.data);
    const position = made.findIndex((id) => seen.includes(`"${id}"`));
    for (const id of [...made.slice(position + 1), ...missed]) {
      expect(await next(after)).toMatchObject({ data: { orderStatusChanged: { orderId: String(id), kind: 'CREATED' } } });
    }
  });

  it('report possibly missed events for an unknown last event, and continue', async () => {
    const owner = await stack.newUser();
    const events = subscribe(connect(owner.token), 'subscription { orderStatusChanged { orderId } }', { lastEventId: 'long-ago' });
    expect(await next(events)).toMatchObject({ data: null, errors: [{ extensions: { code: 'EVENTS_MAY_BE_MISSED' } }] });
    const id = String(await stack.newOrder(owner));
    expect(await next(events)).toMatchObject({ data: { orderStatusChanged: { orderId: id } } });
  });

  it('send a new post to an anonymous caller with the public fields of its author', async () => {
    const author = await stack.newUser();
    const events = subscribe(connect(), 'subscription { postCreated { post { title author { name email } } } }');
    const post = () =>
      stack.graphql('mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }', {
        token: author.token,
        variables: { input: { title: `Words of ${author.id}`, body: 'x' } },
      });
    await first(events, post);
    await post();
    const reported = await until(events, ({ data }) => JSON.stringify(data).includes(`of ${author.id}"`));
    expect(reported).toMatchObject({
      data: { postCreated: { post: { title: `Words of ${author.id}`, author: { name: 'Somebody New', email: null } } } },
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });
});
