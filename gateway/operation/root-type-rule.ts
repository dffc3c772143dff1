import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/**
 * An operation needs a root type to start at (GraphQL, section 6.2). No rule of graphql-js 16 looks at that: without the
 * type it finds no field to object to.
 */
export function rootTypeRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      context.reportError(new GraphQLError(`The schema has no ${PLURAL[node.operation]}.`, { nodes: node }));
    },
  };
}

const PLURAL = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };
