import { describe, expect, it } from '@jest/globals';
import { buildSchema, execute, parse } from 'graphql';
import { type InProcessSubgraph, type ReceivedRequest, createFederation } from './in-process-federation.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@interfaceObject"])\n';

/** Subgraphs, and the schema that they form together over the same root value. */
interface Example {
  readonly subgraphs: Readonly<Record<string, string>>;
  readonly schema: string;
  readonly root: object;
  readonly resolvers?: Readonly<Record<string, NonNullable<InProcessSubgraph['resolvers']>>>;
}

/** Sends the same operation to a federation and to a single schema. @returns the requests with the names of their subgraphs */
async function compare({ subgraphs, schema, root, resolvers = {} }: Example, text: string): Promise<readonly ReceivedRequest[]> {
  const federation = createFederation(
    Object.fromEntries(Object.entries(subgraphs).map(([name, sdl]) => [name, { sdl: LINK + sdl, root, resolvers: resolvers[name] ?? {} }])),
  );
  const response = await federation.request(text);
  const expected = await execute({ schema: buildSchema(schema), document: parse(text), rootValue: root });
  expect(response.errors).toEqual([]);
  expect(response.data).toEqual(JSON.parse(JSON.stringify(expected.data)));
  expect(expected.errors).toBeUndefined();
  return [...response.requests].sort((one, other) => (one.subgraph < other.subgraph ? -1 : 1));
}

describe('point 27: fields of one type at an abstract position that two subgraphs share', () => {
  const friend = { __typename: 'Friend', name: 'Ada', age: 36, friend: { name: 'Bob', age: 40 } };
  const foe = { __typename: 'Foe', name: 'Eve', age: 50 };
  const humans = [friend, null, foe, friend];

  it.each([
    [
      'an interface',
      `type Query { human: Human @shareable } interface Human { NAME: TYPE! } type Friend implements Human @shareable { NAME: TYPE! }`,
      '{ human { name age } }',
    ],
    [
      'a list',
      `type Query { humans: [Human] @shareable } interface Human { NAME: TYPE! }
        type Friend implements Human @shareable { NAME: TYPE! } type Foe implements Human @shareable { NAME: TYPE! }`,
      '{ humans { __typename name age } }',
    ],
    [
      'lists of lists',
      `type Query { groups: [[Human]] @shareable } union Human = Friend | Foe
        type Friend @shareable { NAME: TYPE! } type Foe @shareable { NAME: TYPE! }`,
      '{ groups { ... on Friend { name age } ... on Foe { age old: age } } }',
    ],
    [
      'a union',
      `type Query { human: Human @shareable } union Human = Friend type Friend @shareable { NAME: TYPE! }`,
      '{ human { ... on Friend { name age } } }',
    ],
    [
      'two implementations',
      `type Query { human: Human @shareable } interface Human { NAME: TYPE! }
        type Friend implements Human @shareable { NAME: TYPE! } type Foe implements Human @shareable { NAME: TYPE! }`,
      '{ human { __typename ... on Foe { name } ... on Friend { name age } } }',
    ],
    [
      'an interface below an object',
      `type Query { box: Box @shareable } type Box @shareable { human: Human } interface Human { NAME: TYPE! }
        type Friend implements Human @shareable { NAME: TYPE! }`,
      '{ box { human { name age } } }',
    ],
    [
      'an object inside of values',
      `type Query { human: Human @shareable } interface Human { friend: Inner } type Inner @shareable { NAME: TYPE! }
        type Friend implements Human @shareable { friend: Inner }`,
      '{ human { friend { name age } } }',
    ],
    [
      'an interface inside of values of an interface',
      `type Query { human: Human @shareable } interface Human { next: Human NAME: TYPE! }
        type Friend implements Human @shareable { next: Human NAME: TYPE! } type Foe implements Human @shareable { next: Human NAME: TYPE! }`,
      '{ human { next { name age next { age ... on Foe { name } } } } }',
    ],
  ])('queries %s in both subgraphs', async (_what, sdl, text) => {
    const h = sdl.replaceAll('NAME: TYPE!', 'name: String!');
    const i = sdl.replaceAll('NAME: TYPE!', 'age: Int!');
    const schema = sdl.replaceAll('NAME: TYPE!', 'name: String! age: Int!').replaceAll('@shareable', '');
    const chain = { ...friend, next: { ...foe, next: { ...friend, next: { ...foe, next: null } } } };
    const root = { human: chain, humans, groups: [humans, null, [foe]], box: { human: friend } };
    const requests = await compare({ subgraphs: { h, i }, schema, root }, text);
    expect(requests.map(({ subgraph }) => subgraph)).toEqual(['h', 'i']);
  });

  it('fetches a type with a key by the key instead of with all values', async () => {
    const sdl = (field: string) => `type Query { human: Human @shareable } interface Human { id: ID! ${field} }
      type Friend implements Human @key(fields: "id") { id: ID! ${field} }`;
    const root = { human: { ...friend, id: '1' } };
    const reference = { Friend: { __resolveReference: () => root.human } };
    const example = {
      subgraphs: { h: sdl('name: String!'), i: sdl('age: Int!') },
      schema:
        'type Query { human: Human } interface Human { name: String! age: Int! } type Friend implements Human { name: String! age: Int! }',
      root,
      resolvers: { h: reference, i: reference },
    };
    const requests = await compare(example, '{ human { name age } }');
    expect(requests.filter(({ query }) => query.includes('_entities'))).toHaveLength(1);
  });

  it('reaches a third subgraph by a key that only the second subgraph has', async () => {
    const example = {
      subgraphs: {
        h: `type Query { human: Human @shareable } interface Human { name: String! } type Friend implements Human { name: String! @shareable }`,
        i: `type Query { human: Human @shareable } interface Human { id: ID! } type Friend implements Human @key(fields: "id") { id: ID! }`,
        k: `type Friend @key(fields: "id") { id: ID! age: Int! }`,
      },
      schema: 'type Query { human: Human } interface Human { id: ID! } type Friend implements Human { id: ID! name: String! age: Int! }',
      root: { human: { ...friend, id: '1' } },
      resolvers: { k: { Friend: { __resolveReference: () => friend } } },
    };
    const requests = await compare(example, '{ human { ... on Friend { name age } } }');
    expect(requests.map(({ subgraph }) => subgraph)).toEqual(['h', 'i', 'k']);
  });
});

describe('point 27: further fields of a key object behind an interface object', () => {
  const p = { __typename: 'P', a: { b: 1, c: 'one', d: 'two', e: { f: 3, g: 4 } }, x: 5 };
  const root = { i: { ...p, y: { ...p, y: null } }, list: [{ ...p, y: p }, null, { ...p, y: null }] };
  const example = {
    subgraphs: {
      a: `type Query { i: I list: [I] } interface I @key(fields: "a { b }") { a: A }
        type A { b: Int! @shareable c: String e: E @shareable } type E { f: Int @shareable g: Int }
        type P implements I @key(fields: "a { b }") { a: A }`,
      b: `type I @interfaceObject @key(fields: "a { b }") { a: A y: I x: Int }
        type A { b: Int! @shareable d: String e: E @shareable } type E { f: Int @shareable }`,
    },
    schema: `type Query { i: I list: [I] } interface I { a: A y: I x: Int } type A { b: Int! c: String d: String e: E } type E { f: Int g: Int }
      type P implements I { a: A y: I x: Int }`,
    root,
    resolvers: {
      a: { I: { __resolveReference: () => p }, P: { __resolveReference: () => p } },
      b: { I: { __resolveReference: () => ({ ...root.i, __typename: 'I', y: { ...p, __typename: 'I' } }) } },
    },
  };

  it.each([
    '{ i { y { a { c } } } }',
    '{ i { y { a { b c } x } } }',
    '{ i { y { x a { d } } } }',
    '{ i { y { a { c d } } } }',
    '{ i { y { a { e { g } } } } }',
    '{ i { y { a { e { f } } } } }',
    '{ i { a { c } y { __typename a { c } x } } }',
  ])('%s', async (text) => {
    await compare(example, text);
  });
});
