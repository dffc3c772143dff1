import { type GraphQLObjectType, isObjectType } from 'graphql';
import type { PlacedField } from './field-pieces.ts';

/** Returns the value of a key. Creates and stores it on first use. */
export function keptIn<Key, Value>(values: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = make(key);
    values.set(key, value);
  }
  return value;
}

/**
 * Object types of the parent fields of a selection set, starting with the innermost one. Types that are not objects are omitted, because
 * they exclude nothing. Equal paths are the same object.
 */
export interface FieldWay {
  readonly above: FieldWay | undefined;
  /** Object type; undefined if the type can be any. */
  readonly type: GraphQLObjectType | undefined;
  readonly below: Map<GraphQLObjectType | undefined, FieldWay>;
}

export function createWay(above?: FieldWay, type?: GraphQLObjectType): FieldWay {
  return { above, type, below: new Map() };
}

/** Returns the path below a field. */
export function wayBelow(way: FieldWay, { parent }: PlacedField): FieldWay {
  return keptIn(way.below, isObjectType(parent) ? parent : undefined, (type) => createWay(way, type));
}

/** Whether two paths of equal length can apply to the same object: they have two different object types at no level. */
export function canMeet(one: FieldWay, other: FieldWay): boolean {
  let [a, b]: (FieldWay | undefined)[] = [one, other];
  while (a !== undefined && b !== undefined && a !== b) {
    if (a.type !== b.type && a.type !== undefined && b.type !== undefined) return false;
    [a, b] = [a.above, b.above];
  }
  return true;
}
