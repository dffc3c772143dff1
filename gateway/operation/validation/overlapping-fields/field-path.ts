import { type GraphQLObjectType, isObjectType } from 'graphql';
import type { FieldAtPath } from './field-pieces.ts';

/** Returns the value of a key. Creates and stores it on first use. */
export function getOrCreate<Key, Value>(values: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
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
export interface FieldPath {
  readonly above: FieldPath | undefined;
  /** Object type; undefined if the type can be any. */
  readonly type: GraphQLObjectType | undefined;
  readonly below: Map<GraphQLObjectType | undefined, FieldPath>;
}

export function createFieldPath(above?: FieldPath, type?: GraphQLObjectType): FieldPath {
  return { above, type, below: new Map() };
}

/** Returns the path below a field. */
export function pathBelow(path: FieldPath, { parent }: FieldAtPath): FieldPath {
  return getOrCreate(path.below, isObjectType(parent) ? parent : undefined, (type) => createFieldPath(path, type));
}

/** Whether two paths of equal length can apply to the same object: they have two different object types at no level. */
export function canMeet(one: FieldPath, other: FieldPath): boolean {
  let [a, b]: (FieldPath | undefined)[] = [one, other];
  while (a !== undefined && b !== undefined && a !== b) {
    if (a.type !== b.type && a.type !== undefined && b.type !== undefined) return false;
    [a, b] = [a.above, b.above];
  }
  return true;
}
