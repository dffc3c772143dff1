import { describe, expect, it } from '@jest/globals';
import { doublingFragments } from '../../../../fixtures/fragment-bombs.ts';
import { errorsOf } from '../../../../support/gateway/catch-rejection.ts';
import { costIn } from './shop-graph.ts';

describe('the estimated cost of an operation', () => {
  it.each<[string, string, number]>([
    ['an object costs 1, and its scalars cost nothing', '{ user(id: 1) { id name } }', 1],
    ['a list without size information has 10 items', '{ users { friends { name } } }', 10 * (1 + 10)],
    ['lists of scalars cost nothing', '{ user(id: 1) { tags } }', 1],
    ['a list has its assumed size', '{ fixed { id } }', 3],
    ['a list has as many items as its slicing argument requests', '{ someUsers(first: 7) { friends { id } } }', 7 * 11],
    ['an empty page has no items', '{ someUsers(first: 0) { friends { id } } }', 0],
    ['an omitted argument has its default value', '{ someUsers { id } }', 20],
    ['a null argument falls back to the assumed size', '{ someUsers(first: null) { id } }', 5],
    [
      'sized fields have the size of their parent field',
      '{ posts(first: 4) { nodes { id } edges { node { id } } total } }',
      1 + 4 * 3 + 4 * (1 + 3) + 2,
    ],
    [
      'sized fields are found in fragments',
      '{ posts(first: 4) { ...A ... { ...A } } } fragment A on Posts { nodes { id } }',
      1 + 2 * 4 * 3,
    ],
    ['nested lists multiply', '{ grid { id } }', 10 * 10 * 3],
    ['an abstract type costs as much as its most expensive type', '{ node { id } found { __typename } }', 3 + 10 * 3],
    ['all branches count', '{ found { ... on User { friends { id } } ... on Post { author { id } } } }', 10 * (3 + 10 + 1)],
    ['a weight on a field replaces the weight of its type', '{ dear }', 7],
    ['a weight on an argument is added when the argument is present', '{ dear(text: "a") }', 7 + 4],
    ['a weight on an enum applies to every use of the enum', '{ node { ... on Post { kind } } }', 3 + 1],
    [
      'a root field of a mutation costs 10 more',
      'mutation { a: rename(id: 1) { id } b: rename(id: 1) { id } pay(id: 1) { id } }',
      11 + 11 + 60,
    ],
    [
      'objects in arguments cost 1, plus the weights of their fields',
      '{ posts(first: 0, filter: { slow: "a", and: [{ text: "b" }, { slow: null }] }) { total } }',
      1 + 2 + 1 + 9 + 2,
    ],
    ['introspection costs nothing', '{ __typename __schema { types { fields { name } } } __type(name: "User") { name } }', 0],
    [
      'fields that are never selected cost nothing',
      '{ users @skip(if: true) { id } fixed @include(if: false) { id } dear @skip(if: false) }',
      7,
    ],
  ])('%s', (_rule, text, expected) => {
    const cost = costIn(text);
    expect(cost.estimate({})).toBe(expected);
    expect(cost.variables).toEqual(new Set());
  });

  it('reads the page size from a variable, then its default, and ignores null', () => {
    const cost = costIn('query ($n: Int) { someUsers(first: $n) { id } }');
    expect(cost.variables).toEqual(new Set(['n']));
    expect([{ n: 7 }, {}, { n: null }].map((values) => cost.estimate(values))).toEqual([7, 20, 5]);
    expect(cost.estimate(undefined)).toBe(100);
  });

  it('counts selections that conditions in variables may exclude', () => {
    const cost = costIn('query ($a: Boolean!) { fixed @skip(if: $a) { id } ... @include(if: $a) { users { id } } }');
    expect(cost.estimate({ a: true })).toBe(13);
    expect(cost.variables).toEqual(new Set());
  });

  it('counts the content of input objects in variables', () => {
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
    ['no value in the variable of a required size', 'query ($n: Int) { bothWays(last: $n) { id } }', {}],
    ['two sizes where one is required', 'query ($n: Int) { bothWays(first: $n, last: 2) { id } }', { n: 2 }],
  ])('rejects %s', (_what, text, values) => {
    expect(errorsOf(() => costIn(text).estimate(values))[0]).toBe('BAD_USER_INPUT');
  });

  it('uses the largest page size and ignores negative ones if limits are measured', () => {
    const measured = { isPageSizeEnforced: false };
    expect(costIn('{ bothWays(first: 3000, last: 2) { id } }', measured).estimate({})).toBe(3_000);
    expect(costIn('{ bothWays(first: -3) { id } }', measured).estimate({})).toBe(10);
  });

  it('ends at the largest safe integer for fragments that double 200 times', () => {
    const text = `query ($n: Int) { someUsers(first: $n) { ...F0 } } ${doublingFragments(200, 'User').replace('{name}', '{friends{id}}')}`;
    expect(costIn(text).estimate({ n: 3 })).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('ends for a fragment that spreads itself', () => {
    expect(costIn('{ user(id: 1) { ...A } } fragment A on User { friends { ...A } }').estimate({})).toBe(11);
  });
});
