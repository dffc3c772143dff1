import { Kind, type TypeNode } from 'graphql';

/** Returns the name of a type without its lists and non-null markers. */
export function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
