import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { coerceVariables } from '../../../../../gateway/operation/variables/coerce-variables.ts';
import { selectOperation } from '../../../../../gateway/operation/select-operation.ts';
import { errorsOf } from '../../../../support/gateway/catch-rejection.ts';

const SCHEMA = buildSchema(`
  scalar JSON
  enum Shape { ROUND SQUARE }
  input Filter { title: String, min: Float = 1.5, tags: [String!], shape: Shape, extra: JSON, not: Filter, and: [Filter!] }
  input Needed { id: ID! }
  type Query { find(id: ID, n: Int, filter: Filter, needed: Needed, list: [[Int]], json: JSON, shape: Shape, flag: Boolean): Int }
`);

function coerce(declarations: string, raw: Readonly<Record<string, unknown>>) {
  const operation = selectOperation(parse(`query (${declarations}) { __typename }`));
  return coerceVariables(SCHEMA, operation, raw, { maxDepth: 20, maxErrors: 3 });
}

function nested(levels: number, leaf: unknown, wrap: (inner: unknown) => unknown): unknown {
  let value = leaf;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

describe('coerceVariables', () => {
  it.each([
    ['$id: ID!', {}, 'Variable "$id" of required type "ID!" was not provided.'],
    ['$id: ID!', { id: null }, 'Variable "$id" of non-null type "ID!" must not be null.'],
    ['$id: ID', { id: { a: 1 } }, 'Variable "$id" got invalid value { a: 1 }; ID cannot represent value: { a: 1 }'],
    ['$n: Int', { n: '1' }, 'Variable "$n" got invalid value "1"; Int cannot represent non-integer value: "1"'],
    [
      '$n: Int',
      { n: 2 ** 31 },
      'Variable "$n" got invalid value 2147483648; Int cannot represent non 32-bit signed integer value: 2147483648',
    ],
    ['$flag: Boolean', { flag: 'yes' }, 'Variable "$flag" got invalid value "yes"; Boolean cannot represent a non boolean value: "yes"'],
    ['$f: Filter', { f: [] }, 'Variable "$f" got invalid value []; Expected type "Filter" to be an object.'],
    [
      '$f: Filter',
      { f: { tags: ['a', null] } },
      'Variable "$f" got invalid value null at "f.tags[1]"; Expected non-nullable type "String!" not to be null.',
    ],
    ['$f: Needed', { f: {} }, 'Variable "$f" got invalid value {}; Field "id" of required type "ID!" was not provided.'],
    ['$f: Filter', { f: { titel: 'x' } }, 'Variable "$f" got invalid value { titel: "x" }; Field "titel" is not defined by type "Filter".'],
  ])('reports the error of %s with %j', (declarations, raw, message) => {
    expect(errorsOf(() => coerce(declarations, raw))).toEqual(['BAD_USER_INPUT', message]);
  });

  it.each([
    ['$f: Filter', { f: { titel: 'x' } }],
    ['$s: Shape', { s: 'ROUN' }],
  ])('suggests no names for %s with %j', (declarations, raw) => {
    expect(errorsOf(() => coerce(declarations, raw)).join('\n')).not.toMatch(/Did you mean/);
  });

  it('reports at most the maximum number of errors and nothing about the limit', () => {
    expect(errorsOf(() => coerce('$f: Filter', { f: { tags: [1, 2, 3, 4, 5] } }))).toHaveLength(4);
  });

  it('shortens a very long value in the message', () => {
    expect(errorsOf(() => coerce('$n: Int', { n: 'x'.repeat(1_000_000) }))[1]?.length).toBeLessThan(500);
  });

  it.each([
    ['an input object', '$v: Filter', nested(40_000, { title: 'x' }, (not) => ({ not }))],
    ['lists of input objects', '$v: Filter', nested(40_000, { title: 'x' }, (inner) => ({ and: [inner] }))],
    ['a custom scalar', '$v: JSON', nested(40_000, 1, (inner) => [inner])],
    ['a list', '$v: [[Int]]', nested(40_000, 1, (inner) => [inner])],
    ['a field of a custom scalar', '$v: Filter', { extra: nested(40_000, 1, (a) => ({ a })) }],
  ])('rejects %s of 40,000 levels', (_what, declarations, v) => {
    expect(errorsOf(() => coerce(declarations, { v }))).toEqual(['BAD_USER_INPUT', 'Variable "$v" is nested too deeply.']);
  });

  it('accepts a value at the maximum depth and rejects one level more', () => {
    const at = (levels: number) => ({ v: nested(levels, 1, (inner) => [inner]) });
    expect(coerce('$v: JSON', at(20))).toEqual(at(20));
    expect(errorsOf(() => coerce('$v: JSON', at(21)))).toEqual(['BAD_USER_INPUT', 'Variable "$v" is nested too deeply.']);
  });

  it('rejects a key that would set a prototype', () => {
    expect(errorsOf(() => coerce('$v: JSON', { v: JSON.parse('{"a":[{"__proto__":{"b":1}}]}') as unknown }))).toEqual([
      'BAD_USER_INPUT',
      'Variable "$v" has a key "__proto__", which is reserved.',
    ]);
  });

  it('ignores undeclared variables of any depth', () => {
    expect(coerce('$n: Int', { n: 1, other: nested(40_000, 1, (inner) => [inner]) })).toEqual({ n: 1 });
  });

  it('treats names that every object inherits as absent', () => {
    expect(coerce('$toString: String, $constructor: String', {})).toEqual({});
  });

  it('applies defaults, turns single values into lists and omits absent variables', () => {
    expect(
      coerce('$id: ID, $f: Filter, $list: [[Int]], $d: Int = 7, $none: Int, $null: Int', { id: 5, f: { tags: 'a' }, list: 1, null: null }),
    ).toEqual({
      id: '5',
      f: { tags: ['a'], min: 1.5 },
      list: [[1]],
      d: 7,
      null: null,
    });
  });
});
