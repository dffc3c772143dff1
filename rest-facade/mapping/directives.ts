import {
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type GraphQLDirective,
  GraphQLSchema,
  Kind,
  buildASTSchema,
  parse,
} from 'graphql';

/**
 * What a REST document may say about its operation. Each directive says one thing and there is one way to say it:
 * what follows from the operation itself (a required header from `!`, a full replacement from PUT) is not repeated.
 */
const REST_DIRECTIVES_SDL = /* GraphQL */ `
enum RestMethod { GET POST PUT PATCH DELETE }
enum RestShape { RESOURCE PAGE }
enum RestPageRole { SIZE OFFSET CURSOR }

"""
The operation answers this method on this path. \`location\` is the path of what was created, with fields of the result in
braces. \`signedIn\`: callers without credentials get 401 before anything they sent is looked at.
"""
directive @endpoint(method: RestMethod!, path: String!, status: Int! = 200, location: String, signedIn: Boolean! = false) repeatable on QUERY | MUTATION
"The variable is read from a parameter of the path, or of the query string."
directive @in(path: String, query: String) on VARIABLE_DEFINITION
"An ID that REST writes as a JSON integer."
directive @integer on VARIABLE_DEFINITION | FIELD
"The variable is the JSON body; \`integers\` are its fields of type ID that are JSON integers. By PUT, what the body leaves out becomes null or its default."
directive @body(integers: [String!]! = []) on VARIABLE_DEFINITION
"The variable takes part in pagination: parameters page, size, limit, first and after."
directive @page(role: RestPageRole!) on VARIABLE_DEFINITION
"The variable is the parameter sort; \`allow\` are the keys clients may name, \`default\` holds when they name none."
directive @sort(allow: [String!]!, default: [String!]! = []) on VARIABLE_DEFINITION
"The variable is the header Idempotency-Key; required when its type is."
directive @idempotencyKey on VARIABLE_DEFINITION
"What the answer shows."
directive @result(shape: RestShape! = RESOURCE) on FIELD
"Failures that belong to the business: a list of field, message and code."
directive @userErrors on FIELD
`;

const definitions: readonly DefinitionNode[] = parse(REST_DIRECTIVES_SDL).definitions;

const isDirective = (definition: DefinitionNode): definition is DirectiveDefinitionNode => definition.kind === Kind.DIRECTIVE_DEFINITION;

/** Names of the directives that are stripped before execution. */
export const REST_DIRECTIVE_NAMES: ReadonlySet<string> = new Set(definitions.filter(isDirective).map(({ name }) => name.value));

const directives: ReadonlyMap<string, GraphQLDirective> = new Map(
  buildASTSchema({ kind: Kind.DOCUMENT, definitions: [...definitions] }, { assumeValidSDL: true })
    .getDirectives()
    .filter(({ name }) => REST_DIRECTIVE_NAMES.has(name))
    .map((directive) => [directive.name, directive]),
);

/** The definition of one of ours. */
export function restDirective(name: string): GraphQLDirective {
  const directive = directives.get(name);
  if (directive === undefined) throw new Error(`@${name} is not a directive of REST documents.`);
  return directive;
}

/** The public schema as REST documents see it: with our directives, which stand above others of the same name. */
export function withRestDirectives(schema: GraphQLSchema): GraphQLSchema {
  const others = schema.getDirectives().filter(({ name }) => !REST_DIRECTIVE_NAMES.has(name));
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...others, ...directives.values()] });
}
