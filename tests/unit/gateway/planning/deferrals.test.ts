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
  it('is ignored for a client that does not accept incremental delivery', () => {
    expect(plan('{ me { name ... @defer { reviews { text } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0',
    ]);
  });

  it('is ignored if its condition is false', () => {
    expect(defer('{ me { name ... @defer(if: false) { reviews { text } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0',
    ]);
    expect(defer('query ($on: Boolean!) { me { name ... @defer(if: $on) { reviews { text } } } }', { on: false })).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0',
    ]);
  });

  it('defers the fetch of fields of another subgraph', () => {
    expect(defer('{ me { name ... @defer { reviews { text } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0 for @defer 1',
    ]);
    expect(defer('query ($on: Boolean!) { me { name ... @defer(if: $on) { reviews { text } } } }', { on: true })).toEqual([
      '0 accounts: { me { name id } }',
      '1 reviews @ me: User(id) { reviews { text } } after 0 for @defer 1',
    ]);
  });

  it('fetches an entity again by its key for deferred fields of the same subgraph', () => {
    expect(defer('{ me { name ... @defer { email } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 accounts @ me: User(id) { email } after 0 for @defer 1',
    ]);
  });

  it('fetches deferred fields immediately if their value has no key', () => {
    expect(defer('{ settings { theme ... @defer { font { size } } } }')).toEqual(['0 accounts: { settings { theme font { size } } }']);
  });

  it('does not fetch fields again that the initial response contains', () => {
    expect(defer('{ me { name ... @defer { name friend { name } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 accounts @ me: User(id) { friend { name } } after 0 for @defer 1',
    ]);
  });

  it('plans separate fetches for a nested @defer', () => {
    expect(defer('{ me { name ... @defer { email ... @defer { reviews { text } } } } }')).toEqual([
      '0 accounts: { me { name id } }',
      '1 accounts @ me: User(id) { email } after 0 for @defer 1',
      '2 reviews @ me: User(id) { reviews { text } } after 0 for @defer 2',
    ]);
  });

  it('plans one deferred fetch for a fragment that is used twice', () => {
    expect(defer('{ me { ...More friend { ...More } } } fragment More on User { id ... @defer { reviews { text } } }')).toEqual([
      '0 accounts: { me { id friend { id } } }',
      '1 reviews @ me & me.friend: User(id) { reviews { text } } after 0 for @defer 1',
    ]);
  });

  it('defers a root fetch, which depends on nothing', () => {
    expect(defer('{ me { name } ... @defer { settings { theme } } }')).toEqual([
      '0 accounts: { me { name } }',
      '1 accounts: { settings { theme } } for @defer 1',
    ]);
  });
});
