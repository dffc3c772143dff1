import { describe, expect, it } from '@jest/globals';
import { NoWay } from '../../../../gateway/planning/planning-scope.ts';
import { planOver } from '../../../support/planning/plan-text.ts';

describe('@provides', () => {
  const plan = planOver({
    users:
      'type Query { user: User } type User @key(fields: "id") { id: ID! name: String @shareable address: Address @shareable } type Address @shareable { city: String }',
    reviews: `type Query { review: Review owner: Owner @provides(fields: "... on User { name }") pet: Pet @provides(fields: "... on Dog { owner { name } }") }
      type Review { by: User @provides(fields: "name address { city }") plain: User }
      union Owner = User | Bot type Bot { id: ID! }
      interface Pet { owner: User } type Dog implements Pet { owner: User } type Cat implements Pet { owner: User }
      type User @key(fields: "id") { id: ID! name: String @external address: Address @external } type Address @shareable { city: String }`,
  });

  it('given a field that is not provided here, when planning, then its subgraph is asked', () => {
    expect(plan('{ review { plain { name } } }')).toEqual([
      '0 reviews: { review { plain { id } } }',
      '1 users @ review.plain: User(id) { name } after 0',
    ]);
  });

  it('given a field that is provided, when planning, then nobody else is asked', () => {
    expect(plan('{ review { by { name address { city } } } }')).toEqual(['0 reviews: { review { by { name address { city } } } }']);
  });

  it('given it is provided for a member of a union, when planning, then for that one nobody else is asked', () => {
    expect(plan('{ owner { ... on User { name } ... on Bot { id } } }')).toEqual([
      '0 reviews: { owner { __typename ... on Bot { id } ... on User { name } } }',
    ]);
  });

  it('given it is provided for one implementation of an interface, when planning, then for others its subgraph is asked', () => {
    expect(plan('{ pet { owner { name } } }')).toEqual([
      '0 reviews: { pet { __typename ... on Cat { owner { id } } ... on Dog { owner { name } } } }',
      '1 users @ pet[Cat].owner: User(id) { name } after 0',
    ]);
  });
});

describe('@override', () => {
  const plan = planOver({
    old: 'type Query { user: User } type User @key(fields: "id") { id: ID! name: String age: Int }',
    new: 'type User @key(fields: "id") { id: ID! name: String @override(from: "old") age: Int @override(from: "old", label: "percent(20)") }',
  });

  it('given a field that moved, when planning, then its new subgraph is asked', () => {
    expect(plan('{ user { name } }')).toEqual(['0 old: { user { id } }', '1 new @ user: User(id) { name } after 0']);
  });

  it('given a label, when it is off, then the old subgraph is asked', () => {
    expect(plan('{ user { age } }')).toEqual(['0 old: { user { age } }']);
  });

  it('given a label, when it is on, then the new subgraph is asked', () => {
    expect(plan('{ user { age } }', { labels: ['percent(20)'] })).toEqual([
      '0 old: { user { id } }',
      '1 new @ user: User(id) { age } after 0',
    ]);
  });
});

describe('@inaccessible', () => {
  const plan = planOver({
    a: 'type Query { user: User } type User @key(fields: "id") { id: ID! @inaccessible name: String }',
    b: 'type User @key(fields: "id") { id: ID! @inaccessible age: Int }',
  });

  it('given a key that clients may not see, when planning, then it is sent all the same', () => {
    expect(plan('{ user { age } }')).toEqual(['0 a: { user { id } }', '1 b @ user: User(id) { age } after 0']);
  });

  it('given a field that nobody has, when planning, then that is an error', () => {
    expect(() => plan('{ user { size } }')).toThrow(NoWay);
  });
});
