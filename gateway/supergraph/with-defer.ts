import { DirectiveLocation, GraphQLBoolean, GraphQLDirective, GraphQLNonNull, GraphQLSchema, GraphQLString } from 'graphql';

/** `@defer` as the incremental delivery draft of the GraphQL specification defines it (version of 2022-08-24). */
const DEFER = new GraphQLDirective({
  name: 'defer',
  description: 'What the fragment has may come later than the rest of the answer.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true, description: 'Comes with the rest when false.' },
    label: { type: GraphQLString, description: 'Comes along with the fragment, so that it is known again.' },
  },
});

/** The same schema with the directive `@defer`, which no subgraph has to know. */
export function withDefer(schema: GraphQLSchema): GraphQLSchema {
  const others = schema.getDirectives().filter(({ name }) => name !== DEFER.name);
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...others, DEFER], assumeValid: true });
}
