import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertInputObjectType, buildSchema, coerceInputValue } from 'graphql';
import { compileJsonReader } from '../../../../../rest-facade/compile/bindings/json-reader.ts';

const schema = buildSchema(/* GraphQL */ `
  type Query {
    x: Int
  }
  enum Colour {
    RED
    GREEN
  }
  scalar Anything
  input Thing {
    name: String!
    count: Int
    price: Float! = 1.5
    open: Boolean
    colour: Colour = RED
    ownerId: ID
    code: ID
    tags: [String!]
    grid: [[Int]]
    part: Part
    parts: [Part!]
    any: Anything
    pick: Pick
  }
  input Part {
    size: Int!
    note: String
    part: Part
  }
  input Pick @oneOf {
    a: Int
    b: String
  }
`);

const Thing = assertInputObjectType(schema.getType('Thing'));

function readThing(value: unknown, isReplacement = false): { readonly value: unknown; readonly issues: readonly string[] } {
  const issues: string[] = [];
  const read = compileJsonReader(Thing, { integers: new Set(['ownerId']), names: new Map(), isReplacement });
  return { value: read(value, '', (field, issue) => issues.push(`${field}: ${issue}`)), issues };
}

describe('invalid bodies', () => {
  it.each<[unknown, readonly string[]]>([
    [null, [': must be an object']],
    [[], [': must be an object']],
    ['x', [': must be an object']],
    [{}, ['name: is required']],
    [{ name: null }, ['name: must not be null']],
    [{ name: 5 }, ['name: must be a string']],
    [{ name: 'x', count: '5' }, ['count: must be an integer from -2147483648 to 2147483647']],
    [{ name: 'x', count: 1.5 }, ['count: must be an integer from -2147483648 to 2147483647']],
    [{ name: 'x', count: 2 ** 31 }, ['count: must be an integer from -2147483648 to 2147483647']],
    [{ name: 'x', count: true }, ['count: must be an integer from -2147483648 to 2147483647']],
    [{ name: 'x', price: null }, ['price: must not be null']],
    [{ name: 'x', price: '1.5' }, ['price: must be a number']],
    [{ name: 'x', open: 1 }, ['open: must be true or false']],
    [{ name: 'x', colour: 'BLUE' }, ['colour: must be one of RED, GREEN']],
    [{ name: 'x', colour: ['RED'] }, ['colour: must be one of RED, GREEN']],
    [{ name: 'x', ownerId: '5' }, ['ownerId: must be an integer, 0 or greater']],
    [{ name: 'x', ownerId: -1 }, ['ownerId: must be an integer, 0 or greater']],
    [{ name: 'x', ownerId: 2 ** 53 }, ['ownerId: must be an integer, 0 or greater']],
    [{ name: 'x', code: 1.5 }, ['code: must be a string or an integer']],
    [{ name: 'x', tags: 'a' }, ['tags: must be an array']],
    [{ name: 'x', tags: ['a', null, 5] }, ['tags.1: must not be null', 'tags.2: must be a string']],
    [
      { name: 'x', grid: [[1], 2, [null, 'x']] },
      ['grid.1: must be an array', 'grid.2.1: must be an integer from -2147483648 to 2147483647'],
    ],
    [
      { name: 'x', part: { part: { size: 1, x: 1 } } },
      ['part.size: is required', 'part.part.x: is not a known field; the allowed fields are size, note, part'],
    ],
    [{ name: 'x', parts: [{ size: 1 }, {}] }, ['parts.1.size: is required']],
    [{ name: 'x', pick: {} }, ['pick: must have exactly one of a, b']],
    [{ name: 'x', pick: { a: 1, b: 'x' } }, ['pick: must have exactly one of a, b']],
    [{ name: 'x', pick: { a: null } }, ['pick: must have exactly one of a, b']],
    [JSON.parse('{"name":"x","__proto__":1}'), [expect.stringMatching(/^__proto__: is not a known field/) as never]],
    [
      { colour: 1, count: 'x' },
      ['name: is required', 'count: must be an integer from -2147483648 to 2147483647', 'colour: must be one of RED, GREEN'],
    ],
  ])('reports every error of %j under the name of its field', (body, issues) => {
    expect(readThing(body).issues).toEqual(issues);
  });
});

describe('valid bodies', () => {
  it('distinguishes absent fields from null fields', () => {
    expect(readThing({ name: 'x', count: null }).value).toEqual({ name: 'x', count: null });
  });

  it('a full replacement sets absent fields without a default to null at any depth', () => {
    expect(readThing({ name: 'x', part: { size: 1 } }, true).value).toEqual({
      name: 'x',
      count: null,
      open: null,
      ownerId: null,
      code: null,
      tags: null,
      grid: null,
      part: { size: 1, note: null, part: null },
      parts: null,
      any: null,
      pick: null,
    });
  });

  it('reads an ID that is a JSON integer as text', () => {
    expect(readThing({ name: 'x', ownerId: 7 }).value).toEqual({ name: 'x', ownerId: '7' });
  });

  it('a body that is read without an error is valid input for the graph', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, 'RED', 'GREEN'));
    const part = fc.record({ size: leaf, note: leaf }, { requiredKeys: [] });
    const thing = fc.record(
      {
        name: leaf,
        count: leaf,
        price: leaf,
        colour: leaf,
        ownerId: leaf,
        tags: fc.oneof(leaf, fc.array(leaf)),
        part: fc.oneof(leaf, part),
        parts: fc.array(part),
        any: leaf,
      },
      { requiredKeys: ['name'] },
    );
    fc.assert(
      fc.property(thing, fc.boolean(), (body, isReplacement) => {
        const { value, issues } = readThing(JSON.parse(JSON.stringify(body)), isReplacement);
        if (issues.length > 0) return;
        coerceInputValue(value, Thing, (path, _invalid, error) => {
          throw new Error(`${path.join('.')}: ${error.message}`);
        });
      }),
    );
  });
});
