import { describe, expect, it } from '@jest/globals';
import { createFederation } from './in-process-federation.ts';

const JOIN = `
  schema @core(feature: "https://specs.apollo.dev/core/v0.2") @core(feature: "https://specs.apollo.dev/join/v0.1", for: EXECUTION) { query: Query }
  directive @core(as: String, feature: String!, for: core__Purpose) repeatable on SCHEMA
  directive @join__field(graph: join__Graph, provides: join__FieldSet, requires: join__FieldSet) on FIELD_DEFINITION
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__owner(graph: join__Graph!) on INTERFACE | OBJECT
  directive @join__type(graph: join__Graph!, key: join__FieldSet) repeatable on INTERFACE | OBJECT
  enum core__Purpose { EXECUTION SECURITY }
  scalar join__FieldSet`;

describe('point 26: Federation 1 supergraphs', () => {
  const insurance = createFederation(
    {
      users: {
        sdl: `type Query { me: User }
          type User @key(fields: "id") @key(fields: "ssn") { id: ID! ssn: String! name: String address: Address }
          type Address { city: String }`,
        root: { me: { id: '1', ssn: 's1', name: 'Ada', address: { city: 'Bern' } } },
        resolvers: {
          User: {
            __resolveReference: ({ id, ssn }: { id?: string; ssn?: string }) => {
              const number = id ?? ssn?.slice(1) ?? '';
              return { id: number, ssn: `s${number}`, name: 'Ada', address: { city: 'Bern' } };
            },
          },
        },
      },
      actuary: {
        sdl: 'extend type User @key(fields: "ssn") { ssn: String! @external risk: Float }',
        resolvers: { User: { __resolveReference: ({ ssn }: { ssn: string }) => ({ ssn, risk: ssn === 's1' ? 0.5 : 0 }) } },
      },
      reviews: {
        sdl: `extend type Query { reviews: [Review] }
          type Review { body: String author: User @provides(fields: "name") }
          extend type User @key(fields: "id") { id: ID! @external name: String @external }`,
        root: { reviews: [{ body: 'good', author: { id: '1', name: 'Ada' } }] },
      },
    },
    `${JOIN}
    enum join__Graph {
      ACTUARY @join__graph(name: "actuary", url: "http://actuary")
      REVIEWS @join__graph(name: "reviews", url: "http://reviews")
      USERS @join__graph(name: "users", url: "http://users")
    }
    type Query { me: User @join__field(graph: USERS) reviews: [Review] @join__field(graph: REVIEWS) }
    type Review { body: String author: User @join__field(graph: REVIEWS, provides: "name") }
    type Address { city: String }
    type User @join__owner(graph: USERS) @join__type(graph: USERS, key: "id") @join__type(graph: USERS, key: "ssn")
      @join__type(graph: ACTUARY, key: "ssn") @join__type(graph: REVIEWS, key: "id") {
      id: ID! @join__field(graph: USERS)
      ssn: String! @join__field(graph: USERS)
      name: String @join__field(graph: USERS)
      address: Address @join__field(graph: USERS)
      risk: Float @join__field(graph: ACTUARY)
    }`,
  );

  it.each([
    ['{ reviews { author { risk } } }', { reviews: [{ author: { risk: 0.5 } }] }],
    [
      '{ reviews { body author { id ssn name address { city } } } }',
      { reviews: [{ body: 'good', author: { id: '1', ssn: 's1', name: 'Ada', address: { city: 'Bern' } } }] },
    ],
    ['{ me { risk name } }', { me: { risk: 0.5, name: 'Ada' } }],
  ])('%s queries each subgraph by its own key', async (text, data) => {
    const response = await insurance.request(text);
    expect([response.data, response.errors]).toEqual([data, []]);
  });

  it('sends root fields without @join__field to the only subgraph', async () => {
    const single = createFederation(
      { users: { sdl: 'type Query { me: String }', root: { me: 'Ada' } } },
      `${JOIN} enum join__Graph { USERS @join__graph(name: "users", url: "http://users") } type Query { me: String }`,
    );
    const { data, errors } = await single.request('{ me }');
    expect([data, errors]).toEqual([{ me: 'Ada' }, []]);
  });
});
