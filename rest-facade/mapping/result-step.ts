import type { FieldNode, GraphQLField, GraphQLObjectType } from 'graphql';

/** A field on the way from the root to the result. */
export interface Step {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parent: GraphQLObjectType;
}
