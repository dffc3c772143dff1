import { type GraphQLInputType, isEnumType, isNonNullType, isScalarType } from 'graphql';
import { MAX_INTEGER_ID } from '../integer-id.ts';

/** A value that was read from text, or an error as the end of a sentence that starts with the name of the parameter. */
type Reading = { readonly value: unknown; readonly issue?: never } | { readonly issue: string };

/** Converts the text of a path segment, query parameter or header to the JSON value of a GraphQL type. */
export type TextReader = (text: string) => Reading;

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const NATURAL = /^(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Matches control characters. Databases reject NUL, and names and search terms contain no control characters. */
const CONTROL_CHARACTER = /\p{Cc}/u;
/** Bounds of GraphQL's Int. */
export const MAX_INT = 2_147_483_647;
export const MIN_INT = -2_147_483_648;

/**
 * Compiles the strict reader of a leaf type. It accepts only numbers in JSON syntax, and only `true` and `false` as Booleans.
 *
 * @param isInteger whether an ID is written as an integer
 */
export function compileTextReader(type: GraphQLInputType, isInteger: boolean): TextReader {
  const leaf = isNonNullType(type) ? type.ofType : type;
  if (isEnumType(leaf)) return compileEnumReader(leaf.getValues().map(({ name }) => name));
  if (!isScalarType(leaf)) throw new Error('Only leaf types are read from text.');
  if (isInteger) return readIntegerId;
  switch (leaf.name) {
    case 'Int':
      return readInt;
    case 'Float':
      return readFloat;
    case 'Boolean':
      return readBoolean;
    case 'ID':
      return (text) => (text === '' ? { issue: 'must not be empty' } : readText(text));
    case 'String':
      return readText;
    default:
      return (text) => {
        try {
          leaf.parseValue(text);
          return { value: text };
        } catch {
          return { issue: 'is not valid' };
        }
      };
  }
}

function compileEnumReader(names: readonly string[]): TextReader {
  const known = new Set(names);
  const issue = `must be one of ${names.join(', ')}`;
  return (text) => (known.has(text) ? { value: text } : { issue });
}

function readText(text: string): Reading {
  return CONTROL_CHARACTER.test(text) ? { issue: 'must not contain control characters' } : { value: text };
}

function readIntegerId(text: string): Reading {
  return NATURAL.test(text) && Number(text) <= MAX_INTEGER_ID ? { value: text } : { issue: 'must be an integer' };
}

function readInt(text: string): Reading {
  const value = Number(text);
  return INTEGER.test(text) && value >= MIN_INT && value <= MAX_INT
    ? { value }
    : { issue: `must be an integer from ${MIN_INT} to ${MAX_INT}` };
}

function readFloat(text: string): Reading {
  const value = Number(text);
  return NUMBER.test(text) && Number.isFinite(value) ? { value } : { issue: 'must be a number' };
}

function readBoolean(text: string): Reading {
  return text === 'true' || text === 'false' ? { value: text === 'true' } : { issue: 'must be true or false' };
}
