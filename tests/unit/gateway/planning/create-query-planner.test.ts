import { describe, expect, it } from '@jest/globals';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { NoPath } from '../../../../gateway/planning/planning-scope.ts';
import { OperationRejected } from '../../../../gateway/operation/operation-rejected.ts';
import { compose, planOver, planWith } from '../../../support/planning/plan-text.ts';

const SHOP = {
  accounts: 'type Query { users: [User!]! me: User } type User @key(fields: "id") { id: ID! name: String! }',
  reviews: `
    type Query { latest(first: Int = 3, after: String): [Review!]! }
    type User @key(fields: "id") { id: ID! reviews: [Review!]! }
    type Review { text: String! author: User! }
  `,
};

const plan = planOver(SHOP);

describe('createQueryPlanner', () => {
  it('throws if no key leads into a subgraph', () => {
    const unreachable = planOver(
      {
        a: 'type Query { user: User } type User @key(fields: "id") { id: ID! name: String }',
        b: 'type User @key(fields: "email") { email: ID! age: Int }',
      },
      { isChecked: false },
    );
    expect(() => unreachable('{ user { name age } }')).toThrow(new NoPath('fetch User.age'));
  });

  it('throws if the only key is not resolvable', () => {
    const unresolvable = planOver(
      {
        a: 'type Query { user: User } type User @key(fields: "id") { id: ID! name: String }',
        b: 'type User @key(fields: "id", resolvable: false) { id: ID! age: Int }',
      },
      { isChecked: false },
    );
    expect(() => unresolvable('{ user { age } }')).toThrow(new NoPath('fetch User.age'));
  });

  it('throws for fields that require each other', () => {
    const circular = planOver(
      {
        a: 'type Query { user: User } type User @key(fields: "id") { id: ID! one: Int @requires(fields: "two") two: Int @external }',
        b: 'type User @key(fields: "id") { id: ID! two: Int @requires(fields: "one") one: Int @external }',
      },
      { isChecked: false },
    );
    expect(() => circular('{ user { one } }')).toThrow(NoPath);
  });

  it('throws for an operation type without a root type', () => {
    expect(() => plan('mutation { users { id } }')).toThrow(new NoPath('execute a mutation'));
  });

  it('throws for an unknown operation name', () => {
    expect(() => plan('query A { users { id } }', { operationName: 'B' })).toThrow(new NoPath('find the operation'));
  });

  it('rejects far more fields than a document within the limits can have', () => {
    const fields = Array.from({ length: 210_000 }, (_, index) => `latest(first: ${index}) { text }`).join(' ');
    expect(() => plan(`{ ${fields} }`)).toThrow(
      new OperationRejected('GRAPHQL_VALIDATION_FAILED', [{ message: 'The operation is too complex to plan. Select fewer fields.' }]),
    );
  });

  it('plans no fetches for introspection only', () => {
    expect(plan('{ __typename __schema { queryType { name } } }')).toEqual([]);
  });

  it('fetches root fields of two subgraphs in parallel', () => {
    expect(plan('{ users { name } latest { text } }')).toEqual(['0 accounts: { users { name } }', '1 reviews: { latest { text } }']);
  });

  it('fetches a field of another subgraph by the key of its entity', () => {
    expect(plan('{ users { name reviews { text } } }')).toEqual([
      '0 accounts: { users { name id } }',
      '1 reviews @ users: User(id) { reviews { text } } after 0',
    ]);
  });

  it('plans each step after the one that it depends on', () => {
    expect(plan('{ users { reviews { author { name } } } }')).toEqual([
      '0 accounts: { users { id } }',
      '1 reviews @ users: User(id) { reviews { author { id } } } after 0',
      '2 accounts @ users.reviews.author: User(id) { name } after 1',
    ]);
  });

  it('plans the operation with the given name', () => {
    expect(plan('query A { users { id } } query B { me { id } }', { operationName: 'B' })).toEqual(['0 accounts: { me { id } }']);
  });

  it('omits the fields that conditions exclude', () => {
    const document = 'query ($on: Boolean!) { users { name @skip(if: $on) id @skip(if: false) reviews @include(if: $on) { text } } }';
    expect(plan(document, { conditions: { on: true } })).toEqual([
      '0 accounts: { users { id } }',
      '1 reviews @ users: User(id) { reviews { text } } after 0',
    ]);
    expect(plan(document, { conditions: { on: false } })).toEqual(['0 accounts: { users { name id } }']);
  });

  it('fetches `__typename` of an object without other selected fields', () => {
    expect(plan('{ me { name @skip(if: true) } }')).toEqual(['0 accounts: { me { __typename } }']);
    expect(plan('{ me { __typename } }')).toEqual(['0 accounts: { me { __typename } }']);
  });

  it('declares the variables that a fetch uses, with their default values', () => {
    const planner = createQueryPlanner(compose(SHOP));
    const document = 'query ($first: Int = 5, $after: String) { users { id } latest(first: $first) { text } }';
    const [, latest] = planner.plan({ document, conditions: {}, labels: [] }).fetches;
    expect(latest?.selections?.[0]).toEqual({
      kind: 'field',
      name: 'latest',
      key: 'latest_0',
      arguments: '(first:$first)',
      variables: [{ name: 'first', type: 'Int = 5' }],
      selections: [{ kind: 'field', name: 'text', key: 'text' }],
      valueType: 'Review',
    });
  });

  it('merges the fields of nested fragments', () => {
    expect(
      plan('{ users { ...A } me { ...B } } fragment A on User { ...B id } fragment B on User { ... on User { name } ... { name } }'),
    ).toEqual(['0 accounts: { users { name id } me { name } }']);
  });

  it('creates the same plan for the same operation', () => {
    const planner = createQueryPlanner(compose(SHOP));
    const input = { document: '{ users { name reviews { text } } latest(first: 1) { text } }', conditions: {}, labels: [] };
    expect(planner.plan(input)).toEqual(planner.plan(input));
  });

  it('fetches fields of a root type inside a result from any subgraph', () => {
    const payload = planOver({
      a: 'type Query { x: Int } type Mutation { act: Payload } type Payload { query: Query! id: ID }',
      b: 'type Query { y: Int }',
    });
    expect(payload('mutation { act { id query { x y } } }')).toEqual([
      '0 mutation a: { act { id query { x } } }',
      '1 b @ act.query: { y } after 0',
    ]);
  });
});

describe('a supergraph of federation version 1', () => {
  const planFirst = planWith(
    createQueryPlanner(`
      schema @core(feature: "https://specs.apollo.dev/core/v0.1") @core(feature: "https://specs.apollo.dev/join/v0.1") { query: Query }
      directive @core(feature: String!) repeatable on SCHEMA
      directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet) on FIELD_DEFINITION
      directive @join__type(graph: join__Graph!, key: join__FieldSet) repeatable on OBJECT | INTERFACE
      directive @join__owner(graph: join__Graph!) on OBJECT | INTERFACE
      directive @join__graph(name: String!, url: String!) on ENUM_VALUE
      scalar join__FieldSet
      enum join__Graph { ACCOUNTS @join__graph(name: "accounts" url: "http://a.test") REVIEWS @join__graph(name: "reviews" url: "http://b.test") }
      type Query { users: [User] @join__field(graph: ACCOUNTS) latest: Review @join__field(graph: REVIEWS) }
      type User @join__owner(graph: ACCOUNTS) @join__type(graph: ACCOUNTS, key: "id") @join__type(graph: REVIEWS, key: "id") {
        id: ID! @join__field(graph: ACCOUNTS)
        name: String @join__field(graph: ACCOUNTS)
        reviews: [Review] @join__field(graph: REVIEWS, requires: "name")
      }
      type Review { text: String author: User place: Place }
      type Place { city: String }
    `),
  );

  it('treats a key of the owner as known to every subgraph with the type', () => {
    expect(planFirst('{ latest { text author { id name } place { city } } }')).toEqual([
      '0 reviews: { latest { text place { city } author { id } } }',
      '1 accounts @ latest.author: User(id) { name } after 0',
    ]);
  });

  it('fetches a requirement first', () => {
    expect(planFirst('{ users { reviews { text place { city } } } }')).toEqual([
      '0 accounts: { users { name id } }',
      '1 reviews @ users: User(id name(for reviews)) { reviews { text place { city } } } after 0',
    ]);
  });
});
