import { describe, expect, it } from '@jest/globals';
import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql';
import { createFederation } from './in-process-federation.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@composeDirective"])';
const DIRECTIVES = `
  directive @transform(from: String!, with: Options) repeatable on FIELD
  directive @everywhere on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION | VARIABLE_DEFINITION | QUERY | MUTATION
  input Options { factor: Int other: Int }`;

/** Returns the field directives that a subgraph receives. */
function received(_source: never, _args: never, _context: unknown, { schema, fieldNodes, variableValues }: GraphQLResolveInfo): string {
  const transform = schema.getDirective('transform');
  const texts = fieldNodes.flatMap(({ directives = [] }) =>
    directives.map((directive) => {
      if (transform == null || directive.name.value !== 'transform') return directive.name.value;
      const { from, with: options } = getDirectiveValues(transform, { directives: [directive] }, variableValues) ?? {};
      return options === undefined ? String(from) : `${String(from)} ${JSON.stringify(options)}`;
    }),
  );
  return texts.length === 0 ? 'plain' : texts.join('; ');
}

const federation = createFederation({
  a: {
    sdl: `${LINK} ${DIRECTIVES} directive @onlyInA on FIELD
      type Query { title: String product: Product node: Node }
      type Mutation { rename: String }
      interface Node { id: ID! }
      type Product implements Node @key(fields: "id") { id: ID! name: String }`,
    root: { product: { id: '1' }, node: { __typename: 'Product', id: '1' } },
    resolvers: { Query: { title: received }, Mutation: { rename: received }, Product: { name: received } },
  },
  b: {
    sdl: `${LINK} ${DIRECTIVES} type Product @key(fields: "id") { id: ID! price: String }`,
    resolvers: { Product: { price: received } },
  },
});

const VALID: readonly (readonly [string, unknown, Readonly<Record<string, unknown>>?])[] = [
  ['{ title @transform(from: "x") }', { title: 'x' }],
  ['{ title @transform(from: "x") @transform(from: "y") @everywhere }', { title: 'x; y; everywhere' }],
  ['{ title @transform(from: "y") @transform(from: "x") }', { title: 'y; x' }],
  ['query ($from: String!) { title @transform(from: $from) }', { title: 'v' }, { from: 'v' }],
  ['query ($by: Int = 3) { title @transform(from: "x", with: { factor: $by }) }', { title: 'x {"factor":3}' }],
  [
    'query ($yes: Boolean!) { title @include(if: $yes) @transform(from: "x") one: title @skip(if: $yes) @transform(from: "y") }',
    { title: 'x' },
    { yes: true },
  ],
  [
    '{ title one: title @transform(from: "x") two: title @transform(from: "y") three: title @transform(from: "x") }',
    { title: 'plain', one: 'x', two: 'y', three: 'x' },
  ],
  [
    'query ($from: String!) { product { name @transform(from: $from) price @transform(from: $from) other: price } }',
    { product: { name: 'v', price: 'v', other: 'plain' } },
    { from: 'v' },
  ],
  ['{ product { id @transform(from: "x") price } }', { product: { id: '1', price: 'plain' } }],
  ['{ product @everywhere { name } plain: product { price } }', { product: { name: 'plain' }, plain: { price: 'plain' } }],
  ['{ node { ... on Product { name @transform(from: "x") price @transform(from: "y") } } }', { node: { name: 'x', price: 'y' } }],
  ['{ title @transform(from: "x") ...F } fragment F on Query { title @transform(from: "x") }', { title: 'x' }],
  ['mutation { rename @transform(from: "x") again: rename }', { rename: 'x', again: 'plain' }],
];

const REJECTED: readonly (readonly [string, string])[] = [
  ['{ __typename @transform(from: "x") }', 'the gateway itself resolves the field "__typename"'],
  ['{ product { ... @everywhere { name } } }', 'it is on an inline fragment in the field "product"'],
  ['{ product { ...F @everywhere } } fragment F on Product { name }', 'it is on a spread of the fragment "F" in the field "product"'],
  ['{ ... @everywhere { title } }', 'it is on an inline fragment in a selection of Query'],
  ['{ product { ...F } } fragment F on Product @everywhere { name }', 'it is on the definition of the fragment "F"'],
];

describe('point 27: executable directives of subgraphs', () => {
  it.each(VALID)('%s reaches the subgraphs', async (text, data, variables = {}) => {
    const response = await federation.request(text, variables);
    expect([response.data, response.errors]).toEqual([data, []]);
  });

  it.each(REJECTED)('%s is rejected', async (text, reason) => {
    await expect(federation.request(text, { from: 'v' })).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      errors: [{ message: expect.stringMatching(/^The directive "@\w+" cannot be passed on to a subgraph: /) }],
    });
    await expect(federation.request(text, { from: 'v' })).rejects.toMatchObject({ errors: [{ message: expect.stringContaining(reason) }] });
  });

  it.each([
    ['{ title @transform(from: "x") title }', '"@transform(from:"x")" and no directive'],
    ['{ title @transform(from: "x") title @transform(from: "y") }', '"@transform(from:"x")" and "@transform(from:"y")"'],
    ['{ product @everywhere { id } product { name } }', '"@everywhere" and no directive'],
  ])('%s is rejected, because one response key has two requests', async (text, difference) => {
    await expect(federation.request(text)).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      errors: [{ message: expect.stringContaining(`a subgraph executes their directives, which differ: ${difference}.`) }],
    });
  });

  it('rejects a directive that only one subgraph defines, because composition drops it', async () => {
    await expect(federation.request('{ title @onlyInA }')).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      errors: [{ message: 'Unknown directive "@onlyInA".' }],
    });
  });

  it('rejects a directive that one subgraph composes, because the others need not define it', async () => {
    const composed = createFederation({
      a: {
        sdl: `${LINK} @link(url: "https://example.com/mine/v1.0", import: ["@mine"]) @composeDirective(name: "@mine")
          directive @mine on FIELD | FIELD_DEFINITION
          type Query { title: String @mine }`,
      },
      b: { sdl: `${LINK} type Query { other: String }` },
    });
    await expect(composed.request('{ other @mine }')).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      errors: [{ message: 'Unknown directive "@mine".' }],
    });
  });

  it('uses separate plans for different directives', async () => {
    const [first, second, third] = [
      await federation.request('{ title @transform(from: "one") }'),
      await federation.request('{ title @transform(from: "two") }'),
      await federation.request('{ title }'),
    ];
    expect([first.data, second.data, third.data]).toEqual([{ title: 'one' }, { title: 'two' }, { title: 'plain' }]);
  });
});
