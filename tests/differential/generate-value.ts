import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type GraphQLInputObjectType,
} from 'graphql';
import type { Random } from '../support/random/random.ts';

/**
 * Supplies a plausible value by schema coordinate: `Query.user(id:)` for an argument, `OrderFilter.status` for a field of an input type.
 * `undefined` leaves the choice to the generator. The value is in the format that a client sends as JSON.
 */
export type ValueSupplier = (coordinate: string, random: Random) => unknown;

/** Sources of values. */
export interface ValueSource {
  readonly random: Random;
  readonly valueFor: ValueSupplier;
}

/** Generates a value of an input type, as a client would send it in `variables`. */
export function generateValue(source: ValueSource, type: GraphQLInputType, coordinate: string, depth = 0): unknown {
  const { random } = source;
  if (isNonNullType(type)) return generatePresent(source, type.ofType, coordinate, depth);
  if (random.chance(0.12)) return null;
  return generatePresent(source, type, coordinate, depth);
}

function generatePresent(source: ValueSource, type: GraphQLInputType, coordinate: string, depth: number): unknown {
  const supplied = source.valueFor(coordinate, source.random);
  if (supplied !== undefined && supplied !== null) return supplied;
  const { random } = source;
  if (isListType(type)) {
    // A single item is valid for a list of one item (specification, 3.11).
    if (random.chance(0.1)) return generatePresent(source, getNullableType(type.ofType), coordinate, depth + 1);
    const length = depth > 3 ? 0 : random.below(3);
    return Array.from({ length }, () => generateValue(source, type.ofType, coordinate, depth + 1));
  }
  if (isInputObjectType(type)) return generateObject(source, type, depth);
  if (isEnumType(type)) return random.pick(type.getValues()).name;
  return generateScalar(random, type.toString());
}

function generateObject(source: ValueSource, type: GraphQLInputObjectType, depth: number): Record<string, unknown> {
  const fields = Object.values(type.getFields());
  const value: Record<string, unknown> = {};
  if (type.isOneOf) {
    const field = source.random.pick(fields);
    value[field.name] = generatePresent(source, field.type, `${type.name}.${field.name}`, depth + 1);
    return value;
  }
  for (const field of fields) {
    const isWanted = isRequiredInputField(field) || (depth < 3 && source.random.chance(0.4));
    if (isWanted) value[field.name] = generateValue(source, field.type, `${type.name}.${field.name}`, depth + 1);
  }
  return value;
}

function generateScalar(random: Random, name: string): unknown {
  switch (name) {
    case 'Int':
      return random.below(6);
    case 'Float':
      return random.below(40) / 4;
    case 'Boolean':
      return random.chance(0.5);
    case 'ID':
      return random.chance(0.1) ? 1 + random.below(5) : String(1 + random.below(5));
    case 'JSON':
      return random.pick<unknown>([{ path: 'a', deep: [1, { no: null }] }, ['b', [], 2.5], 'c', 7, {}, false]);
    default:
      return random.pick(['a', 'b', 'some text', 'é "quoted"', '']);
  }
}
