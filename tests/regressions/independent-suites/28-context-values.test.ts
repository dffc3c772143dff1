import { describe, expect, it } from '@jest/globals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { buildSchema, execute, parse, validate } from 'graphql';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createEngine } from '../../differential/engine.ts';
import { compose } from '../../support/planning/plan-text.ts';
import { NEVER, REQUEST, responding, startFakeSubgraph } from '../../support/subgraphs/fake-subgraph.ts';

const FIELDS = 'id: ID! price(currency: String, note: String): String';
const SDL = `type Query { shops: [Shop!]! }
  type Shop @key(fields: "id") @context(name: "shop") { id: ID! currency: String! item: Item! }
  type Item @key(fields: "id") { id: ID! price(note: String, currency: String @fromContext(field: "$shop { currency }")): String }`;
const PUBLIC = buildSchema(`type Query { shops: [Shop!]! }
  type Shop { id: ID! currency: String! item: Item! } type Item { id: ID! price(note: String): String }`);

const supergraphSdl = compose({ a: SDL, b: 'type Item @key(fields: "id") { id: ID! name: String }' });
const engine = createEngine({ supergraphSdl, schema: PUBLIC });

/** Starts a subgraph with the given number of shops, items and currencies. It executes each request as graphql-js does. */
function startShops(count: number, price: (id: string, currency: string, note?: string) => string) {
  const shops = Array.from({ length: count }, (_item, index) => ({
    id: `${index}`,
    currency: `c${index}`,
    item: { __typename: 'Item', id: `${index}` },
  }));
  const schema = buildSubgraphSchema({
    typeDefs: parse(`type Query { shops: [Shop!]! }
      type Shop @key(fields: "id") { id: ID! currency: String! item: Item! } type Item @key(fields: "id") { ${FIELDS} }`),
    resolvers: {
      Query: { shops: () => shops },
      Item: {
        __resolveReference: ({ id }: { id: string }) => ({ id }),
        price: ({ id }: { id: string }, { currency, note }: { currency: string; note?: string }) => price(id, currency, note),
      },
    },
  });
  const requests: string[] = [];
  const reads = { count: 0 };
  const executor: SubgraphExecutor = async ({ body }) => {
    requests.push(body);
    const { query, variables } = JSON.parse(body);
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    const { data, errors = [] } = await execute({ schema, document, variableValues: variables });
    const found = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
    if (Array.isArray(found['shops'])) found['shops'] = countReads(found['shops'], reads);
    return { data: found, errors: errors.map(({ message, path = [] }) => ({ message, code: 'FORBIDDEN', path })) };
  };
  return { executor, requests, reads };
}

/** Counts how often items of a list are read. */
function countReads(items: unknown[], reads: { count: number }): unknown[] {
  return new Proxy(items, {
    get(target, key): unknown {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count += 1;
      return Reflect.get(target, key);
    },
  });
}

const request = async (text: string, executor: SubgraphExecutor, variables = {}) =>
  engine.respond({ text, variables, labels: [], executor });

describe('point 28: many distinct values of a context', () => {
  it.each([1, 2, 500, 4_000])('fetches all data of %i values in a handful of requests', async (count) => {
    const { executor, requests } = startShops(count, (id, currency) => `${id} ${currency}`);
    const { data, errors } = await request('{ shops { item { price } } }', executor);
    expect(errors).toEqual([]);
    expect(data).toEqual({ shops: Array.from({ length: count }, (_item, index) => ({ item: { price: `${index} c${index}` } })) });
    expect(requests.length).toBeLessThanOrEqual(1 + Math.ceil(count / 1_000));
  });

  it('distinguishes aliases, variables and strings named like the variables of the request', async () => {
    const { executor, requests } = startShops(3, (id, currency, note) => `${id} ${currency} ${note ?? ''}`);
    const text = `query ($context_0_1: String, $representations_2: String) {
      shops { item { one: price(note: $context_0_1) two: price(note: $representations_2) three: price(note: "$context_0 $context_1") } }
    }`;
    const { data, errors } = await request(text, executor, { context_0_1: 'mine', representations_2: 'too' });
    expect(errors).toEqual([]);
    expect(data).toEqual({
      shops: [0, 1, 2].map((index) => {
        const price = (note: string): string => `${index} c${index} ${note}`;
        return { item: { one: price('mine'), two: price('too'), three: price('$context_0 $context_1') } };
      }),
    });
    expect(requests).toHaveLength(2);
  });

  it('reports each of two failing fields with the path and alias of its object', async () => {
    const { executor } = startShops(4, (id, currency) => {
      if (id === '1' || id === '3') throw new Error(`No ${currency}.`);
      return id;
    });
    const { data, errors } = await request('{ all: shops { that: item { cost: price } } }', executor);
    expect(data).toEqual({ all: ['0', null, '2', null].map((cost) => ({ that: { cost } })) });
    expect(errors.map(({ message, path }) => [message, path?.join('.')])).toEqual([
      ['No c1.', 'all.1.that.cost'],
      ['No c3.', 'all.3.that.cost'],
    ]);
  });

  it('visits a number of items that does not depend on the number of errors, with 4,000 errors', async () => {
    const { executor, reads } = startShops(4_000, () => {
      throw new Error('No.');
    });
    const { data, errors } = await request('{ shops { item { price } } }', executor);
    expect(data).toEqual({ shops: Array.from({ length: 4_000 }, () => ({ item: { price: null } })) });
    expect(errors).toHaveLength(501); // The bound, and one error that reports that there were more.
    expect(reads.count).toBeLessThanOrEqual(10 * 4_000);
  });
});

describe('point 28: a context value that failed', () => {
  const subgraphs = {
    customers: 'type Query { customer: Customer } type Customer @key(fields: "id") { id: ID! }',
    codes: 'type Customer @key(fields: "id") @key(fields: "code") { id: ID! code: ID! @shareable }',
    ranks: 'type Customer @key(fields: "id") { id: ID! rank: String }',
    accounts: `type Customer @key(fields: "code") @context(name: "customer") { code: ID! @shareable rank: String @external account: Account }
      type Account @key(fields: "id") { id: ID! name: String limit(rank: String @fromContext(field: "$customer { rank }")): Int }`,
  };
  const schema = buildSchema(`type Query { customer: Customer } type Customer { id: ID! code: ID! rank: String account: Account }
    type Account { id: ID! name: String limit: Int }`);
  const RESPONSES: Readonly<Record<string, object>> = {
    customers: { customer: { __typename: 'Customer', id: '1' } },
    codes: { _entities: [{ code: 'c' }] },
  };

  it.each([
    ['no error', { limit: 1 }, [], ['customer.account.limit']],
    ['an error of the same field', { limit: null }, [['_entities', 0, 'account', 'limit']], ['customer.account.limit']],
  ])('fails the field with that cause only, with %s of the subgraph that takes it', async (_what, limit, paths, expected) => {
    const executor: SubgraphExecutor = async ({ subgraph }) => {
      if (subgraph === 'ranks') throw new GatewayError('SUBGRAPH_UNAVAILABLE', 'No ranks.');
      const data = RESPONSES[subgraph] ?? { _entities: [{ account: { id: 'a', name: 'Ann', ...limit } }] };
      const errors = subgraph === 'accounts' ? paths.map((path) => ({ message: 'No rank was given.', code: 'FORBIDDEN', path })) : [];
      return { data: structuredClone(data) as Record<string, unknown>, errors };
    };
    const customers = createEngine({ supergraphSdl: compose(subgraphs, { isChecked: false }), schema });
    const text = '{ customer { account { name limit } } }';
    const { data, errors } = await customers.respond({ text, variables: {}, labels: [], executor });
    expect(data).toEqual({ customer: { account: { name: 'Ann', limit: null } } });
    expect(errors.map(({ message, path }) => [message, path?.join('.')])).toEqual(expected.map((path) => ['No ranks.', path]));
  });
});

describe('point 28: one lookup for values of several types', () => {
  const LIST = `type Query { shops: [Shop!]! } type Shop @key(fields: "id") { id: ID! items: [Node!]! } interface Node @key(fields: "id") { id: ID! }
    type Book implements Node @key(fields: "id") { id: ID! } type Toy implements Node @key(fields: "id") { id: ID! }`;
  const SHOP = 'type Shop @key(fields: "id") @context(name: "shop") { id: ID! }';
  const PRICE = 'price(digits: Int, shop: ID @fromContext(field: "$shop { id }")): String';
  const GOODS = {
    types: `interface Node { id: ID! related: Node } type Book implements Node @key(fields: "id") { id: ID! related: Node ${PRICE} }
      type Toy implements Node @key(fields: "id") { id: ID! related: Node }`,
    interfaceObject: `type Node @key(fields: "id") @interfaceObject { id: ID! offer: Offer } type Offer @key(fields: "id") { id: ID! ${PRICE} }`,
  };
  const PRICED = `{ id: ID! related: Node price(digits: Int): String offer: Offer }`;
  const schema =
    buildSchema(`type Query { shops: [Shop!]! } type Shop { id: ID! items: [Node!]! } type Offer { id: ID! price(digits: Int): String }
    interface Node { id: ID! related: Node offer: Offer } type Book implements Node ${PRICED} type Toy implements Node ${PRICED}`);

  const shops = ['s0', 's1'].map((id) => ({
    id,
    items: ['Book', 'Toy'].map((__typename) => ({ __typename, id: `${__typename} of ${id}` })),
  }));
  const known = { __resolveReference: (object: object) => object };
  const price = ({ id }: { id: string }, { shop, digits = '' }: { shop: string; digits?: number | string }): string =>
    `${id}, ${shop}${digits}`;
  const related = ({ id }: { id: string }): object => ({ __typename: 'Book', id: `${id} related` });
  const offer = ({ id }: { id: string }): object => ({ id: `${id} offer` });

  async function respond(kind: keyof typeof GOODS, text: string) {
    const own = (sdl: string): string => sdl.replaceAll(/ @(?:context|fromContext)\(.*?\)/g, '');
    const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@interfaceObject"])';
    const schemas = {
      list: buildSubgraphSchema({ typeDefs: parse(`${link} ${LIST}`), resolvers: { Query: { shops: () => shops } } }),
      goods: buildSubgraphSchema({
        typeDefs: parse(`${link} type Query { none: Int } ${own(`${SHOP} ${GOODS[kind]}`)}`),
        resolvers:
          kind === 'types'
            ? { Book: { ...known, price, related }, Toy: { ...known, related } }
            : { Node: { ...known, offer }, Offer: { price } },
      }),
    };
    const requests: string[] = [];
    const executor: SubgraphExecutor = async ({ subgraph, body }) => {
      requests.push(body);
      const { query, variables } = JSON.parse(body);
      const requested = schemas[subgraph as keyof typeof schemas];
      expect(validate(requested, parse(query))).toEqual([]);
      const { data, errors } = await execute({ schema: requested, document: parse(query), variableValues: variables });
      expect(errors).toBeUndefined();
      return { data: JSON.parse(JSON.stringify(data)) as Record<string, unknown>, errors: [] };
    };
    const goods = createEngine({ supergraphSdl: compose({ list: LIST, goods: `${SHOP} ${GOODS[kind]}` }), schema });
    const { data, errors } = await goods.respond({ text, variables: {}, labels: [], executor });
    expect(errors).toEqual([]);
    expect(requests).toHaveLength(2);
    return { data, query: (JSON.parse(requests[1] ?? '{}') as { query: string }).query };
  }
  const shown = (show: (type: string, item: string, shop: string) => object): object => ({
    shops: shops.map(({ id, items }) => ({ items: items.map((item) => show(item.__typename, item.id, id)) })),
  });

  it('uses one request field for all types when their selections are equal', async () => {
    const { data, query } = await respond('types', '{ shops { items { related { ... on Book { price } } } } }');
    expect(data).toEqual(shown((_type, item, shop) => ({ related: { price: `${item} related, ${shop}` } })));
    expect(query.match(/_entities\(/g)).toHaveLength(shops.length);
  });

  it('uses separate variables for each type when one type takes a further value', async () => {
    const { data } = await respond(
      'types',
      '{ shops { items { related { ... on Book { price } } ... on Book { related { ... on Book { other: price(digits: 2) related { id } } } } } } }',
    );
    expect(data).toEqual(
      shown((type, item, shop) => {
        const further = { other: `${item} related, ${shop}2`, related: { id: `${item} related related` } };
        return { related: { price: `${item} related, ${shop}`, ...(type === 'Book' ? further : {}) } };
      }),
    );
  });

  it('uses one request field for all types when the subgraph declares the interface as an object', async () => {
    const { data, query } = await respond(
      'interfaceObject',
      '{ shops { items { ... on Book { offer { price } } ... on Toy { offer { price } } } } }',
    );
    expect(data).toEqual(shown((_type, item, shop) => ({ offer: { price: `${item} offer, ${shop}` } })));
    expect(query.match(/_entities\(/g)).toHaveLength(shops.length);
  });
});

describe('point 28: requests of one operation to one subgraph', () => {
  const SETTINGS = { bulkhead: { maxConcurrent: 1, maxQueued: 1 }, dedupe: false, circuitBreaker: { enabled: false } };
  const requestOf = (operation: string) => ({ ...REQUEST, context: { ...REQUEST.context, correlationId: operation } });

  it('are all sent even beyond the queue limit, while further operations are rejected', async () => {
    await using subgraph = await startFakeSubgraph(responding('{"data":{}}'), { settings: SETTINGS });
    const [one, other, third] = ['one', 'other', 'third'].map(requestOf);
    const own = Array.from({ length: 20 }, () => subgraph.request(one ?? REQUEST, NEVER));
    const rejected = [other, third].map(async (request) =>
      subgraph.request(request ?? REQUEST, NEVER).then(String, ({ code }: { code: string }) => code),
    );
    expect(await Promise.all(own)).toHaveLength(20);
    expect(await Promise.all(rejected)).toEqual(['SUBGRAPH_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE']);
  });

  it('wait for their own operation even with an empty queue limit', async () => {
    const settings = { ...SETTINGS, bulkhead: { maxConcurrent: 1, maxQueued: 0 } };
    await using subgraph = await startFakeSubgraph(responding('{"data":{}}'), { settings });
    const request = requestOf('one');
    expect(await Promise.all([1, 2, 3].map(() => subgraph.request(request, NEVER)))).toHaveLength(3);
  });

  it('let another waiting operation run before the rest of the first', async () => {
    const order: string[] = [];
    await using subgraph = await startFakeSubgraph(
      (request, response, body) => {
        order.push(String(request.headers['x-correlation-id']));
        responding('{"data":{}}')(request, response, body);
      },
      { settings: { ...SETTINGS, bulkhead: { maxConcurrent: 1, maxQueued: 5 } } },
    );
    const [many, few] = [requestOf('many'), requestOf('few')];
    await Promise.all([many, many, many, many, few].map((request) => subgraph.request(request, NEVER)));
    expect(order).toEqual(['many', 'many', 'few', 'many', 'many']);
  });

  it('write one log line for each operation when all of them fail', async () => {
    const lines: unknown[] = [];
    const note = (facts: unknown): void => void lines.push(facts);
    const logger = { ...silentLogger, warn: note, error: note };
    await using subgraph = await startFakeSubgraph(responding('nothing', 'text/plain', 500), { settings: SETTINGS, logger });
    const [one, other] = [requestOf('one'), requestOf('other')];
    const requested = [...Array.from({ length: 50 }, () => one), other].map((request) => subgraph.request(request ?? REQUEST, NEVER));
    await Promise.allSettled(requested);
    expect(lines).toHaveLength(2);
    expect(new Set(lines.map((line) => (line as { requestId: string }).requestId))).toEqual(new Set(['one', 'other']));
  });
});
