import { type FieldNode, type GraphQLCompositeType, Kind, type SelectionNode, isObjectType } from 'graphql';
import type { Owners } from './guarded-fields.ts';

/** Begins the alias of a field by which an owner is known. No field begins so, and aliases of clients are not taken for data. */
const OWNER_ALIAS = '__owner_';

/** What must be asked for besides, to know owners. By a name of their own: the client's may stand for something else. */
export function ownerFields(owners: Owners, parent: GraphQLCompositeType): readonly SelectionNode[] {
  return [...owners].flatMap(([type, names]): readonly SelectionNode[] => {
    const fields = [...names].map((name) => fieldNamed(name, `${OWNER_ALIAS}${name}`));
    if (isObjectType(parent)) return fields;
    const typeCondition = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } } as const;
    return [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet: { kind: Kind.SELECTION_SET, selections: fields } }];
  });
}

export function fieldNamed(name: string, alias?: string): FieldNode {
  const field: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } };
  return alias === undefined ? field : { ...field, alias: { kind: Kind.NAME, value: alias } };
}
