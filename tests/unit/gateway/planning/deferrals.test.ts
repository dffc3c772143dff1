import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

const plan = planOver({
  accounts: `type Query { me: User settings: Settings }
    type User @key(fields: "id") { id: ID! name: String email: String friend: User }
    type Settings { theme: String font: Font } type Font { size: Int name: String }`,
  reviews: 'type User @key(fields: "id") { id: ID! reviews: [Review!]! } type Review { id: ID! text: String author: User }',
});
const defer = (document: string, conditions: Readonly<Record<string, boolean>> = {}): readonly string[] =>
  plan(document, { isDeferring: true, conditions });

describe('@defer', () => {
  it('given a client that takes one answer, when planning, then everything comes with it', () => {
    expect(plan('{ me { name ... @defer { reviews { text } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0',
    ]);
  });

  it('given it is off, when planning, then everything comes at once', () => {
    expect(defer('{ me { name ... @defer(if: false) { reviews { text } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0',
    ]);
    expect(defer('query ($on: Boolean!) { me { name ... @defer(if: $on) { reviews { text } } } }', { on: false })).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0',
    ]);
  });

  it('given fields of another subgraph, when planning, then their request is for later', () => {
    expect(defer('{ me { name ... @defer { reviews { text } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0 for @defer 1',
    ]);
    expect(defer('query ($on: Boolean!) { me { name ... @defer(if: $on) { reviews { text } } } }', { on: true })).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0 for @defer 1',
    ]);
  });

  it('given fields of the same subgraph, when planning, then the entity is asked for again by its key', () => {
    expect(defer('{ me { name ... @defer { email } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 accounts @ me: User(id) { email } after 0 for @defer 1',
    ]);
  });

  it('given values that have no key, when planning, then what is deferred rides along', () => {
    expect(defer('{ settings { theme ... @defer { font { size } } } }')).toEqual(['0 accounts: { settings { theme font { size } } }']);
  });

  it('given fields that the first answer has as well, when planning, then they are not asked for again', () => {
    expect(defer('{ me { name ... @defer { name friend { name } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 accounts @ me: User(id) { friend { name } } after 0 for @defer 1',
    ]);
  });

  it('given one inside of another, when planning, then each has its requests', () => {
    expect(defer('{ me { name ... @defer { email ... @defer { reviews { text } } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 accounts @ me: User(id) { email } after 0 for @defer 1',
      '2 reviews @ me: User(id) { reviews { text } } after 0 for @defer 2',
    ]);
  });

  it('given one in a fragment that is used twice, when planning, then it is one', () => {
    expect(defer('{ me { ...More friend { ...More } } } fragment More on User { id ... @defer { reviews { text } } }')).toEqual([
      '0 accounts: { me { id friend { id } } }',
      '1 reviews @ me & me.friend: User(id) { reviews { text } } after 0 for @defer 1',
    ]);
  });

  it('given one at the root, when planning, then its request is for later and waits for nothing', () => {
    expect(defer('{ me { name } ... @defer { settings { theme } } }')).toEqual([
      '0 accounts: { me { name } }',
      '1 accounts: { settings { theme } } for @defer 1',
    ]);
  });
});
