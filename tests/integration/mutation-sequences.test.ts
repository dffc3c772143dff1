import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStockGateway, type StockGateway } from '../support/stack/stock-gateway.ts';
import { describeOnStack, type NewUser, uniqueName } from '../support/stack/shared-stack.ts';

/**
 * Steps that run one after another on entities of one new user. `$order` is an order of the user, `$user` the user, and `$unique` a unique
 * text of the run.
 */
const SEQUENCES: readonly (readonly [name: string, steps: readonly string[]])[] = [
  [
    'an order from its beginning to its end',
    [
      'mutation ($order: ID!) { updateOrder(id: $order, patch: { qty: 5 }) { order { qty total status version product { title } user { name } shippingCost } errors { field message code } } }',
      'mutation ($order: ID!) { replaceOrder(id: $order, input: { productId: "2", qty: 1 }) { order { qty productId total product { title author } } errors { code } } }',
      'mutation ($order: ID!) { updateOrder(id: $order, patch: { status: CONFIRMED }, expectedVersion: 3) { order { status version } errors { code } } }',
      'mutation ($order: ID!) { updateOrder(id: $order, patch: { qty: 1 }) { order { status } errors { field message code } } }',
      'mutation ($order: ID!) { a: cancelOrder(id: $order) { order { status version } errors { code } } b: cancelOrder(id: $order) { order { status version } errors { code } } }',
      'query ($order: ID!) { order(id: $order) { status qty version shipment { carrier } } }',
    ],
  ],
  [
    'several of one operation, with failures between them',
    [
      `mutation ($order: ID!) {
        a: updateOrder(id: $order, patch: { qty: 3 }) { order { qty } errors { code } }
        b: updateOrder(id: $order, patch: { qty: 0 }) { order { qty } errors { field code } }
        c: updateOrder(id: "999999999", patch: { qty: 4 }) { order { qty } errors { code } }
        d: updateOrder(id: $order, patch: { status: SHIPPED }) { order { qty } errors { code } }
        e: updateOrder(id: $order, patch: { qty: 6 }) { order { qty } errors { code } }
      }`,
      'query ($order: ID!) { order(id: $order) { qty status } }',
    ],
  ],
  [
    'mutations of several subgraphs in one operation',
    [
      `mutation ($user: ID!, $order: ID!) {
        post: createPost(input: { title: "T", body: "B", tags: ["a", "b"] }) { title tags author { name email } comments { totalCount } }
        order: updateOrder(id: $order, patch: { qty: 2 }) { order { qty } }
        user: updateUser(id: $user, patch: { name: "Renamed" }) { user { name email age version posts { title author { name } } orders { nodes { qty } } } }
        again: createPost(input: { title: "U", body: "B" }) { title author { posts { title } } }
      }`,
      'query ($user: ID!) { user(id: $user) { name posts { title author { name } } orders { totalCount } } }',
    ],
  ],
  [
    'rejections',
    [
      'mutation { createBook(input: { title: "T", author: "A", price: 1 }) { book { title } errors { code } } }',
      'mutation ($order: ID!) { a: updateOrder(id: $order, patch: { qty: 7 }) { order { qty } } b: deleteBook(id: "1") { book { title } } }',
      'mutation { updateUser(id: "1", patch: { name: "X" }) { user { name } errors { code } } }',
      'mutation ($user: ID!) { updateUser(id: $user, patch: { age: 200, email: "no" }) { user { name } errors { field code } } }',
      'query ($order: ID!) { order(id: $order) { qty } }',
    ],
  ],
  [
    'keys that are used twice',
    [
      'mutation ($unique: String!) { a: createPayment(input: { amount: 5, currency: "EUR" }, idempotencyKey: $unique) { payment { amount currency status user { name } } errors { code } } }',
      'mutation ($unique: String!) { a: createPayment(input: { amount: 5, currency: "EUR" }, idempotencyKey: $unique) { payment { amount version } errors { code } } }',
      'mutation ($unique: String!) { a: createPayment(input: { amount: 6, currency: "EUR" }, idempotencyKey: $unique) { payment { amount } errors { field message code } } }',
      'mutation ($unique: String!) { a: createOrder(input: { productId: "1", qty: 1 }, idempotencyKey: $unique) { order { qty } errors { code } } b: createOrder(input: { productId: "1", qty: 1 }, idempotencyKey: $unique) { order { qty } errors { code } } }',
      'query ($user: ID!) { user(id: $user) { orders { totalCount } } }',
    ],
  ],
  [
    'conditions, fragments and variables in mutations',
    [
      'mutation ($order: ID!, $no: Boolean = false) { a: updateOrder(id: $order, patch: { qty: 9 }) @include(if: $no) { order { qty } } b: updateOrder(id: $order, patch: { qty: 8 }) @skip(if: $no) { ...R } } fragment R on UpdateOrderPayload { order { qty __typename } __typename }',
      'mutation ($order: ID!) { ...M } fragment M on Mutation { x: updateOrder(id: $order, patch: { qty: 4 }) { order { qty } } y: updateOrder(id: $order, patch: { qty: 5 }) { order { qty } } }',
      'mutation ($order: ID!, $qty: Int = 6) { updateOrder(id: $order, patch: { qty: $qty }) { order { qty } } }',
      'mutation ($order: ID!, $status: OrderStatus) { updateOrder(id: $order, patch: { status: $status, qty: 7 }) { order { qty status } errors { code } } }',
      'mutation { __typename }',
    ],
  ],
  [
    'a user who is deleted',
    [
      'mutation { createPost(input: { title: "Last words", body: "B" }) { title author { name } } }',
      'mutation ($user: ID!) { deleteUser(id: $user) { user { name } errors { code } } }',
      'query ($user: ID!) { user(id: $user) { id name email posts { title author { name } } } }',
      'mutation ($user: ID!) { deleteUser(id: $user) { user { name } errors { code } } }',
    ],
  ],
];

interface MutationResult {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly path: readonly (string | number)[]; readonly code: unknown }[];
}

/**
 * Removes the messages of FORBIDDEN errors. The gateway denies before it queries a subgraph, and behind the stock gateway the subgraph
 * denies with another message.
 */
function withoutMessages(results: readonly MutationResult[]): readonly MutationResult[] {
  return results.map(({ data, errors }) => ({
    data,
    errors: errors.map(({ message, path, code }) => ({ message: code === 'FORBIDDEN' ? '' : message, path, code })),
  }));
}

describeOnStack(
  'sequences of mutations, compared with the stock gateway',
  ({ graphql, newUser, newOrder, subgraphUrls, identitySecret }) => {
    let stock: StockGateway;
    beforeAll(async () => {
      stock = await startStockGateway(subgraphUrls, identitySecret);
    });
    afterAll(async () => {
      await stock[Symbol.asyncDispose]();
    });

    /** Runs all steps on entities of a new user, and replaces the names of those entities by fixed ones. */
    async function play(
      steps: readonly string[],
      run: (query: string, variables: Readonly<Record<string, string>>, user: NewUser) => Promise<MutationResult>,
    ) {
      const user = await newUser();
      const all = { user: String(user.id), order: String(await newOrder(user)), unique: uniqueName('key') };
      const results: MutationResult[] = [];
      for (const query of steps) {
        const variables = Object.fromEntries(Object.entries(all).filter(([name]) => query.includes(`$${name}:`)));
        results.push(await run(query, variables, user));
      }
      return JSON.parse(
        JSON.stringify(results).replaceAll(user.email, 'their@address').replaceAll(`"id":"${all.user}"`, '"id":"theirs"'),
      ) as readonly MutationResult[];
    }

    describe.each(SEQUENCES)('%s', (_name, steps) => {
      it('has the same results for a new user on both gateways', async () => {
        const ours = await play(steps, async (query, variables, { token }) => {
          const { data = null, errors = [] } = await graphql<unknown>(query, { variables, token });
          return { data, errors: errors.map(({ message, path = [], extensions }) => ({ message, path, code: extensions.code })) };
        });
        const theirs = await play(steps, (query, variables, { id }) =>
          stock.run({ query, variables }, { kind: 'user', sub: String(id), roles: [] }),
        );
        expect(withoutMessages(ours)).toEqual(withoutMessages(theirs));
      });
    });
  },
);
