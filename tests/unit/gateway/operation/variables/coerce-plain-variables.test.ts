import { describe, expect, it } from '@jest/globals';
import { buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { coercePlainVariables } from '../../../../../gateway/operation/variables/coerce-variables.ts';

const schema = buildSchema(
  'type Query { a(float: Float, id: ID, string: String, boolean: Boolean): Int } input In { a: Int } enum Colour { RED } scalar Any',
);

const TYPES = ['Int', 'Int!', 'Float', 'Float!', 'String', 'String!', 'Boolean', 'Boolean!', 'ID', 'ID!', '[Int]', 'In', 'Colour', 'Any'];
const VALUES: readonly unknown[] = [
  0,
  -0,
  1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  1e300,
  Number.NaN,
  Infinity,
  '',
  '1',
  'RED',
  true,
  null,
  undefined,
  [1],
  { a: 1 },
];

function definitionsOf(text: string): NonNullable<OperationDefinitionNode['variableDefinitions']> {
  const [operation] = parse(text).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The test document has no operation.');
  return operation.variableDefinitions ?? [];
}

describe('coercePlainVariables', () => {
  it.each(TYPES)('coerces valid values of type %s like graphql-js and leaves the others to it', (type) => {
    for (const [text, inputs] of [
      ...VALUES.map((value) => [`query($v: ${type}) { a }`, { v: value }] as const),
      [`query($v: ${type}) { a }`, {}] as const,
      [`query($v: ${type} = null) { a }`, {}] as const,
    ]) {
      if (text.includes('! = null')) continue;
      const definitions = definitionsOf(text);
      const plain = coercePlainVariables(schema, definitions, inputs);
      if (plain !== undefined) expect({ coerced: plain }).toEqual(getVariableValues(schema, definitions, inputs));
    }
  });

  it('coerces all variables in one pass and omits absent ones', () => {
    const definitions = definitionsOf('query($a: Int!, $b: String, $c: ID, $d: Float, $e: Boolean, $f: Int) { a }');
    const raw = { a: 1, b: 'x', c: 'y', d: 1.5, e: false, other: 1 };
    expect(coercePlainVariables(schema, definitions, raw)).toEqual({ a: 1, b: 'x', c: 'y', d: 1.5, e: false });
  });

  it('leaves an absent variable with a default value to the general algorithm', () => {
    expect(coercePlainVariables(schema, definitionsOf('query($a: Int = 3) { a }'), {})).toBeUndefined();
    expect(coercePlainVariables(schema, definitionsOf('query($a: Int = 3) { a }'), { a: 4 })).toEqual({ a: 4 });
  });
});
