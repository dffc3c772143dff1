import { describe, expect, it } from '@jest/globals';
import { applyPatches } from '../../support/graphql/apply-patches.ts';
import { createFederation } from './in-process-federation.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@provides"])';

describe('point 27: root types inside of results', () => {
  const graph = createFederation({
    a: {
      sdl: `${LINK} type Query { a: Int } type Mutation { one: Mutation three: Int again: Query }`,
      root: { a: 1, one: { three: 3, one: {}, again: {} }, three: 3, again: {} },
    },
    b: { sdl: `${LINK} type Query { b: Int } type Mutation { two: Int }`, root: { b: 2, two: 2 } },
  });

  it.each([
    ['mutation { one { two } }', { one: { two: 2 } }],
    ['mutation { one { three two } two }', { one: { three: 3, two: 2 }, two: 2 }],
    ['mutation { one { again { b } two } }', { one: { again: { b: 2 }, two: 2 } }],
  ])('%s sends the mutation to the other subgraph', async (text, data) => {
    const response = await graph.request(text);
    expect([response.data, response.errors]).toEqual([data, []]);
  });
});

describe('point 27: @defer', () => {
  const animals = (sdl: string) => `${sdl}
    interface Animal { id: ID! }`;
  const graph = createFederation({
    a: {
      sdl: animals(`${LINK}
        type Query { book: Book @shareable }
        type Mutation { f: F @shareable }
        type F @shareable { x: Int }
        type Book @shareable { animals: [Animal] }
        type Cat implements Animal @shareable { id: ID! name: String }
        type Dog implements Animal @shareable { id: ID! }`),
      root: { book: { animals: [{ __typename: 'Cat', id: '1', name: 'Tom' }] }, f: { x: 1 } },
    },
    b: {
      sdl: animals(`${LINK}
        type Query { book: Book @shareable }
        type Mutation { f: F @shareable }
        type F { x: Int @shareable y: Int }
        type Book @shareable { animals: [Animal] }
        type Cat implements Animal { id: ID! @shareable age: Int }
        type Dog implements Animal { id: ID! @shareable years: Int }`),
      root: { book: { animals: [{ __typename: 'Cat', id: '1', age: 9 }] }, f: { x: 1, y: 2 } },
    },
  });

  it.each([
    ['{ book { animals { id ... on Cat @defer { age } } } }', { book: { animals: [{ id: '1', age: 9 }] } }],
    ['mutation { f { x ... @defer { y } } }', { f: { x: 1, y: 2 } }],
  ])('%s returns all its fields', async (text, data) => {
    const response = await graph.requestInMultipart(text);
    expect([applyPatches(response), response.errors]).toEqual([data, []]);
  });
});
