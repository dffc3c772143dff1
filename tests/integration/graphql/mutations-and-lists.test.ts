import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { describeOnStack, uniqueName } from '../../support/stack/shared-stack.ts';

describeOnStack('mutations and lists', ({ graphql, tokens, newUser, newOrder }) => {
  it('executes several mutations of one operation in their order', async () => {
    const owner = await newUser();
    const id = String(await newOrder(owner));
    const { data, errors } = await graphql<
      Readonly<
        Record<
          'first' | 'second' | 'third' | 'fourth',
          { order: { status: string; qty: number; version: number } | null; errors: readonly { code: string }[] }
        >
      >
    >(
      `mutation ($id: ID!) {
        first: updateOrder(id: $id, patch: { qty: 5 }) { order { status qty version } errors { code } }
        second: updateOrder(id: $id, patch: { status: CONFIRMED }) { order { status qty version } errors { code } }
        third: updateOrder(id: $id, patch: { qty: 6 }) { order { status qty version } errors { code } }
        fourth: cancelOrder(id: $id) { order { status qty version } errors { code } }
      }`,
      { variables: { id }, token: owner.token },
    );
    expect(errors).toBeUndefined();
    const version = data?.first.order?.version ?? 0;
    expect(data).toEqual({
      first: { order: { status: 'PENDING', qty: 5, version }, errors: [] },
      second: { order: { status: 'CONFIRMED', qty: 5, version: version + 1 }, errors: [] },
      third: { order: null, errors: [{ code: 'CONFLICT' }] },
      fourth: { order: { status: 'CANCELLED', qty: 5, version: version + 2 }, errors: [] },
    });
  });

  it('executes each mutation after the effects of mutations in other subgraphs', async () => {
    const title = uniqueName('A book');
    const { data, errors } = await graphql<{
      createBook: { book: { id: string } };
      createUser: { user: { id: string; posts: readonly unknown[] } };
      again: { user: unknown; errors: readonly unknown[] };
    }>(
      `mutation ($book: CreateBookInput!, $user: CreateUserInput!) {
        createBook(input: $book) { book { id title price } errors { code } }
        createUser(input: $user) { user { id name posts { id } } errors { field code } }
        again: createUser(input: $user) { user { id } errors { field code } }
      }`,
      {
        variables: { book: { title, author: 'A. Writer', price: 3.5 }, user: { name: 'N', email: `${randomUUID()}@example.com` } },
        token: tokens.admin,
      },
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      createBook: { book: { id: expect.stringMatching(/^\d+$/), title, price: 3.5 }, errors: [] },
      createUser: { user: { id: expect.stringMatching(/^\d+$/), name: 'N', posts: [] }, errors: [] },
      again: { user: null, errors: [{ field: expect.stringContaining('email'), code: 'CONFLICT' }] },
    });
  });

  it('executes the mutation after a failed one', async () => {
    const owner = await newUser();
    const id = String(await newOrder(owner));
    const { data, errors } = await graphql(
      `mutation ($id: ID!) {
        a: updateOrder(id: $id, patch: { qty: 3 }) { order { qty } }
        b: updateOrder(id: "999999999", patch: { qty: 4 }) { order { qty } errors { code } }
        c: updateOrder(id: $id, patch: { qty: 5 }) { order { qty } }
      }`,
      { variables: { id }, token: owner.token },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ a: { order: { qty: 3 } }, b: { order: null, errors: [{ code: 'NOT_FOUND' }] }, c: { order: { qty: 5 } } });
  });

  describe('versions and keys', () => {
    it('returns VERSION_MISMATCH for an old version, and changes nothing', async () => {
      const owner = await newUser();
      const id = String(await newOrder(owner));
      const update = (qty: number, expectedVersion?: number) =>
        graphql<{ updateOrder: { order: { qty: number; version: number } | null; errors: readonly { code: string }[] } }>(
          'mutation ($id: ID!, $qty: Int!, $v: Int) { updateOrder(id: $id, patch: { qty: $qty }, expectedVersion: $v) { order { qty version } errors { code } } }',
          { variables: { id, qty, v: expectedVersion }, token: owner.token },
        );
      const version = (await update(3)).data?.updateOrder.order?.version ?? 0;
      expect((await update(4, version)).data?.updateOrder.order).toEqual({ qty: 4, version: version + 1 });
      expect((await update(5, version)).data?.updateOrder).toEqual({ order: null, errors: [{ code: 'VERSION_MISMATCH' }] });
      expect((await graphql('query ($id: ID!) { order(id: $id) { qty } }', { variables: { id }, token: owner.token })).data).toEqual({
        order: { qty: 4 },
      });
    });

    it('accepts exactly one of twenty concurrent writers with the same version', async () => {
      const owner = await newUser();
      const id = String(await newOrder(owner));
      const read = await graphql<{ order: { version: number } }>('query ($id: ID!) { order(id: $id) { version } }', {
        variables: { id },
        token: owner.token,
      });
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          graphql<{ updateOrder: { order: unknown; errors: readonly { code: string }[] } }>(
            'mutation ($id: ID!, $qty: Int!, $v: Int) { updateOrder(id: $id, patch: { qty: $qty }, expectedVersion: $v) { order { qty } errors { code } } }',
            { variables: { id, qty: index + 10, v: read.data?.order.version }, token: owner.token },
          ),
        ),
      );
      const results = responses.map(({ data }) => (data?.updateOrder.order === null ? data.updateOrder.errors[0]?.code : 'won'));
      expect(results.filter((result) => result === 'won')).toHaveLength(1);
      expect(results.filter((result) => result === 'VERSION_MISMATCH')).toHaveLength(19);
    });

    it('returns the first payment for a used key, and rejects another amount', async () => {
      const { token } = await newUser();
      const pay = (amount: number, idempotencyKey: string) =>
        graphql<{ createPayment: { payment: { id: string; amount: number } | null; errors: readonly { code: string }[] } }>(
          'mutation ($amount: Int!, $key: String!) { createPayment(input: { amount: $amount, currency: "EUR" }, idempotencyKey: $key) { payment { id amount } errors { code } } }',
          { variables: { amount, key: idempotencyKey }, token },
        );
      const key = randomUUID();
      const [first, second, third] = [await pay(100, key), await pay(100, key), await pay(200, key)];
      expect(first.data?.createPayment.payment?.amount).toBe(100);
      expect(second.data).toEqual(first.data);
      expect(third.data?.createPayment).toEqual({ payment: null, errors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] });
    });
  });

  describe('lists', () => {
    it.each([-1, 101, 2_147_483_647])('return BAD_USER_INPUT for first: %d without a subgraph request', async (first) => {
      for (const field of ['users', 'books', 'posts']) {
        const { codes, body } = await graphql(`{ ${field}(first: ${String(first)}) { nodes { id } } }`);
        expect({ field, codes }).toEqual({ field, codes: ['BAD_USER_INPUT'] });
        expect(body).not.toHaveProperty('data');
      }
    });

    it('return BAD_USER_INPUT of the subgraph at the field for first: 0', async () => {
      for (const field of ['users', 'books', 'posts']) {
        const { errors, codes } = await graphql(`{ ${field}(first: 0) { nodes { id } } }`);
        expect({ field, codes, path: errors?.[0]?.path }).toEqual({ field, codes: ['BAD_USER_INPUT'], path: [field] });
      }
    });

    it.each(['offset: -1', 'offset: 10001', 'after: "nonsense"', 'after: ""', 'offset: 5, after: "x"'])(
      'return BAD_USER_INPUT for %s',
      async (argument) => {
        expect((await graphql(`{ books(${argument}) { nodes { id } } }`)).codes).toEqual(['BAD_USER_INPUT']);
      },
    );

    it('have each book once in pages by cursor, and pageInfo shows the end', async () => {
      const seen: string[] = [];
      let after: string | null = null;
      for (let more = true; more; ) {
        const {
          data,
        }: {
          data: { books: { nodes: readonly { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } | null | undefined;
        } = await graphql(
          'query ($after: String) { books(first: 100, after: $after, sort: [{ field: PRICE, direction: DESC }]) { nodes { id } pageInfo { hasNextPage endCursor } } }',
          { variables: { after } },
        );
        seen.push(...(data?.books.nodes ?? []).map(({ id }) => id));
        more = data?.books.pageInfo.hasNextPage ?? false;
        after = data?.books.pageInfo.endCursor ?? null;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThanOrEqual(500);
    });

    it('have nodes, edges and cursors that agree', async () => {
      const { data } = await graphql<{
        users: {
          nodes: readonly { id: string }[];
          edges: readonly { cursor: string; node: { id: string } }[];
          pageInfo: unknown;
          totalCount: number;
        };
      }>(
        '{ users(first: 3, offset: 2) { nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }',
      );
      const { nodes = [], edges = [] } = data?.users ?? {};
      expect(edges.map(({ node }) => node)).toEqual(nodes);
      expect(data?.users.pageInfo).toEqual({
        hasNextPage: true,
        hasPreviousPage: true,
        startCursor: edges[0]?.cursor,
        endCursor: edges[2]?.cursor,
      });
      expect(data?.users.totalCount).toBeGreaterThanOrEqual(200);
    });

    it('of plain posts continue after the last id, newest first', async () => {
      const posts = async (after?: string) =>
        (
          await graphql<{ allPosts: readonly { id: string; createdAt: string }[] }>(
            'query ($after: String) { allPosts(first: 10, after: $after) { id createdAt } }',
            { variables: { after } },
          )
        ).data?.allPosts ?? [];
      const first = await posts();
      const second = await posts(first.at(-1)?.id);
      const instants = [...first, ...second].map(({ createdAt }) => createdAt);
      expect(instants).toEqual([...instants].sort().reverse());
      expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(20);
    });

    it('filter by special characters literally', async () => {
      for (const name of ['%', '_', "'; drop table users; --", '\\', '*', '\u0000', '🦊', 'x'.repeat(10_000)]) {
        const { status, data, codes } = await graphql<{ users: { nodes: readonly { name: string }[] } }>(
          'query ($name: String) { users(first: 100, filter: { name: $name }) { nodes { name } } }',
          { variables: { name } },
        );
        // Other tests that run at the same time may create a user with this name. Users without it must not be found.
        const strangers = codes.length === 0 ? data?.users.nodes.filter((user) => !user.name.includes(name)) : [];
        expect({ name: name.slice(0, 30), status, strangers }).toEqual({ name: name.slice(0, 30), status: 200, strangers: [] });
        for (const code of codes) expect(code).toBe('BAD_USER_INPUT');
      }
    });
  });

  it.each([
    '0',
    '-1',
    '01',
    '1.0',
    'abc',
    '',
    ' 1',
    '1 ',
    '９',
    '9007199254740992',
    '99999999999999999999',
    "1' or '1'='1",
    '__proto__',
    '\u0000',
  ])('returns null for the id %j, without an internal error', async (id) => {
    const { status, data, codes } = await graphql('query ($id: ID!) { user(id: $id) { id } book(id: $id) { id } post(id: $id) { id } }', {
      variables: { id },
    });
    expect(status).toBe(200);
    expect(data).toEqual({ user: null, book: null, post: null });
    for (const code of codes) expect(['BAD_USER_INPUT', 'NOT_FOUND']).toContain(code);
  });
});
