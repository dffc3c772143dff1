import { describe, expect, it } from '@jest/globals';
import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql';
import { type EntityFetchField, createEntityFetchReader } from '../../../gateway/cache/read-entity-fetch.ts';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import { compose } from '../../support/planning/plan-text.ts';
import { createFederation } from './in-process-federation.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@context", "@fromContext"])';
const DIRECTIVES = `
  directive @trace(by: String!, more: [Int]) repeatable on QUERY | MUTATION
  directive @effect on MUTATION
  directive @secret on VARIABLE_DEFINITION`;

/** Returns the operation directives that a subgraph receives. */
function received(_source: never, _args: never, _context: unknown, { schema, operation, variableValues }: GraphQLResolveInfo): string {
  const texts = (operation.directives ?? []).map((directive) => {
    const definition = schema.getDirective(directive.name.value);
    const values = definition == null ? {} : getDirectiveValues(definition, { directives: [directive] }, variableValues);
    return `${directive.name.value} ${JSON.stringify(values)}`;
  });
  return texts.length === 0 ? 'none' : texts.join('; ');
}

const federation = createFederation({
  a: {
    sdl: `${LINK} ${DIRECTIVES}
      type Query { title(id: ID): String product: Product shops: [Shop] }
      type Mutation { rename: Product }
      type Shop @key(fields: "id") @context(name: "shop") { id: ID! currency: String item: Item }
      type Item @key(fields: "id") { id: ID! cost(in: String @fromContext(field: "$shop { currency }")): String }
      type Product @key(fields: "id") { id: ID! name: String }`,
    root: {
      product: { id: '1' },
      rename: { id: '1' },
      shops: ['1', '2'].map((id) => ({ id, currency: `c${id}`, item: { id } })),
    },
    resolvers: {
      Query: { title: received },
      Product: { name: received },
      Item: {
        __resolveReference: ({ id }: { id: string }) => ({ id }),
        cost: (source: never, given: { in: string }, context, info) => `${given.in} ${received(source, given as never, context, info)}`,
      },
    },
  },
  b: {
    sdl: `${LINK} ${DIRECTIVES} type Product @key(fields: "id") { id: ID! price: String }`,
    resolvers: { Product: { price: received } },
  },
});

const POLICY = { maxAgeSeconds: 60, scope: 'PUBLIC', types: ['T'] } as const;

const X = 'trace {"by":"x"}';

const VALID: readonly (readonly [string, unknown, Readonly<Record<string, unknown>>?])[] = [
  ['query @trace(by: "x") { title }', { title: X }],
  ['query @trace(by: "x") @trace(by: "y") { title }', { title: `${X}; trace {"by":"y"}` }],
  ['query @trace(by: "y") @trace(by: "x") { title }', { title: `trace {"by":"y"}; ${X}` }],
  ['query @trace(by: "x") { product { name price } }', { product: { name: X, price: X } }],
  ['query ($by: String!) @trace(by: $by) { product { name price } }', { product: { name: X, price: X } }, { by: 'x' }],
  [
    'query ($one: Int = 1, $id: ID) @trace(by: "x", more: [$one, 2]) { title(id: $id) product { price } }',
    { title: 'trace {"by":"x","more":[1,2]}', product: { price: 'trace {"by":"x","more":[1,2]}' } },
  ],
  ['query Named @trace(by: "x") { ...F } fragment F on Query { title }', { title: X }],
  ['mutation @trace(by: "x") { rename { name price } }', { rename: { name: X, price: X } }],
  ['mutation @effect @trace(by: "x") { rename { name price } }', { rename: { name: `effect {}; ${X}`, price: X } }],
  ['mutation @effect { rename { name price } }', { rename: { name: 'effect {}', price: 'none' } }],
  [
    'query ($by: String!) @trace(by: $by) { shops { item { cost } } }',
    { shops: [{ item: { cost: `c1 ${X}` } }, { item: { cost: `c2 ${X}` } }] },
    { by: 'x' },
  ],
  ['query ($id: ID @secret) { title(id: $id) }', { title: 'none' }],
];

describe('point 27: executable directives of operations', () => {
  it.each(VALID)('%s reaches each subgraph', async (text, data, variables = {}) => {
    const response = await federation.request(text, variables);
    expect([response.data, response.errors]).toEqual([data, []]);
  });

  it('sends no request for an operation without subgraph fields', async () => {
    const response = await federation.request('query @trace(by: "x") { __typename }');
    expect([response.data, response.errors, response.requests]).toEqual([{ __typename: 'Query' }, [], []]);
  });

  it('forwards directives of variable definitions', async () => {
    const { requests } = await federation.request('query ($id: ID = 5 @secret) { title(id: $id) }', { id: '1' });
    expect(requests.map(({ query }) => query)).toEqual(['query($id:ID = 5@secret){title_0:title(id:$id)}']);
  });

  it('distinguishes operations that differ in their directives', async () => {
    const texts = ['query @trace(by: "x") { title }', 'query @trace(by: "y") { title }', 'query { title }'];
    const responses = await Promise.all(texts.map((text) => federation.request(text)));
    expect(responses.map(({ data }) => data)).toEqual([{ title: X }, { title: 'trace {"by":"y"}' }, { title: 'none' }]);
  });

  it('subscribes with all directives, and fetches entities with those valid on queries', () => {
    const definitions = 'directive @trace(by: String!) on QUERY | SUBSCRIPTION directive @stay on SUBSCRIPTION';
    const planner = createQueryPlanner(
      compose({
        a: `${definitions} type Query { none: Int } type Subscription { added: Product } type Product @key(fields: "id") { id: ID! name: String }`,
        b: `${definitions} type Product @key(fields: "id") { id: ID! price: String }`,
      }),
    );
    const document = 'subscription ($by: String!) @trace(by: $by) @stay { added { name price } }';
    const { fetches } = planner.plan({ document, conditions: {}, labels: [] });
    expect(fetches.map(({ kind, directives, variables }) => ({ kind, directives, variables }))).toEqual([
      { kind: 'subscription', directives: '@trace(by:$by)@stay', variables: [{ name: 'by', type: 'String!' }] },
      { kind: 'query', directives: '@trace(by:$by)', variables: [{ name: 'by', type: 'String!' }] },
    ]);
  });

  it('rejects a subgraph directive where its definition does not allow it', async () => {
    await expect(federation.request('query @effect { title }')).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      errors: [{ message: 'Directive "@effect" may not be used on QUERY.' }],
    });
  });

  it('distinguishes cached entities by the directives of the operation and their variables', () => {
    const read = createEntityFetchReader(() => POLICY);
    const fieldOf = (directives: string): EntityFetchField | undefined => {
      const query = `query($v0:String!,$representations:[_Any!]!)${directives}{_entities(representations:$representations){...on T{f}}}`;
      return read(JSON.stringify({ query, variables: {} }))?.fields[0];
    };
    const texts = ['', '@trace(by:"x")', '@trace(by:"y")', '@trace(by:$v0)'].map((directives) => fieldOf(directives)?.text);
    expect(new Set(texts).size).toBe(4);
    expect(fieldOf('@trace(by:$v0)')?.variables).toEqual(['v0']);
  });
});
