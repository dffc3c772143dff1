import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parse, subscribe } from 'graphql';
import { ADMIN, type GraphResponse, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';

interface Order {
  readonly id: string;
  readonly status: string;
  readonly productId: string;
  readonly qty: number;
  readonly userId: string;
  readonly total: number;
  readonly version: number;
}

interface Payload {
  readonly order: Order | null;
  readonly errors: readonly { readonly field: string; readonly code: string }[];
}

const ORDER = '{ id status productId qty userId total version }';
const PAYLOAD = `{ order ${ORDER} errors { field code } }`;
const MUTATIONS = {
  create: `mutation ($input: CreateOrderInput!, $key: String) { result: createOrder(input: $input, idempotencyKey: $key) ${PAYLOAD} }`,
  update: `mutation ($id: ID!, $patch: UpdateOrderInput!, $version: Int) { result: updateOrder(id: $id, patch: $patch, expectedVersion: $version) ${PAYLOAD} }`,
  replace: `mutation ($id: ID!, $input: ReplaceOrderInput!, $version: Int) { result: replaceOrder(id: $id, input: $input, expectedVersion: $version) ${PAYLOAD} }`,
  cancel: `mutation ($id: ID!, $version: Int) { result: cancelOrder(id: $id, expectedVersion: $version) ${PAYLOAD} }`,
};

describeOnSubgraphs('orders', (stack) => {
  const query = <Data>(query: string, as?: Caller, variables?: Readonly<Record<string, unknown>>): Promise<GraphResponse<Data>> =>
    stack().query<Data>('orders', { query, as, ...(variables === undefined ? {} : { variables }) });
  const mutate = (name: keyof typeof MUTATIONS, variables: Readonly<Record<string, unknown>>, as?: Caller) =>
    query<{ result: Payload }>(MUTATIONS[name], as, variables);

  /** Returns the errors of a payload, such as `CONFLICT patch.qty`. */
  const userErrors = ({ data }: GraphResponse<{ result: Payload }>) =>
    data?.result.errors.map(({ field, code }) => `${code} ${field}`.trim());

  async function newOrder(as: Caller = user('7'), input: { productId?: string; qty?: number } = {}): Promise<Order> {
    const { data, text } = await mutate('create', { input: { productId: '1', qty: 2, ...input } }, as);
    if (!data?.result.order) throw new Error(text);
    return data.result.order;
  }

  async function orderThatIs(status: string, as: Caller = user('7')): Promise<Order> {
    const order = await newOrder(as);
    const steps: Readonly<Record<string, readonly string[]>> = {
      CONFIRMED: ['CONFIRMED'],
      SHIPPED: ['CONFIRMED', 'SHIPPED'],
      CANCELLED: ['CANCELLED'],
    };
    let current = order;
    for (const step of steps[status] ?? []) {
      const { data } = await mutate('update', { id: order.id, patch: { status: step } }, ADMIN);
      current = data?.result.order ?? current;
    }
    expect(current.status).toBe(status);
    return current;
  }

  const read = async (id: string) =>
    (await query<{ order: Order | null }>(`query ($id: ID!) { order(id: $id) ${ORDER} }`, ADMIN, { id })).data?.order;

  describe('reading', () => {
    it('every field returns null and UNAUTHENTICATED without credentials', async () => {
      const { data, codes } = await query('{ order(id: "1") { id } missing: order(id: "99999999") { id } orders { nodes { id } } }');
      expect(data).toEqual({ order: null, missing: null, orders: null });
      expect(codes).toEqual(['UNAUTHENTICATED missing', 'UNAUTHENTICATED order', 'UNAUTHENTICATED orders']);
    });

    it('every field returns null and FORBIDDEN for orders of another user', async () => {
      const { data, codes } = await query(
        '{ order(id: "1") { id } orders { nodes { id } } others: orders(filter: { userId: "1" }) { nodes { id } } }',
        user('2'),
      );
      expect(data).toEqual({ order: null, orders: null, others: null });
      expect(codes).toEqual(['FORBIDDEN order', 'FORBIDDEN orders', 'FORBIDDEN others']);
    });

    it.each(['99999999', '0', '-1', 'abc', '1 or 1=1', '９', '9223372036854775808', ''])(
      'the unknown ID %j returns null without an error',
      async (id) => {
        const { data, codes } = await query('query ($id: ID!) { order(id: $id) { id } }', user('2'), { id });
        expect([data, codes]).toEqual([{ order: null }, []]);
      },
    );

    it('a user lists their own orders with filter, sort and page size', async () => {
      const { data } = await query<{ orders: { nodes: readonly Order[]; totalCount: number; pageInfo: { hasNextPage: boolean } } }>(
        `{ orders(first: 3, filter: { userId: "1", status: [SHIPPED] }, sort: [{ field: TOTAL, direction: DESC }]) { nodes ${ORDER} totalCount pageInfo { hasNextPage } } }`,
        user('1'),
      );
      const totals = data?.orders.nodes.map(({ total }) => total) ?? [];
      expect(totals).toHaveLength(3);
      expect(totals).toEqual(totals.toSorted((left, right) => right - left));
      expect(data?.orders.nodes.map(({ status, userId }) => `${status} ${userId}`)).toEqual(Array(3).fill('SHIPPED 1'));
      expect(data?.orders.totalCount).toBeGreaterThan(3);
      expect(data?.orders.pageInfo.hasNextPage).toBe(true);
    });

    it('an administrator lists all orders', async () => {
      const { data } = await query<{ orders: { totalCount: number } }>('{ orders { totalCount } }', ADMIN);
      expect(data?.orders.totalCount).toBeGreaterThanOrEqual(2_000);
    });
  });

  describe('entities', () => {
    const ENTITIES =
      'query ($of: [_Any!]!, $first: Int) { _entities(representations: $of) { ... on Order { id qty } ... on User { orders(first: $first) { nodes { id userId } totalCount } } } }';
    const of = (type: string, ids: readonly number[]) => ids.map((id) => ({ __typename: type, id: String(id) }));

    it('each reference has its own result: own, foreign and unknown orders', async () => {
      const { data, codes } = await query<{ _entities: readonly unknown[] }>(ENTITIES, user('1'), { of: of('Order', [1, 2, 99_999_999]) });
      expect(data?._entities).toEqual([{ id: '1', qty: expect.any(Number) }, null, null]);
      expect(codes).toEqual(['FORBIDDEN _entities.1']);
    });

    it('100 orders are resolved with one statement', async () => {
      const ids = Array.from({ length: 100 }, (_, index) => index + 1);
      const statements = await stack().statementsOf(() => query(ENTITIES, ADMIN, { of: of('Order', ids) }));
      expect(statements).toHaveLength(1);
    });

    it('the orders and counts of 60 users take one statement each', async () => {
      const ids = Array.from({ length: 60 }, (_, index) => index + 1);
      const responses: GraphResponse<{ _entities: readonly { orders: { nodes: readonly { userId: string }[]; totalCount: number } }[] }>[] =
        [];
      const statements = await stack().statementsOf(async () => {
        responses.push(await query(ENTITIES, ADMIN, { of: of('User', ids), first: 2 }));
      });
      expect(statements).toHaveLength(2);
      for (const [index, { orders }] of responses[0]?.data?._entities.entries() ?? []) {
        expect(orders.nodes.map(({ userId }) => userId)).toEqual(orders.nodes.map(() => String(index + 1)));
        expect(orders.nodes).toHaveLength(Math.min(2, orders.totalCount));
      }
    });

    it('a user gets their own order list and FORBIDDEN for that of another user', async () => {
      const { data, codes } = await query<{ _entities: readonly { orders: object | null }[] }>(ENTITIES, user('1'), {
        of: of('User', [1, 2]),
      });
      expect(data?._entities.map(({ orders }) => orders !== null)).toEqual([true, false]);
      expect(codes).toEqual(['FORBIDDEN _entities.1.orders']);
    });

    it('the products of 40 orders take one statement', async () => {
      const statements = await stack().statementsOf(() => query('{ orders(first: 40) { nodes { product { id } user { id } } } }', ADMIN));
      expect(statements).toHaveLength(2);
    });
  });

  describe('ordering', () => {
    it.each(['somebody@elsewhere', '99999999'])('returns FORBIDDEN and writes nothing for the unknown user %s', async (id) => {
      const statements = await stack().statementsOf(async () => {
        expect((await mutate('create', { input: { productId: '1', qty: 1 } }, user(id))).codes).toEqual(['FORBIDDEN result']);
      });
      expect(statements.filter((text) => text.startsWith('insert into "orders'))).toEqual([]);
    });

    it('returns UNAUTHENTICATED without credentials', async () => {
      const response = await mutate('create', { input: { productId: '1', qty: 1 } });
      expect([response.data, response.codes]).toEqual([null, ['UNAUTHENTICATED result']]);
    });

    it.each([
      [{ productId: '1', qty: 0 }, 'BAD_USER_INPUT input.qty'],
      [{ productId: '1', qty: -3 }, 'BAD_USER_INPUT input.qty'],
      [{ productId: '1', qty: 1_001 }, 'BAD_USER_INPUT input.qty'],
      [{ productId: '99999999', qty: 1 }, 'BAD_USER_INPUT input.productId'],
      [{ productId: 'x', qty: 1 }, 'BAD_USER_INPUT input.productId'],
    ])('%j produces the payload error %s', async (input, userError) => {
      const response = await mutate('create', { input }, user('7'));
      expect([response.data?.result.order, userErrors(response)]).toEqual([null, [userError]]);
    });

    it('a product that is out of stock is a conflict', async () => {
      const { data } = await stack().query<{ books: { nodes: readonly { id: string }[] } }>('catalogue', {
        query: '{ books(first: 1, filter: { inStock: false }) { nodes { id } } }',
      });
      const productId = data?.books.nodes[0]?.id;
      expect(userErrors(await mutate('create', { input: { productId, qty: 1 } }, user('7')))).toEqual(['CONFLICT input.productId']);
    });

    it('the total is exactly price times quantity at the maximum quantity', async () => {
      const { data } = await stack().query<{ book: { price: number } }>('catalogue', { query: '{ book(id: "3") { price } }' });
      const order = await newOrder(user('7'), { productId: '3', qty: 1_000 });
      expect(order).toMatchObject({ status: 'PENDING', userId: '7', version: 1, total: Math.round((data?.book.price ?? 0) * 100) * 10 });
    });

    it('creates one order for 50 concurrent requests with one key', async () => {
      const key = randomUUID();
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => mutate('create', { input: { productId: '1', qty: 1 }, key }, user('8'))),
      );
      expect(new Set(responses.map(({ data }) => data?.result.order?.id)).size).toBe(1);
      expect(userErrors(await mutate('create', { input: { productId: '1', qty: 2 }, key }, user('8')))).toEqual([
        'IDEMPOTENCY_KEY_REUSED idempotencyKey',
      ]);
    });
  });

  describe('changing', () => {
    it.each(['update', 'replace', 'cancel'] as const)(
      '%s by anonymous callers and other users is rejected and changes nothing',
      async (name) => {
        const { id, version } = await newOrder();
        const variables = { id, patch: { qty: 9 }, input: { productId: '1', qty: 9 } };
        expect((await mutate(name, variables)).codes).toEqual(['UNAUTHENTICATED result']);
        expect((await mutate(name, variables, user('9'))).codes).toEqual(['FORBIDDEN result']);
        expect(await read(id)).toMatchObject({ version, qty: 2 });
      },
    );

    it.each(['update', 'replace', 'cancel'] as const)('%s of an unknown order returns NOT_FOUND in the payload', async (name) => {
      const variables = { patch: { qty: 9 }, input: { productId: '1', qty: 9 } };
      expect(userErrors(await mutate(name, { ...variables, id: '99999999' }, user('7')))).toEqual(['NOT_FOUND id']);
      expect(userErrors(await mutate(name, { ...variables, id: 'x' }, user('7')))).toEqual(['NOT_FOUND id']);
    });

    it('shipping is FORBIDDEN for the owner, even with invalid input', async () => {
      const { id } = await orderThatIs('CONFIRMED');
      expect((await mutate('update', { id, patch: { status: 'SHIPPED', qty: 0 } }, user('7'))).codes).toEqual(['FORBIDDEN result']);
      expect((await mutate('replace', { id, input: { productId: '1', qty: 2, status: 'SHIPPED' } }, user('7'))).codes).toEqual([
        'FORBIDDEN result',
      ]);
      expect((await mutate('update', { id, patch: { status: 'SHIPPED' } }, ADMIN)).data?.result.order).toMatchObject({
        status: 'SHIPPED',
        version: 3,
      });
    });

    it.each([
      [{ status: null }, ['BAD_USER_INPUT patch.status']],
      [{ status: null, qty: null }, ['BAD_USER_INPUT patch.status', 'BAD_USER_INPUT patch.qty']],
      [{ qty: 0 }, ['BAD_USER_INPUT patch.qty']],
      [{ qty: 1_001, status: 'CONFIRMED' }, ['BAD_USER_INPUT patch.qty']],
      [{ status: 'SHIPPED' }, ['CONFLICT patch.status']],
    ])('patching a pending order with %j produces the errors %j and no change', async (patch, expected) => {
      const { id, version } = await newOrder();
      expect(userErrors(await mutate('update', { id, patch }, ADMIN))).toEqual(expected);
      expect(await read(id)).toMatchObject({ version, status: 'PENDING', qty: 2 });
    });

    it.each(['CONFIRMED', 'SHIPPED', 'CANCELLED'])('changing quantity or product of a %s order is a conflict', async (status) => {
      const { id, qty } = await orderThatIs(status);
      expect(userErrors(await mutate('update', { id, patch: { qty: qty + 1 } }, ADMIN))).toEqual(['CONFLICT patch.qty']);
      expect(userErrors(await mutate('replace', { id, input: { productId: '2', qty, status } }, ADMIN))).toEqual([
        'CONFLICT input.productId',
      ]);
    });

    it('changing the quantity retains the price at which the order was placed', async () => {
      const { data } = await stack().query<{ createBook: { book: { id: string } } }>('catalogue', {
        query: 'mutation { createBook(input: { title: "T", author: "A", price: 9.99 }) { book { id } } }',
        as: ADMIN,
      });
      const productId = data?.createBook.book.id ?? '';
      const { id } = await newOrder(user('7'), { productId, qty: 1 });
      await stack().query('catalogue', {
        query: `mutation { updateBook(id: "${productId}", patch: { price: 20 }) { book { id } } }`,
        as: ADMIN,
      });
      expect((await mutate('update', { id, patch: { qty: 3 } }, user('7'))).data?.result.order).toMatchObject({
        qty: 3,
        total: 29.97,
        version: 2,
      });
      await stack().query('catalogue', { query: `mutation { deleteBook(id: "${productId}") { book { id } } }`, as: ADMIN });
      expect((await query(`{ order(id: "${id}") { total productId product { id } } }`, user('7'))).data).toEqual({
        order: { total: 29.97, productId, product: null },
      });
    });

    it('replacing a confirmed order without a status conflicts with PENDING', async () => {
      const { id } = await orderThatIs('CONFIRMED');
      expect(userErrors(await mutate('replace', { id, input: { productId: '1', qty: 2 } }, ADMIN))).toEqual(['CONFLICT input.status']);
    });

    it('replacing a pending order changes all of its fields in one version', async () => {
      const { data } = await stack().query<{ book: { price: number } }>('catalogue', { query: '{ book(id: "5") { price } }' });
      const { id } = await newOrder();
      const response = await mutate('replace', { id, input: { productId: '5', qty: 4, status: 'CONFIRMED' } }, user('7'));
      expect(response.data?.result.order).toMatchObject({ productId: '5', qty: 4, status: 'CONFIRMED', version: 2 });
      expect(response.data?.result.order?.total).toBeCloseTo((data?.book.price ?? 0) * 4, 2);
    });

    it('writing the current content creates no version', async () => {
      const order = await newOrder();
      expect((await mutate('update', { id: order.id, patch: { qty: 2, status: 'PENDING' } }, user('7'))).data?.result.order).toEqual(order);
    });

    it('canceling a shipped order conflicts, and canceling twice is idempotent', async () => {
      const shipped = await orderThatIs('SHIPPED');
      expect(userErrors(await mutate('cancel', { id: shipped.id }, user('7')))).toEqual(['CONFLICT']);
      const { id, version } = await newOrder();
      const first = await mutate('cancel', { id, version }, user('7'));
      expect(first.data?.result.order).toMatchObject({ status: 'CANCELLED', version: 2 });
      expect(await mutate('cancel', { id, version }, user('7'))).toEqual(first);
    });
  });

  describe('races', () => {
    it('one of 20 writers with the same version succeeds, the others get errors', async () => {
      const { id, version } = await newOrder();
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => mutate('update', { id, patch: { qty: 100 + index }, version }, user('7'))),
      );
      const results = responses.map((response) => userErrors(response)?.[0] ?? 'won').toSorted();
      expect(results).toEqual([...Array(19).fill('VERSION_MISMATCH expectedVersion'), 'won']);
      expect(await read(id)).toMatchObject({ version: 2 });
    });

    it('confirming and canceling concurrently cancels the order without lost updates', async () => {
      const { id } = await newOrder();
      const [confirmed, canceled] = await Promise.all([
        mutate('update', { id, patch: { status: 'CONFIRMED' } }, user('7')),
        mutate('cancel', { id }, user('7')),
      ]);
      expect(canceled.data?.result.order?.status).toBe('CANCELLED');
      const moves = confirmed.data?.result.order ? 2 : 1;
      expect(await read(id)).toMatchObject({ status: 'CANCELLED', version: 1 + moves });
    });
  });

  describe('following', () => {
    /** Subscribes as the gateway does. */
    async function follow(
      as: Caller | undefined,
      args = '',
    ): Promise<{ readonly codes: readonly unknown[]; readonly events: AsyncIterator<unknown> }> {
      const { orders } = stack().subgraphs;
      const kind = as === undefined ? ('anonymous' as const) : ('user' as const);
      const result = await subscribe({
        schema: orders.schema,
        document: parse(`subscription { orderStatusChanged${args} { kind orderId status version order { qty } } }`),
        contextValue: orders.createContext({ kind, id: as?.id ?? '', roles: new Set(as?.roles), scopes: new Set() }, 'follow'),
      });
      if (Symbol.asyncIterator in result) return { codes: [], events: result[Symbol.asyncIterator]() };
      return { codes: result.errors?.map(({ extensions }) => extensions['code']) ?? [], events: (async function* () {})() };
    }

    it('rejects anonymous callers and other users before the stream starts', async () => {
      const { id } = await newOrder();
      expect((await follow(undefined)).codes).toEqual(['UNAUTHENTICATED']);
      expect((await follow(user('9'), `(orderId: "${id}")`)).codes).toEqual(['FORBIDDEN']);
      expect((await follow(user('9'), '(userId: "7")')).codes).toEqual(['FORBIDDEN']);
      expect((await follow(user('9'), '(orderId: "99999999")')).codes).toEqual(['NOT_FOUND']);
    });

    it('streams each caller the events that they may see, in order', async () => {
      await stack().relay.drain();
      const own = await follow(user('31'));
      const ofOne = await follow(ADMIN, '(userId: "32")');
      const all = await follow(ADMIN);
      const next = [own, ofOne, all].map(({ events }) => events.next());
      const theirs = await newOrder(user('32'));
      const mine = await newOrder(user('31'));
      await stack().relay.drain();
      const created = (order: Order) => ({
        data: { orderStatusChanged: { kind: 'CREATED', orderId: order.id, status: 'PENDING', version: 1, order: { qty: 2 } } },
      });
      const [firstOwn, firstOfOne, firstOfAll] = (await Promise.all(next)).map((result) => result.value as unknown);
      expect([firstOwn, firstOfOne, firstOfAll]).toEqual([created(mine), created(theirs), created(theirs)]);
      await mutate('update', { id: mine.id, patch: { status: 'CONFIRMED', qty: 4 } }, user('31'));
      await stack().relay.drain();
      expect((await own.events.next()).value).toEqual({
        data: { orderStatusChanged: { kind: 'STATUS_CHANGED', orderId: mine.id, status: 'CONFIRMED', version: 2, order: { qty: 4 } } },
      });
      for (const { events } of [own, ofOne, all]) await events.return?.();
    });
  });

  describe('events', () => {
    it('are published in order for creation and status changes only', async () => {
      await stack().relay.drain();
      const reported = stack().events.subscribe('orders');
      const { id } = await newOrder();
      await mutate('update', { id, patch: { qty: 5 } }, user('7'));
      await mutate('update', { id, patch: { status: 'SHIPPED' } }, ADMIN);
      await mutate('update', { id, patch: { status: 'CONFIRMED' } }, user('7'));
      await stack().relay.drain();
      const events = [await reported.next(), await reported.next()].map(({ value }) => (value as { payload: unknown }).payload);
      expect(events).toEqual([
        { event: 'order.created', orderId: id, userId: '7', status: 'PENDING', version: 1, qty: 2, at: expect.any(String) },
        { event: 'order.status_changed', orderId: id, userId: '7', status: 'CONFIRMED', version: 3, qty: 5, at: expect.any(String) },
      ]);
      await reported.return?.();
    });
  });
});
