import { type ASTVisitor, GraphQLError, Kind, OperationTypeNode, type ValidationContext, type ValueNode, visit } from 'graphql';
import { argumentOf } from './argument-of.ts';

/**
 * Nothing of an event of a subscription comes later than the rest of it (incremental delivery draft, "Defer And Stream Directives Are Used
 * On Valid Operations"). Where a variable decides, the directive counts for nothing.
 */
export function deferOperationRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return;
      for (const reached of [operation, ...context.getRecursivelyReferencedFragments(operation)]) {
        visit(reached, {
          Directive(node) {
            if (node.name.value !== 'defer' || isOff(argumentOf(node, 'if'))) return;
            context.reportError(new GraphQLError('"@defer" is not supported in subscriptions.', { nodes: node }));
          },
        });
      }
    },
  };
}

function isOff(condition: ValueNode | undefined): boolean {
  return condition?.kind === Kind.VARIABLE || (condition?.kind === Kind.BOOLEAN && !condition.value);
}
