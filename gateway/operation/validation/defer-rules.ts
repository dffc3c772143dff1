import {
  type ASTVisitor,
  type DirectiveNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type ValidationContext,
  type ValueNode,
  visit,
} from 'graphql';
import { argumentOf } from '../executable-directives.ts';

/**
 * Rejects labels of `@defer` that are variables or not unique. Labels identify incremental payloads (incremental delivery draft, "Defer And
 * Stream Directive Labels Are Unique").
 */
export function deferLabelRule(context: ValidationContext): ASTVisitor {
  const known = new Map<string, DirectiveNode>();
  return {
    Directive(node) {
      const label = node.name.value === 'defer' ? argumentOf(node, 'label') : undefined;
      if (label?.kind === Kind.VARIABLE) {
        context.reportError(new GraphQLError('The label of "@defer" must be a literal.', { nodes: node }));
      } else if (label?.kind === Kind.STRING) {
        const other = known.get(label.value);
        if (other === undefined) known.set(label.value, node);
        else context.reportError(new GraphQLError(`The label "${label.value}" of "@defer" must be unique.`, { nodes: [other, node] }));
      }
    },
  };
}

/**
 * Rejects `@defer` in subscriptions (incremental delivery draft, "Defer And Stream Directives Are Used On Valid Operations"). A directive
 * whose condition is a variable is ignored.
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
