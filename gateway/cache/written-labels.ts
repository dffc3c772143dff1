import {
  type DocumentNode,
  GraphQLID,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { namesOf, readListOwners } from '../supergraph/list-owners.ts';
import { EVERYTHING } from './recent-writes.ts';
import { labelOfType } from './labeled-entries.ts';

/** Returns the labels of the data that a mutation may have changed. */
export type WrittenLabelsOf = (mutation: DocumentNode) => readonly string[];

/**
 * Finds the types that a mutation may have changed: the types of all selected objects, and of all fields of its payloads, selected or not.
 * Types with a list of one of them, such as connections, are included, because their members and counts change as well. If no payload
 * contains an object with an id, such as that of a deletion with a Boolean, the mutation can have changed everything.
 *
 * @param listOwners types with lists of a type. @defaultValue they are read from the schema, at the first mutation
 */
export function createWrittenLabels(schema: GraphQLSchema, listOwners?: ReadonlyMap<string, readonly string[]>): WrittenLabelsOf {
  let owners = listOwners;
  return (mutation) => {
    owners ??= readListOwners(schema);
    const types = new Set<string>();
    const add = (type: GraphQLNamedType): void => {
      if (isCompositeType(type)) for (const name of namesOf(schema, type)) types.add(name);
    };
    const info = new TypeInfo(schema);
    visit(
      mutation,
      visitWithTypeInfo(info, {
        [Kind.FIELD]() {
          const type = info.getType();
          if (!type) return;
          const returned = getNamedType(type);
          add(returned);
          if (info.getParentType() !== schema.getMutationType() || !isObjectType(returned)) return;
          for (const field of Object.values(returned.getFields())) add(getNamedType(field.type));
        },
      }),
    );
    const changed = Array.from(types);
    if (!changed.some((name) => hasId(schema.getType(name)))) return [EVERYTHING];
    for (const type of changed) for (const owner of owners.get(type) ?? []) types.add(owner);
    return [...types].map(labelOfType);
  };
}

/** Whether a type identifies its objects. */
function hasId(type: GraphQLNamedType | undefined): boolean {
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  return Object.values(type.getFields()).some((field) => getNamedType(field.type) === GraphQLID);
}
