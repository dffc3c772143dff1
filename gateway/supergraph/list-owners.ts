import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Returns the types that have a list of a type, or a list of edges to it, by that type. Root types are not included. */
export function readListOwners(schema: GraphQLSchema): ReadonlyMap<string, readonly string[]> {
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
  return new Map([...owners].map(([name, names]) => [name, [...names]]));
}

/** Returns the name of a type, followed by the names of the object types of an abstract type. */
export function namesOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly string[] {
  return isAbstractType(type) ? [type.name, ...schema.getPossibleTypes(type).map(({ name }) => name)] : [type.name];
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}
