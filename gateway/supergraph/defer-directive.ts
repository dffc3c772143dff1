import { DirectiveLocation, GraphQLBoolean, GraphQLDirective, GraphQLNonNull, GraphQLString } from 'graphql';

/** `@defer` as defined by the incremental delivery draft of the GraphQL specification (version of 2022-08-24). */
const DEFER = new GraphQLDirective({
  name: 'defer',
  description: 'Allows the gateway to deliver the fragment after the initial result.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: {
      type: new GraphQLNonNull(GraphQLBoolean),
      defaultValue: true,
      description: 'When false, the fragment is part of the initial result.',
    },
    label: { type: GraphQLString, description: 'Label that is returned with the fragment to identify it.' },
  },
});

/** Adds `@defer`, which subgraphs need not support. It replaces a directive of that name. */
export function addDefer(directives: readonly GraphQLDirective[]): GraphQLDirective[] {
  return [...directives.filter(({ name }) => name !== DEFER.name), DEFER];
}
