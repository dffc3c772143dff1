import { type GraphQLLeafType, GraphQLEnumType, isSpecifiedScalarType } from 'graphql';
import { printFreeForm, printText } from '../../data/print-json.ts';
import type { FieldForm, LeafToJson } from './response-shape.ts';

const MAX_INT = 2_147_483_647;
const MIN_INT = -2_147_483_648;

/** How a field of this type may be printed by the printer of objects; what is not of the usual form is left to `toJson`. */
export function formOf(type: GraphQLLeafType): FieldForm {
  if (!isSpecifiedScalarType(type)) return 'other';
  if (type.name === 'String' || type.name === 'ID') return 'text';
  if (type.name === 'Int') return 'int';
  return type.name === 'Float' ? 'float' : 'boolean';
}

/**
 * Compiles the printer of a leaf. Values must be what the type says (GraphQL specification, 3.5): a subgraph's string is
 * not made a number. Two forms are accepted as subgraphs of other makes send them: a whole number for an `ID`, printed
 * as the string it stands for, and a whole number for a `Float`. Custom scalars are printed as they are, unless they are
 * nested too deeply.
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
