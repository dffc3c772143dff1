import { describe, expect, it } from '@jest/globals';
import { createFederation } from './in-process-federation.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])';

/** Most types have `id: ID!`, the implementations of the interface have `id: String!`. Both meet in a union. */
const federation = createFederation({
  a: {
    sdl: `${LINK}
      type Query { vehicle: Vehicle vehicles: [Vehicle] any: [Any] }
      interface Vehicle { id: String! }
      union Any = Car | Van | Person | Shop
      type Car implements Vehicle @key(fields: "id") { id: String! }
      type Van implements Vehicle @key(fields: "id") { id: String! }
      type Person { id: ID! }
      type Shop { id: ID! }
      type Street { id: ID! }`,
    root: {
      vehicle: { __typename: 'Van', id: 'v' },
      vehicles: [
        { __typename: 'Car', id: 'c' },
        { __typename: 'Van', id: 'v' },
      ],
      any: [
        { __typename: 'Van', id: 'v' },
        { __typename: 'Shop', id: 's' },
      ],
    },
  },
  b: {
    sdl: `${LINK} type Car @key(fields: "id") { id: String! seats: Int } type Van @key(fields: "id") { id: String! seats: Int }`,
    resolvers: { Car: { seats: () => 4 }, Van: { seats: () => 2 } },
  },
});

describe('point 25: types of one interface whose field has a less common type', () => {
  it.each([
    ['{ vehicle { id } }', { vehicle: { id: 'v' } }],
    ['{ vehicles { id } }', { vehicles: [{ id: 'c' }, { id: 'v' }] }],
    ['{ vehicles { number: id ... on Van { seats } } }', { vehicles: [{ number: 'c' }, { number: 'v', seats: 2 }] }],
    ['{ any { ... on Vehicle { id } ... on Shop { key: id } } }', { any: [{ id: 'v' }, { key: 's' }] }],
    [
      '{ vehicles { ... on Car { id seats } ... on Van { id seats } } }',
      {
        vehicles: [
          { id: 'c', seats: 4 },
          { id: 'v', seats: 2 },
        ],
      },
    ],
  ])('%s returns the field of each type', async (text, data) => {
    const response = await federation.request(text);
    expect([response.data, response.errors]).toEqual([data, []]);
  });
});
