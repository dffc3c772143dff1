import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { describeOnStack, type NewUser, uniqueName } from '../../support/stack/shared-stack.ts';

type Caller = 'anonymous' | 'owner' | 'other' | 'admin';
type Allowed = Readonly<Record<Caller, boolean>>;

const EVERYBODY: Allowed = { anonymous: true, owner: true, other: true, admin: true };
const SIGNED_IN: Allowed = { anonymous: false, owner: true, other: true, admin: true };
const OWNER_AND_ADMIN: Allowed = { anonymous: false, owner: true, other: false, admin: true };
const ADMIN_ONLY: Allowed = { anonymous: false, owner: false, other: false, admin: true };
const CALLERS: readonly Caller[] = ['anonymous', 'owner', 'other', 'admin'];

/** Entities of one row, created for each caller. */
interface Scene {
  readonly owner: NewUser;
  readonly order: string;
  readonly payment: string;
  readonly book: string;
}

interface Row {
  readonly what: string;
  readonly allowed: Allowed;
  /** Operation with the values of the scene. */
  readonly operation: (scene: Scene) => string;
  /** Path of the error when the operation is denied. */
  readonly path: readonly (string | number)[];
}

const id = (value: string | number) => JSON.stringify(String(value));

const ROWS: readonly Row[] = [
  {
    what: 'read a book',
    allowed: EVERYBODY,
    operation: ({ book }) => `{ book(id: ${id(book)}) { id title author price } }`,
    path: ['book'],
  },
  {
    what: 'read a post and its comments',
    allowed: EVERYBODY,
    operation: () => '{ post(id: "1") { title body author { name } comments { nodes { body } } } }',
    path: ['post'],
  },
  {
    what: 'read the public fields of a user',
    allowed: EVERYBODY,
    operation: ({ owner }) => `{ user(id: ${id(owner.id)}) { id name createdAt } }`,
    path: ['user'],
  },
  {
    what: 'list books, posts and users',
    allowed: EVERYBODY,
    operation: () => '{ books { nodes { id } } posts { nodes { id } } users { nodes { id name } } }',
    path: ['books'],
  },
  {
    what: "read a user's e-mail address",
    allowed: OWNER_AND_ADMIN,
    operation: ({ owner }) => `{ user(id: ${id(owner.id)}) { id email } }`,
    path: ['user', 'email'],
  },
  {
    what: "read a user's age",
    allowed: OWNER_AND_ADMIN,
    operation: ({ owner }) => `{ user(id: ${id(owner.id)}) { id age } }`,
    path: ['user', 'age'],
  },
  {
    what: "read a user's orders",
    allowed: OWNER_AND_ADMIN,
    operation: ({ owner }) => `{ user(id: ${id(owner.id)}) { orders { nodes { id } } } }`,
    path: ['user', 'orders'],
  },
  {
    what: 'read an order',
    allowed: OWNER_AND_ADMIN,
    operation: ({ order }) => `{ order(id: ${id(order)}) { id status } }`,
    path: ['order'],
  },
  {
    what: 'read what shipping an order costs',
    allowed: OWNER_AND_ADMIN,
    operation: ({ order }) => `{ order(id: ${id(order)}) { shippingCost } }`,
    path: ['order'],
  },
  {
    what: 'read a payment',
    allowed: OWNER_AND_ADMIN,
    operation: ({ payment }) => `{ payment(id: ${id(payment)}) { id amount } }`,
    path: ['payment'],
  },
  {
    what: "list a user's orders",
    allowed: OWNER_AND_ADMIN,
    operation: ({ owner }) => `{ orders(filter: { userId: ${id(owner.id)} }) { nodes { id } } }`,
    path: ['orders'],
  },
  { what: "list all users' orders", allowed: ADMIN_ONLY, operation: () => '{ orders { nodes { id } } }', path: ['orders'] },
  {
    what: 'register',
    allowed: EVERYBODY,
    operation: () => `mutation { createUser(input: { name: "N", email: "${randomUUID()}@example.com" }) { user { id } errors { code } } }`,
    path: ['createUser'],
  },
  {
    what: 'change a user',
    allowed: OWNER_AND_ADMIN,
    operation: ({ owner }) => `mutation { updateUser(id: ${id(owner.id)}, patch: { name: "Other" }) { user { name } errors { code } } }`,
    path: ['updateUser'],
  },
  {
    what: 'delete a user',
    allowed: OWNER_AND_ADMIN,
    operation: ({ owner }) => `mutation { deleteUser(id: ${id(owner.id)}) { user { id } errors { code } } }`,
    path: ['deleteUser'],
  },
  {
    what: 'write a post',
    allowed: SIGNED_IN,
    operation: () => 'mutation { createPost(input: { title: "T", body: "B" }) { id author { id } } }',
    path: ['createPost'],
  },
  {
    what: 'write a comment',
    allowed: SIGNED_IN,
    operation: () => 'mutation { addComment(input: { postId: "1", body: "B" }) { comment { id } errors { code } } }',
    path: ['addComment'],
  },
  {
    what: 'order',
    allowed: SIGNED_IN,
    operation: () => 'mutation { createOrder(input: { productId: "1", qty: 1 }) { order { id userId } errors { code } } }',
    path: ['createOrder'],
  },
  {
    what: 'pay',
    allowed: SIGNED_IN,
    operation: () =>
      `mutation { createPayment(input: { amount: 5, currency: "EUR" }, idempotencyKey: "${randomUUID()}") { payment { id } errors { code } } }`,
    path: ['createPayment'],
  },
  {
    what: "change an order's content",
    allowed: OWNER_AND_ADMIN,
    operation: ({ order }) => `mutation { updateOrder(id: ${id(order)}, patch: { qty: 7 }) { order { qty } errors { code } } }`,
    path: ['updateOrder'],
  },
  {
    what: 'replace an order',
    allowed: OWNER_AND_ADMIN,
    operation: ({ order }) =>
      `mutation { replaceOrder(id: ${id(order)}, input: { productId: "2", qty: 7 }) { order { qty } errors { code } } }`,
    path: ['replaceOrder'],
  },
  {
    what: 'confirm an order',
    allowed: OWNER_AND_ADMIN,
    operation: ({ order }) =>
      `mutation { updateOrder(id: ${id(order)}, patch: { status: CONFIRMED }) { order { status } errors { code } } }`,
    path: ['updateOrder'],
  },
  {
    what: 'cancel an order',
    allowed: OWNER_AND_ADMIN,
    operation: ({ order }) => `mutation { cancelOrder(id: ${id(order)}) { order { status } errors { code } } }`,
    path: ['cancelOrder'],
  },
  {
    what: 'create a book',
    allowed: ADMIN_ONLY,
    operation: () => 'mutation { createBook(input: { title: "T", author: "A", price: 1 }) { book { id } errors { code } } }',
    path: ['createBook'],
  },
  {
    what: 'change a book',
    allowed: ADMIN_ONLY,
    operation: ({ book }) => `mutation { updateBook(id: ${id(book)}, patch: { price: 2 }) { book { price } errors { code } } }`,
    path: ['updateBook'],
  },
  {
    what: 'replace a book',
    allowed: ADMIN_ONLY,
    operation: ({ book }) =>
      `mutation { replaceBook(id: ${id(book)}, input: { title: "U", author: "A", price: 3 }) { book { title } errors { code } } }`,
    path: ['replaceBook'],
  },
  {
    what: 'delete a book',
    allowed: ADMIN_ONLY,
    operation: ({ book }) => `mutation { deleteBook(id: ${id(book)}) { book { id } errors { code } } }`,
    path: ['deleteBook'],
  },
];

describeOnStack('permissions', ({ graphql, http, tokens, newUser, newOrder }) => {
  async function newScene(): Promise<Scene> {
    const owner = await newUser();
    const [order, payment, book] = await Promise.all([
      newOrder(owner),
      http.post<{ id: number }>(
        '/payments',
        { amount: 5, currency: 'EUR' },
        { token: owner.token, headers: { 'idempotency-key': randomUUID() } },
      ),
      http.post<{ id: number }>('/books', { title: uniqueName('A book'), author: 'A', price: 1 }, { token: tokens.admin }),
    ]);
    return { owner, order: String(order), payment: String(payment.body.id), book: String(book.body.id) };
  }

  const tokenOf = async (caller: Caller, { owner }: Scene): Promise<string | undefined> => {
    if (caller === 'anonymous') return undefined;
    if (caller === 'other') return (await newUser()).token;
    return caller === 'owner' ? owner.token : tokens.admin;
  };

  describe.each(ROWS)('$what', ({ allowed, operation, path }) => {
    it.each(CALLERS)('%s: the policy decides', async (caller) => {
      const scene = await newScene();
      const { status, data, errors, codes } = await graphql(operation(scene), { token: await tokenOf(caller, scene) });
      expect(status).toBe(200);
      if (allowed[caller]) {
        expect(errors).toBeUndefined();
        expect(JSON.stringify(data)).not.toMatch(/"code":|:null/);
      } else {
        expect(codes).toEqual([caller === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN']);
        expect(errors?.[0]?.path).toEqual(path);
      }
    });
  });

  it('only an administrator may ship a confirmed order', async () => {
    const { owner, order } = await newScene();
    const ship = (token?: string) =>
      graphql(`mutation { updateOrder(id: ${id(order)}, patch: { status: SHIPPED }) { order { status } errors { code } } }`, { token });
    await graphql(`mutation { updateOrder(id: ${id(order)}, patch: { status: CONFIRMED }) { order { id } } }`, { token: owner.token });
    expect((await ship()).codes).toEqual(['UNAUTHENTICATED']);
    expect((await ship(owner.token)).codes).toEqual(['FORBIDDEN']);
    expect((await ship((await newUser()).token)).codes).toEqual(['FORBIDDEN']);
    expect((await ship(tokens.admin)).data).toEqual({ updateOrder: { order: { status: 'SHIPPED' }, errors: [] } });
  });

  it('only the owner and administrators may read a shipment', async () => {
    const { data } = await graphql<{ orders: { nodes: readonly { id: string; shipment: unknown }[] } }>(
      '{ orders(filter: { userId: "1", status: [SHIPPED] }, first: 100) { nodes { id shipment { carrier } } } }',
      { token: tokens.user1 },
    );
    const shipped = data?.orders.nodes.find(({ shipment }) => shipment !== null);
    const query = `{ order(id: ${id(shipped?.id ?? '')}) { shipment { carrier trackingNumber } } }`;
    for (const token of [tokens.user1, tokens.admin]) {
      expect((await graphql(query, { token })).data).toEqual({
        order: { shipment: { carrier: expect.any(String), trackingNumber: expect.any(String) } },
      });
    }
    expect((await graphql(query, { token: tokens.user2 })).codes).toEqual(['FORBIDDEN']);
    expect((await graphql(query)).codes).toEqual(['UNAUTHENTICATED']);
  });

  it('withheld data is withheld on every other path', async () => {
    const { owner, order, payment } = await newScene();
    const { token } = await newUser();
    const paths: readonly string[] = [
      `{ a: user(id: ${id(owner.id)}) { b: orders { c: nodes { id } } } }`,
      `{ a: user(id: ${id(owner.id)}) { b: email } }`,
      `{ users(filter: { name: "Somebody New" }, first: 100) { nodes { id email } } }`,
      `{ a: order(id: ${id(order)}) { user { email } } }`,
      `{ a: payment(id: ${id(payment)}) { order { id } user { email } } }`,
      `query { a: user(id: ${id(owner.id)}) { ...F } } fragment F on User { ... on Node { id } ... on User { email } }`,
      '{ search(term: "Somebody New", first: 50) { ... on User { id email age } } }',
    ];
    for (const path of paths) {
      const { text, codes } = await graphql(path, { token });
      expect({ path, leaked: text.includes(owner.email) || text.includes(`"id":"${order}"`) }).toEqual({ path, leaked: false });
      expect(codes).toContain('FORBIDDEN');
    }
  });

  it('a missing order is null and a foreign one is FORBIDDEN, without further details', async () => {
    const { order } = await newScene();
    const { token } = await newUser();
    const foreign = await graphql(`{ order(id: ${id(order)}) { id } }`, { token });
    const missing = await graphql('{ order(id: "999999999") { id } }', { token });
    expect(foreign.codes).toEqual(['FORBIDDEN']);
    expect({ data: missing.data, codes: missing.codes }).toEqual({ data: { order: null }, codes: [] });
  });

  it('posts of a deleted user remain under another name', async () => {
    const owner = await newUser();
    const { data } = await graphql<{ createPost: { id: string } }>('mutation { createPost(input: { title: "Kept", body: "B" }) { id } }', {
      token: owner.token,
    });
    await graphql(`mutation { deleteUser(id: ${id(owner.id)}) { user { id } } }`, { token: owner.token });
    const after = await graphql(`{ post(id: ${id(data?.createPost.id ?? '')}) { title author { name } } }`);
    expect(after.data).toEqual({ post: { title: 'Kept', author: { name: 'Deleted user' } } });
    expect(JSON.stringify(after.data)).not.toContain(owner.email);
  });
});
