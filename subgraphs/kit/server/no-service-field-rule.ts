import { GraphQLError, type ValidationRule } from 'graphql';

/** Rejects `_service`, with which any caller could read the SDL of the subgraph. */
export const noServiceFieldRule: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value !== '_service' || context.getParentType() !== context.getSchema().getQueryType()) return;
    context.reportError(
      new GraphQLError('This service does not serve its SDL.', { nodes: node, extensions: { code: 'INTROSPECTION_DISABLED' } }),
    );
  },
});
