import { type GraphQLLeafType, GraphQLEnumType, isSpecifiedScalarType } from 'graphql';
import { printFreeForm, printText } from '../../data/print-json.ts';
import type { FieldEncoding, LeafToJson } from './response-shape.ts';

const MAX_INT = 2_147_483_647;
const MIN_INT = -2_147_483_648;

/**
 * Returns how the object printer prints a field of this type. Values that it does not recognize are printed by `toJson`. Most values of
 * custom scalars are strings.
 */
export function encodingOf(type: GraphQLLeafType): FieldEncoding {
  if (type instanceof GraphQLEnumType) return 'other';
  if (type.name === 'String' || type.name === 'ID' || !isSpecifiedScalarType(type)) return 'text';
  if (type.name === 'Int') return 'int';
  return type.name === 'Float' ? 'float' : 'boolean';
}

/**
 * Compiles the printer of a leaf value. Values must match the type (GraphQL specification, 3.5); for example, a string is not converted to
 * a number. Two conversions are allowed, because other subgraph libraries send such values. An integer for an `ID` is printed as a string,
 * and an integer is valid for a `Float`. Custom scalars are printed unchanged, unless they exceed the nesting limit.
 */
export function compileLeaf(type: GraphQLLeafType): LeafToJson {
  if (type instanceof GraphQLEnumType) {
    const texts = new Map<unknown, string>(type.getValues().map(({ name }) => [name, `"${name}"`]));
    return (value) => texts.get(value);
  }
  if (!isSpecifiedScalarType(type)) return freeFormToJson;
  switch (type.name) {
    case 'Int':
      return (value) => (isInt(value) ? `${value}` : undefined);
    case 'Float':
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? `${value}` : undefined);
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? `${value}` : undefined);
    case 'ID':
      return (value) => (typeof value === 'string' ? printText(value) : Number.isSafeInteger(value) ? `"${value as number}"` : undefined);
    default:
      return (value) => (typeof value === 'string' ? printText(value) : undefined);
  }
}

function freeFormToJson(value: unknown): string | undefined {
  if (typeof value === 'string') return printText(value);
  try {
    return printFreeForm(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isInt(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value <= MAX_INT && value >= MIN_INT;
}
