import { type ASTVisitor, type DirectiveNode, GraphQLError, Kind, type ValidationContext } from 'graphql';
import { argumentOf } from './argument-of.ts';

/** Labels tell the parts of an answer apart, so each is a literal and there once (incremental delivery draft, "Defer And Stream Directive Labels Are Unique"). */
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
        else context.reportError(new GraphQLError(`The label "${label.value}" of "@defer" must be there once.`, { nodes: [other, node] }));
      }
    },
  };
}
