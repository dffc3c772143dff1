import { type FieldNode, type GraphQLCompositeType, getNamedType, isAbstractType, isCompositeType, isUnionType } from 'graphql';
import { type CollectScope, type CollectedFields, collectFields } from './collect-fields.ts';

/**
 * Whether two selections on values of a type are answered by the same fields, all the way down. Each may say in more words,
 * and in another order, what the other says.
 */
export function haveSameFields(scope: CollectScope, type: GraphQLCompositeType, one: CollectedFields, other: CollectedFields): boolean {
  if (one.size !== other.size) return false;
  for (const [responseKey, nodes] of one) {
    const otherNodes = other.get(responseKey) ?? [];
    if (nodes[0]?.name.value !== otherNodes[0]?.name.value) return false;
    if (!isSameNodes(nodes, otherNodes) && !haveSameInside(scope, typeInside(type, nodes), [nodes, otherNodes])) return false;
  }
  return true;
}

function isSameNodes(one: readonly FieldNode[], other: readonly FieldNode[]): boolean {
  return one.length === other.length && one.every((node, index) => node === other[index]);
}

function typeInside(type: GraphQLCompositeType, nodes: readonly FieldNode[]): GraphQLCompositeType | undefined {
  const field = isUnionType(type) ? undefined : type.getFields()[nodes[0]?.name.value ?? ''];
  const inside = field && getNamedType(field.type);
  return isCompositeType(inside) ? inside : undefined;
}

function haveSameInside(
  scope: CollectScope,
  type: GraphQLCompositeType | undefined,
  both: readonly [readonly FieldNode[], readonly FieldNode[]],
): boolean {
  // One response key has one field with equal arguments (GraphQL specification, 5.3.2): of leaves there is no more to say.
  if (type === undefined) return true;
  const [one, other] = both.map((nodes) => nodes.flatMap(({ selectionSet }) => selectionSet ?? []));
  return [type, ...(isAbstractType(type) ? scope.schema.getPossibleTypes(type) : [])].every((each) =>
    haveSameFields(scope, each, collectFields(scope, each, one ?? []), collectFields(scope, each, other ?? [])),
  );
}
