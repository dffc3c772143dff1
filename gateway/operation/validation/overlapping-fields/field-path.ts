import { type GraphQLObjectType, isObjectType } from 'graphql';
import type { PlacedField } from './field-pieces.ts';

/** The value of a key; made, and kept, when it is first asked for. */
export function keptIn<Key, Value>(values: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = make(key);
    values.set(key, value);
  }
  return value;
}

/**
 * The object types of the fields on the way down to a set of selections, from the last one on. Types that are not objects say nothing, and
 * are left out. The same way is the same object.
 */
export interface FieldWay {
  readonly above: FieldWay | undefined;
  /** Undefined where the type may be any. */
  readonly type: GraphQLObjectType | undefined;
  readonly below: Map<GraphQLObjectType | undefined, FieldWay>;
}

export function createWay(above?: FieldWay, type?: GraphQLObjectType): FieldWay {
  return { above, type, below: new Map() };
}

/** The way to what is below a field. */
export function wayBelow(way: FieldWay, { parent }: PlacedField): FieldWay {
  return keptIn(way.below, isObjectType(parent) ? parent : undefined, (type) => createWay(way, type));
}

/** Ways of one length that have two different object types at no level. */
export function canMeet(one: FieldWay, other: FieldWay): boolean {
  let [a, b]: (FieldWay | undefined)[] = [one, other];
  while (a !== undefined && b !== undefined && a !== b) {
    if (a.type !== b.type && a.type !== undefined && b.type !== undefined) return false;
    [a, b] = [a.above, b.above];
  }
  return true;
}
