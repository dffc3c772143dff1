import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { labelOfType } from './labeled-entries.ts';

/** Returns the labels of the data that a mutation may have changed. */
export type WrittenLabelsOf = (mutation: DocumentNode) => readonly string[];

/**
 * Finds the types that a mutation may have changed: the types of all selected objects, and of all fields of its payloads, selected or not.
 * Types with a list of one of them, such as connections, are included, because their members and counts change as well.
 */
export function createWrittenLabels(schema: GraphQLSchema): WrittenLabelsOf {
  let owners: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return (mutation) => {
    owners ??= ownersOfLists(schema);
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
    for (const type of changed) for (const owner of owners.get(type) ?? []) types.add(owner);
    return [...types].map(labelOfType);
  };
}

function namesOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly string[] {
  return isAbstractType(type) ? [type.name, ...schema.getPossibleTypes(type).map(({ name }) => name)] : [type.name];
}

/** Returns the types that have a list of a type, or a list of edges to it, by that type. Root types have no labels. */
function ownersOfLists(schema: GraphQLSchema): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>();
  const note = (member: GraphQLNamedType, owner: string): void => {
    for (const name of namesOf(schema, member)) owners.set(name, (owners.get(name) ?? new Set()).add(owner));
  };
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const member = getNamedType(field.type);
      if (!isCompositeType(member) || !isList(field.type)) continue;
      note(member, type.name);
      if (isObjectType(member) && 'node' in member.getFields()) {
        const node = member.getFields()['node'];
        if (node !== undefined) note(getNamedType(node.type), type.name);
      }
    }
  }
  return owners;
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}
