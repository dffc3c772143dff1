import { describe, expect, it } from '@jest/globals';
import { doublingFragments } from '../../../../fixtures/fragment-bombs.ts';
import { faultsOf } from '../../../../support/gateway/refusal-of.ts';
import { costIn } from './shop-graph.ts';

describe('the estimated cost of an operation', () => {
  it.each<[string, string, number]>([
    ['an object costs 1, and its scalars nothing', '{ user(id: 1) { id name } }', 1],
    ['a list of which nothing is known has 10 items', '{ users { friends { name } } }', 10 * (1 + 10)],
    ['lists of scalars cost nothing', '{ user(id: 1) { tags } }', 1],
    ['a list has the size that is assumed', '{ fixed { id } }', 3],
    ['a list has as many items as its slicing argument asks for', '{ someUsers(first: 7) { friends { id } } }', 7 * 11],
    ['no page has no items', '{ someUsers(first: 0) { friends { id } } }', 0],
    ['an argument that is left out has its default', '{ someUsers { id } }', 20],
    ['an argument that is null leaves the size that is assumed', '{ someUsers(first: null) { id } }', 5],
    [
      'fields that are sized have the size of the field above',
      '{ posts(first: 4) { nodes { id } edges { node { id } } total } }',
      1 + 4 * 3 + 4 * (1 + 3) + 2,
    ],
    [
      'fields that are sized are found in fragments',
      '{ posts(first: 4) { ...A ... { ...A } } } fragment A on Posts { nodes { id } }',
      1 + 2 * 4 * 3,
    ],
    ['lists within lists multiply', '{ grid { id } }', 10 * 10 * 3],
    ['an abstract type costs as much as the dearest of its types', '{ node { id } found { __typename } }', 3 + 10 * 3],
    ['all branches count', '{ found { ... on User { friends { id } } ... on Post { author { id } } } }', 10 * (3 + 10 + 1)],
    ['a weight on a field replaces that of its type', '{ dear }', 7],
    ['a weight on an argument comes beside it, where it is given', '{ dear(text: "a") }', 7 + 4],
    ['a weight on an enum holds wherever it stands', '{ node { ... on Post { kind } } }', 3 + 1],
    [
      'a field that changes something costs 10 more',
      'mutation { a: rename(id: 1) { id } b: rename(id: 1) { id } pay(id: 1) { id } }',
      11 + 11 + 60,
    ],
    [
      'objects in arguments cost 1, and their fields what they weigh',
      '{ posts(first: 0, filter: { slow: "a", and: [{ text: "b" }, { slow: null }] }) { total } }',
      1 + 2 + 1 + 9 + 2,
    ],
    ['introspection costs nothing', '{ __typename __schema { types { fields { name } } } __type(name: "User") { name } }', 0],
    ['what is never asked for costs nothing', '{ users @skip(if: true) { id } fixed @include(if: false) { id } dear @skip(if: false) }', 7],
  ])('given that %s, when estimated, then it is so', (_rule, text, expected) => {
    const cost = costIn(text);
    expect(cost.estimate({})).toBe(expected);
    expect(cost.variables).toEqual(new Set());
  });

  it('given a page size in a variable, when estimated, then its value counts, and where it has none the default, and null is none', () => {
    const cost = costIn('query ($n: Int) { someUsers(first: $n) { id } }');
    expect(cost.variables).toEqual(new Set(['n']));
    expect([{ n: 7 }, {}, { n: null }].map((values) => cost.estimate(values))).toEqual([7, 20, 5]);
    expect(cost.estimate(undefined)).toBe(100);
  });

  it('given conditions in variables, when estimated, then what they may leave out counts', () => {
    const cost = costIn('query ($a: Boolean!) { fixed @skip(if: $a) { id } ... @include(if: $a) { users { id } } }');
    expect(cost.estimate({ a: true })).toBe(13);
    expect(cost.variables).toEqual(new Set());
  });

  it('given input objects in variables, when estimated, then what is in them counts', () => {
    const cost = costIn('query ($f: Filter, $t: String) { posts(first: 0, filter: $f) { total } dear(text: $t) }');
    expect(cost.estimate({ f: { and: [{ slow: 'a' }, {}] }, t: 'b' })).toBe(1 + 2 + (1 + 1 + 9 + 1) + 7 + 4);
    expect(cost.estimate({ f: null })).toBe(1 + 2 + 7);
  });

  it.each([
    ['a negative page', '{ someUsers(first: -1) { id } }', {}],
    ['a page that is too large', '{ someUsers(first: 101) { id } }', {}],
    ['a huge page in a variable', 'query ($n: Int) { someUsers(first: $n) { id } }', { n: 2_147_483_647 }],
    ['a negative page in a variable', 'query ($n: Int) { posts(first: $n) { total } }', { n: -2_147_483_648 }],
    ['no size where one is required', '{ bothWays { id } }', {}],
    ['none in the variable that is to give it', 'query ($n: Int) { bothWays(last: $n) { id } }', {}],
    ['two sizes where one is required', 'query ($n: Int) { bothWays(first: $n, last: 2) { id } }', { n: 2 }],
  ])('given %s, when estimated, then it is refused', (_what, text, values) => {
    expect(faultsOf(() => costIn(text).estimate(values))[0]).toBe('BAD_USER_INPUT');
  });

  it('given pages that are measured, when estimated, then the largest counts, and a negative one as none', () => {
    const measured = { isPageSizeEnforced: false };
    expect(costIn('{ bothWays(first: 3000, last: 2) { id } }', measured).estimate({})).toBe(3_000);
    expect(costIn('{ bothWays(first: -3) { id } }', measured).estimate({})).toBe(10);
  });

  it('given fragments that double two hundred times, when estimated, then it ends, and at a number', () => {
    const text = `query ($n: Int) { someUsers(first: $n) { ...F0 } } ${doublingFragments(200, 'User').replace('{name}', '{friends{id}}')}`;
    expect(costIn(text).estimate({ n: 3 })).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('given a fragment within itself, when estimated, then it ends', () => {
    expect(costIn('{ user(id: 1) { ...A } } fragment A on User { friends { ...A } }').estimate({})).toBe(11);
  });
});
