import { type FieldNode, type GraphQLCompositeType, getNamedType, isAbstractType, isCompositeType, isUnionType } from 'graphql';
import { type CollectScope, type CollectedFields, collectFields } from './collect-fields.ts';
import { createSelectionNames } from './shape-table.ts';

/**
 * Whether two selections on values of a type have the same fields at all levels. They can be written differently and in a different order.
 */
export type HaveSameFields = (type: GraphQLCompositeType, one: CollectedFields, other: CollectedFields) => boolean;

/** Compares selections of one operation. The selections inside two fields are compared once for each type. */
export function createFieldComparison(scope: CollectScope): HaveSameFields {
  const nameOf = createSelectionNames();
  const compared = new Map<string, boolean>();

  function haveSameFields(type: GraphQLCompositeType, one: CollectedFields, other: CollectedFields): boolean {
    if (one.size !== other.size) return false;
    for (const [responseKey, nodes] of one) {
      const otherNodes = other.get(responseKey) ?? [];
      if (nodes[0]?.name.value !== otherNodes[0]?.name.value) return false;
      if (!isSameNodes(nodes, otherNodes) && !haveSameInside(typeInside(type, nodes), nodes, otherNodes)) return false;
    }
    return true;
  }

  function haveSameInside(type: GraphQLCompositeType | undefined, nodes: readonly FieldNode[], otherNodes: readonly FieldNode[]): boolean {
    // A response key has one field with equal arguments (GraphQL specification, 5.3.2), so leaf fields are equal.
    if (type === undefined) return true;
    const one = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const other = otherNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const name = `${type.name}${nameOf(one)} |${nameOf(other)}`;
    let isSame = compared.get(name);
    if (isSame === undefined) {
      isSame = [type, ...(isAbstractType(type) ? scope.schema.getPossibleTypes(type) : [])].every((each) =>
        haveSameFields(each, collectFields(scope, each, one), collectFields(scope, each, other)),
      );
      compared.set(name, isSame);
    }
    return isSame;
  }

  return haveSameFields;
}

function isSameNodes(one: readonly FieldNode[], other: readonly FieldNode[]): boolean {
  return one.length === other.length && one.every((node, index) => node === other[index]);
}

function typeInside(type: GraphQLCompositeType, nodes: readonly FieldNode[]): GraphQLCompositeType | undefined {
  const field = isUnionType(type) ? undefined : type.getFields()[nodes[0]?.name.value ?? ''];
  const inside = field && getNamedType(field.type);
  return isCompositeType(inside) ? inside : undefined;
}
