import { describe, expect, it } from '@jest/globals';
import { createFederation } from './in-process-federation.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@requires"])';

/** Resolves `name` to the representation that the subgraph received, as text. */
const echo = { name: (entity: object) => JSON.stringify(entity) };

describe('point 25: `__typename` inside of required objects', () => {
  const entities = [
    { __typename: 'Entity', id: '1', object: { name: 'one', inner: { name: 'inner' } }, objects: [{ name: 'two' }, null] },
    { __typename: 'Entity', id: '2', object: { name: 'three' }, objects: [] },
  ];
  const federation = (fields: string) =>
    createFederation({
      a: {
        sdl: `${LINK}
          type Query { entities: [Entity!]! }
          type Entity @key(fields: "id") {
            id: ID! name: String! @requires(fields: "${fields}") ${fields.startsWith('objects') ? 'objects: [Object]' : 'object: Object!'} @external
          }
          type Object @shareable { name: String! inner: Object }`,
        resolvers: { Entity: { __resolveReference: (entity: object) => entity, ...echo } },
        root: { entities: entities.map(({ id }) => ({ id })) },
      },
      b: {
        sdl: `${LINK}
          type Entity @key(fields: "id") { id: ID! object: Object! objects: [Object] }
          type Object @shareable { name: String! inner: Object }`,
        resolvers: { Entity: { __resolveReference: ({ id }: { id: string }) => entities.find((entity) => entity.id === id) } },
      },
    });

  it.each([
    ['object { __typename }', [{ object: { __typename: 'Object' } }, { object: { __typename: 'Object' } }]],
    [
      'object { name __typename }',
      [{ object: { __typename: 'Object', name: 'one' } }, { object: { __typename: 'Object', name: 'three' } }],
    ],
    ['objects { __typename }', [{ objects: [{ __typename: 'Object' }, null] }, { objects: [] }]],
    ['object { inner { __typename } }', [{ object: { inner: { __typename: 'Object' } } }, { object: { inner: null } }]],
  ])('%s is sent with the type name', async (fields, required) => {
    const response = await federation(fields).request('{ entities { name } }');
    expect(response.errors).toEqual([]);
    const received = (response.data as { entities: { name: string }[] }).entities.map(({ name }) => JSON.parse(name) as unknown);
    expect(received).toEqual(entities.map(({ id }, index) => Object.assign({ __typename: 'Entity', id }, required[index])));
  });
});
