import { GraphQLError, type ValidationRule } from 'graphql';

/** Refuses `_service`, by which anybody could read the SDL of the subgraph. */
export const noServiceFieldRule: ValidationRule = (context) => ({
  Field(node) {
    if (node.name.value !== '_service' || context.getParentType() !== context.getSchema().getQueryType()) return;
    context.reportError(new GraphQLError('The SDL is not served here.', { nodes: node, extensions: { code: 'INTROSPECTION_DISABLED' } }));
  },
});
