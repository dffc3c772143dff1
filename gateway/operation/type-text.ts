import { Kind, type TypeNode } from 'graphql';

/** A type as documents write it. */
export function typeTextOf(type: TypeNode): string {
  if (type.kind === Kind.NAMED_TYPE) return type.name.value;
  return type.kind === Kind.LIST_TYPE ? `[${typeTextOf(type.type)}]` : `${typeTextOf(type.type)}!`;
}
