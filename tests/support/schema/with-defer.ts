import { GraphQLSchema } from 'graphql';
import { addDefer } from '../../../gateway/supergraph/defer-directive.ts';

/** Returns the schema with the directive `@defer`. */
export function withDefer(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), directives: addDefer(schema.getDirectives()), assumeValid: true });
}
