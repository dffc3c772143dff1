import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { compileCost } from '../../../../../gateway/operation/cost/compile-cost.ts';
import { createCostModel } from '../../../../../gateway/operation/cost/cost-model.ts';
import { selectOperation } from '../../../../../gateway/operation/select-operation.ts';
import type { CostRules } from '../../../../../gateway/supergraph/read-cost-rules.ts';

const SCHEMA = buildSchema(`
  scalar Count
  type Query {
    films(first: Int, last: Int, limit: Int!, pageSize: Int, size: Int): [Film!]!
    latest(first: Int = 3): [Film]
    defaulted(first: Int = 50): [Film]
    counted(first: Count): [Film]
    named(first: String): [Film]
    several(first: [Int!]): [Film]
    poster(size: Int): Poster
    search(limit: Int): Page
    connection(first: Int): Connection!
    annotated(first: Int): [Film]
  }
  type Film { title: String actors(limit: Int): [Film!] }
  type Poster { url: String films: [Film] }
  interface Page { items: [Film!] total: Int }
  type SearchPage implements Page { items: [Film!] total: Int }
  type Connection { nodes: [Film] edges: [Edge] others: [Film] }
  type Edge { node: Film }
`);
const NO_RULES: CostRules = { weights: new Map(), listSizes: new Map() };
const NAMES = ['first', 'last', 'limit', 'size', 'pageSize'];

interface Given {
  readonly names?: readonly string[];
  readonly rules?: CostRules;
  readonly isPageSizeEnforced?: boolean;
  readonly values?: Readonly<Record<string, unknown>>;
}

function costOf(text: string, { names = NAMES, rules = NO_RULES, isPageSizeEnforced = true, values = {} }: Given = {}): number {
  const document = parse(text);
  const settings = { assumedListSize: 10, maxPageSize: 100, isPageSizeEnforced };
  return compileCost(document, selectOperation(document), createCostModel(SCHEMA, rules, names), settings).estimate(values);
}

describe('an argument of a field without @listSize', () => {
  it.each([
    ['on a list', '{ films(limit: 101) { title } }', 'Query.films', 'limit'],
    ['on a connection', '{ connection(first: 101) { nodes { title } } }', 'Query.connection', 'first'],
    ['on a nested list', '{ latest { actors(limit: 101) { title } } }', 'Film.actors', 'limit'],
  ])('is rejected above the maximum page size %s', (_where, text, coordinate, argument) => {
    expect(() => costOf(text)).toThrow(
      `The argument "${argument}" of "${coordinate}" is 101, but a page must have between 0 and 100 items. Send a smaller value. ` +
        'The operator of the gateway can increase limits.maxPageSize, or remove the name from limits.slicingArguments if the argument is not a page size.',
    );
    expect(costOf(text, { isPageSizeEnforced: false })).toBeGreaterThanOrEqual(101);
  });

  it('is rejected above the maximum page size in a variable', () => {
    const text = 'query ($n: Int!) { films(limit: $n) { title } }';
    expect(() => costOf(text, { values: { n: 101 } })).toThrow('is 101, but a page must have between 0 and 100 items');
    expect(costOf(text, { values: { n: 100 } })).toBe(100);
  });

  it.each([
    ['is zero', '{ films(limit: 0) { title } }', {}],
    ['is negative', '{ films(limit: -1) { title } }', {}],
    ['is zero in a variable', 'query ($n: Int!) { films(limit: $n) { title } }', { n: 0 }],
    ['is less than the default of the schema', '{ latest(first: 0) { title } }', {}],
  ])('has the assumed size when it %s, which some APIs use for "all"', (_what, text, values) => {
    expect(costOf(text, { values })).toBe(10);
  });

  it('has the default of the schema when it is zero and the default is larger than the assumed size', () => {
    expect(costOf('{ defaulted(first: 0) { title } }')).toBe(50);
  });

  it.each([
    ['films(first: 2, limit: 1)', '{ title }', 2],
    ['films(limit: 3, pageSize: 4)', '{ title }', 4],
    ['films(limit: 1, size: 5)', '{ title }', 5],
    ['films(limit: 1, last: 6)', '{ title }', 6],
    ['latest', '{ title }', 3],
    ['search(limit: 7)', '{ items { title } }', 1 + 7],
    ['connection(first: 2)', '{ nodes { title } edges { node { title } } }', 1 + 2 + 2 * 2],
  ])('defines the number of items of %s', (field, selections, expected) => {
    expect(costOf(`{ ${field} ${selections} }`)).toBe(expected);
  });

  it.each([
    ['has a type other than Int', '{ counted(first: 500) { title } }', 10],
    ['is a string', '{ named(first: "500") { title } }', 10],
    ['is a list', '{ several(first: [500]) { title } }', 10],
    ['is on an object without a list of items', '{ poster(size: 500) { url films { title } } }', 1 + 10],
    ['does not define another list of the page', '{ connection(first: 2) { others { title } } }', 1 + 10],
  ])('does not count when it %s', (_what, text, expected) => {
    expect(costOf(text)).toBe(expected);
  });

  it('does not count when its name is not listed', () => {
    expect(costOf('{ films(limit: 500) { title } }', { names: [] })).toBe(10);
    expect(costOf('{ films(limit: 500, first: 20) { title } }', { names: ['first'] })).toBe(20);
  });
});

describe('an argument of a field with @listSize', () => {
  it('does not count unless the directive lists it', () => {
    const size = { assumedSize: 7, slicingArguments: [], sizedFields: [], requiresOneSlicingArgument: false };
    const rules = { weights: new Map(), listSizes: new Map([['Query.annotated', size]]) };
    expect(costOf('{ annotated(first: 500) { title } }', { rules })).toBe(7);
  });

  it('defines the size when it is zero, and is rejected without a hint to limits.slicingArguments', () => {
    const size = { slicingArguments: ['first'], sizedFields: [], requiresOneSlicingArgument: false };
    const rules = { weights: new Map(), listSizes: new Map([['Query.annotated', size]]) };
    expect(costOf('{ annotated(first: 0) { title } }', { rules })).toBe(0);
    expect(() => costOf('{ annotated(first: 101) { title } }', { rules })).toThrow(/increase limits\.maxPageSize\.$/);
    expect(() => costOf('{ annotated(first: -1) { title } }', { rules })).toThrow(
      'is -1, but a page must have between 0 and 100 items. Send a larger value.',
    );
  });
});
