import { beforeAll, expect, it } from '@jest/globals';
import { createRandom, type Random } from '../../support/random/random.ts';
import { describeOnStack, type NewUser } from '../../support/stack/shared-stack.ts';
import { readAlongside } from './fields/read-alongside.ts';

/** Seed of the random choices. The environment can set it, and the title shows the current value. */
const SEED = Number(process.env['REST_GRAPHQL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const ROUNDS = 4;

type Json = Readonly<Record<string, unknown>>;

/** A REST request and the equivalent GraphQL operation. The operation is written by hand, including the names that differ in REST. */
interface Pair {
  readonly rest: string;
  readonly query: string;
  readonly variables?: Json;
  /** ID fields that are integers in REST. */
  readonly integers: readonly string[];
}

interface Made {
  readonly owner: NewUser;
  readonly orderId: number;
  readonly paymentId: number;
  readonly webhookId: number;
}

/** Fields of a resource that both transports expose. */
interface Shown {
  readonly selection: string;
  readonly integers: readonly string[];
  /** Type of one sort term, and the sort keys of REST with their names in the graph. */
  readonly sortType?: string;
  readonly sorts?: Readonly<Record<string, string>>;
}

const SORTS = { id: 'ID', createdAt: 'CREATED_AT' };

const BOOK: Shown = {
  selection: '{ id title author price inStock }',
  integers: ['id'],
  sortType: 'BookSort',
  sorts: { ...SORTS, title: 'TITLE', price: 'PRICE' },
};
const ORDER: Shown = {
  selection: '{ id status productId qty userId total createdAt }',
  integers: ['id', 'productId', 'userId'],
  sortType: 'OrderSort',
  sorts: { ...SORTS, total: 'TOTAL', status: 'STATUS' },
};
const ORDER_V2: Shown = { ...ORDER, selection: '{ id status productId quantity: qty userId total createdAt }' };
const USER: Shown = {
  selection: '{ id name email createdAt }',
  integers: ['id'],
  sortType: 'UserSort',
  sorts: { ...SORTS, name: 'NAME' },
};
const POST: Shown = {
  selection: '{ id title body tags author { id name } createdAt }',
  integers: ['id'],
  sortType: 'PostSort',
  sorts: { ...SORTS, title: 'TITLE' },
};
const PAYMENT: Shown = { selection: '{ id amount currency status userId createdAt }', integers: ['id', 'userId'] };
const WEBHOOK: Shown = {
  selection: '{ id url events isOrdered state disabledReason failingSince lastDeliveredAt ownerId createdAt updatedAt }',
  integers: ['id', 'ownerId'],
  sortType: 'WebhookSort',
  sorts: SORTS,
};
const DELIVERY: Shown = {
  selection: '{ id webhookId messageId event state attempts nextAttemptAt lastAttemptAt lastStatus lastCode createdAt finishedAt }',
  integers: ['id', 'webhookId'],
  sortType: 'WebhookDeliverySort',
  sorts: SORTS,
};

type MakePair = (random: Random, made: Made) => Pair;

const one =
  (path: string, field: string, { selection, integers }: Shown, idOf: (random: Random, made: Made) => number): MakePair =>
  (random, made) => {
    const id = String(idOf(random, made));
    return { rest: `${path}/${id}`, query: `query ($id: ID!) { it: ${field}(id: $id) ${selection} }`, variables: { id }, integers };
  };

/** Arguments of a page. They replace `ARGUMENTS` in the field of a list. */
const ARGUMENTS = 'first: $first, offset: $offset, sort: $sort';

/** Creates requests for a random page in a random sort order. Items with equal sort values are ordered by ID. */
const many =
  (path: string, field: string, { selection, integers, sortType, sorts = {} }: Shown): MakePair =>
  (random, { owner, webhookId }) => {
    const [size, page] = [1 + random.below(20), 1 + random.below(3)];
    const key = random.pick(Object.keys(sorts));
    const direction = random.pick(['ASC', 'DESC']);
    const sort = [{ field: sorts[key], direction }, ...(key === 'id' ? [] : [{ field: 'ID', direction: 'ASC' }])];
    const filled = (text: string): string => text.replace('{user_id}', String(owner.id)).replace('{webhook_id}', String(webhookId));
    const requested = filled(field).replace('ARGUMENTS', ARGUMENTS).replace('SHOWN', `{ nodes ${selection} totalCount }`);
    const parameters = `size=${String(size)}&page=${String(page)}&sort=${direction === 'DESC' ? '-' : ''}${key}`;
    return {
      rest: `${filled(path)}${path.includes('?') ? '&' : '?'}${parameters}`,
      query: `query ($first: Int, $offset: Int, $sort: [${String(sortType)}!]) { it: ${requested} }`,
      variables: { first: size, offset: (page - 1) * size, sort },
      integers,
    };
  };

const seeded = (random: Random): number => 1 + random.below(40);

const PAIRS: readonly (readonly [title: string, make: MakePair])[] = [
  ['a book', one('/books', 'book', BOOK, seeded)],
  ['a user', one('/users', 'user', USER, seeded)],
  ['a post', one('/posts', 'post', POST, seeded)],
  ['an order', one('/orders', 'order', ORDER, (_, { orderId }) => orderId)],
  ['an order of version 2', one('/v2/orders', 'order', ORDER_V2, (_, { orderId }) => orderId)],
  ['a payment', one('/payments', 'payment', PAYMENT, (_, { paymentId }) => paymentId)],
  ['a webhook', one('/webhooks', 'webhook', WEBHOOK, (_, { webhookId }) => webhookId)],
  ['books', many('/books', 'books(ARGUMENTS) SHOWN', BOOK)],
  ['books that are in stock', many('/books?inStock=true', 'books(ARGUMENTS, filter: { inStock: true }) SHOWN', BOOK)],
  ['users', many('/users', 'users(ARGUMENTS) SHOWN', USER)],
  ['posts of a user', many('/posts?userId=2', 'posts(ARGUMENTS, filter: { authorId: 2 }) SHOWN', POST)],
  ['orders', many('/orders?status=PENDING,SHIPPED', 'orders(ARGUMENTS, filter: { status: [PENDING, SHIPPED] }) SHOWN', ORDER)],
  ['orders of version 2', many('/v2/orders?userId=1', 'orders(ARGUMENTS, filter: { userId: 1 }) SHOWN', ORDER_V2)],
  ['orders of a user', many('/users/1/orders', 'user(id: 1) { it: orders(ARGUMENTS) SHOWN }', ORDER)],
  ['orders of a user, of version 2', many('/v2/users/2/orders', 'user(id: 2) { it: orders(ARGUMENTS) SHOWN }', ORDER_V2)],
  ['webhooks', many('/webhooks?ownerId={user_id}', 'webhooks(ARGUMENTS, filter: { ownerId: {user_id} }) SHOWN', WEBHOOK)],
  [
    'deliveries of a webhook',
    many('/webhooks/{webhook_id}/deliveries', 'webhook(id: {webhook_id}) { it: deliveries(ARGUMENTS) SHOWN }', DELIVERY),
  ],
];

/** Converts a GraphQL result to its REST representation, in which the listed IDs are integers at any depth. */
function asRest(value: unknown, integers: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => asRest(item, integers));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, integers.includes(name) ? Number(part) : asRest(part, integers)]),
  );
}

describeOnStack(`REST and GraphQL return the same data, seed ${String(SEED)}`, (stack) => {
  const { http, graphql, tokens, newUser, newOrder } = stack;
  const token = tokens.admin;
  let made: Made;

  beforeAll(async () => {
    const owner = await newUser();
    const create = async (path: string, json: object): Promise<number> => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const response = await http.post<{ readonly id: number }>(path, json, { token: owner.token, headers });
      if (response.status !== 201) throw new Error(`${path} returned ${String(response.status)}: ${response.text}`);
      return response.body.id;
    };
    made = {
      owner,
      orderId: await newOrder(owner),
      paymentId: await create('/payments', { amount: 700, currency: 'EUR' }),
      webhookId: await create('/webhooks', { url: 'http://127.0.0.1:9/in', events: ['order.created'] }),
    };
  });

  async function byGraphql({ query, variables, integers }: Pair): Promise<unknown> {
    const { data, errors } = await graphql<Json>(query, { variables, token });
    if (errors !== undefined) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    const outer = data?.['it'] as Json | null | undefined;
    const it = (typeof outer === 'object' && outer !== null && 'it' in outer ? outer['it'] : outer) as Json;
    return asRest('nodes' in it ? { data: it['nodes'], total: it['totalCount'] } : it, integers);
  }

  async function byRest({ rest }: Pair): Promise<unknown> {
    const { status, text, body } = await http.get(rest, { token });
    if (status !== 200) throw new Error(`${rest} returned ${String(status)}: ${text}`);
    return 'totalElements' in body ? { data: body['data'], total: body['totalElements'] } : body;
  }

  /**
   * Reads both transports. One test may delete an item that another test has just added, so that the whole is the same before and after.
   * Retrying eliminates such differences: a real difference remains.
   */
  async function readBoth(pair: Pair, attemptsLeft = 5): Promise<{ readonly reported: string; readonly requested: string }> {
    const { whole, part } = await readAlongside(
      () => byGraphql(pair),
      () => byRest(pair),
    );
    const [reported, requested] = [JSON.stringify(part), JSON.stringify(whole)];
    return reported === requested || attemptsLeft === 1 ? { reported, requested } : readBoth(pair, attemptsLeft - 1);
  }

  it.each(PAIRS)('both transports return %s with equal values and order', async (_title, make) => {
    const random = createRandom(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const pair = make(random, made);
      const { reported, requested } = await readBoth(pair);
      expect({ rest: pair.rest, is: reported }).toEqual({ rest: pair.rest, is: requested });
    }
  });
});
