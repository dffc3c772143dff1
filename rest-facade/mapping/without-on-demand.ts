import { Kind, type OperationDefinitionNode, visit } from 'graphql';
import { useOf } from './directive-values.ts';
import { withUsedVariables } from './prune-operation.ts';

/** The operation of those who do not ask for what is there on demand. */
export function withoutOnDemand(operation: OperationDefinitionNode): OperationDefinitionNode {
  const without: OperationDefinitionNode = visit(operation, {
    [Kind.FIELD]: (node) => (useOf(node, 'onDemand') === undefined ? undefined : null),
    [Kind.INLINE_FRAGMENT]: { leave: (node) => (node.selectionSet.selections.length === 0 ? null : undefined) },
  });
  return withUsedVariables(without);
}
