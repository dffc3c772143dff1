import { describe, expect, it } from '@jest/globals';
import { NoPath } from '../../../../gateway/planning/planning-scope.ts';
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

  it('does not affect fields at paths without it', () => {
    expect(plan('{ review { plain { name } } }')).toEqual([
      '0 reviews: { review { plain { id } } }',
      '1 users @ review.plain: User(id) { name } after 0',
    ]);
  });

  it('avoids a fetch for a provided field', () => {
    expect(plan('{ review { by { name address { city } } } }')).toEqual(['0 reviews: { review { by { name address { city } } } }']);
  });

  it('avoids a fetch for a provided member of a union', () => {
    expect(plan('{ owner { ... on User { name } ... on Bot { id } } }')).toEqual([
      '0 reviews: { owner { __typename ... on Bot { id } ... on User { name } } }',
    ]);
  });

  it('avoids a fetch only for the provided implementation of an interface', () => {
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

  it('fetches a moved field from its new subgraph', () => {
    expect(plan('{ user { name } }')).toEqual(['0 old: { user { id } }', '1 new @ user: User(id) { name } after 0']);
  });

  it('fetches from the old subgraph if the label is off', () => {
    expect(plan('{ user { age } }')).toEqual(['0 old: { user { age } }']);
  });

  it('fetches from the new subgraph if the label is on', () => {
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

  it('sends a key that is hidden from clients', () => {
    expect(plan('{ user { age } }')).toEqual(['0 a: { user { id } }', '1 b @ user: User(id) { age } after 0']);
  });

  it('throws for a field that no subgraph has', () => {
    expect(() => plan('{ user { size } }')).toThrow(NoPath);
  });
});
