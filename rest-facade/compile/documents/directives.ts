import {
  type ASTNode,
  buildASTSchema,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type DirectiveNode,
  getDirectiveValues,
  type GraphQLDirective,
  GraphQLSchema,
  Kind,
  parse,
} from 'graphql';
import type { BodyLimit } from '../bindings/body-limits.ts';

/**
 * What a REST document may say about its operation. Each directive says one thing and there is one way to say it:
 * what follows from the operation itself (a required header from `!`, a full replacement from PUT) is not repeated.
 */
export const REST_DIRECTIVES_SDL = /* GraphQL */ `
enum RestMethod { GET POST PUT PATCH DELETE }
enum RestShape { RESOURCE PAGE LIST NONE }
enum RestPageRole { SIZE OFFSET CURSOR }

"""
The operation answers this method on this path. \`location\` is the path of what was created, with fields of the result in
braces. \`signedIn\`: callers without credentials get 401 before anything they sent is looked at. It is there from version
\`since\` to version \`until\`, to the newest where that is not said. \`deprecated\` and \`sunset\` are dates, or instants in UTC: from when on
it should not be used, and from when on it answers 410.
"""
directive @endpoint(method: RestMethod!, path: String!, status: Int! = 200, location: String, signedIn: Boolean! = false, since: Int! = 1, until: Int, deprecated: String, sunset: String) repeatable on QUERY | MUTATION | SUBSCRIPTION
"The variable is read from a parameter of the path, or of the query string, or from a header."
directive @in(path: String, query: String, header: String) on VARIABLE_DEFINITION
"An ID that REST writes as a JSON integer."
directive @integer on VARIABLE_DEFINITION | FIELD
"A field of an input, and what clients call it."
input RestBodyName { field: String!, as: String! }
"""
What a field of an input takes of all that its type takes; of a list, each of its values. \`notNull\`: it may be left out and not be null.
Characters are counted as Unicode has them; \`notBlank\` is text with more in it than white space, and without NUL. \`format\` is told to readers,
and checked by the graph alone.
"""
input RestBodyLimit {
  field: String!
  notNull: Boolean! = false
  notBlank: Boolean! = false
  minLength: Int
  maxLength: Int
  format: String
  values: [String!]
  minimum: Float
  maximum: Float
  decimals: Int
  minItems: Int
  maxItems: Int
  uniqueItems: Boolean! = false
}
"""
The variable is the JSON body; \`integers\` are its fields of type ID that are JSON integers, \`names\` those that clients call otherwise, \`limits\`
those that take less than their types do. By PUT, what the body leaves out becomes null or its default.
"""
directive @body(integers: [String!]! = [], names: [RestBodyName!]! = [], limits: [RestBodyLimit!]! = []) on VARIABLE_DEFINITION
"The variable takes part in pagination: parameters page, size, limit, first and after."
directive @page(role: RestPageRole!) on VARIABLE_DEFINITION
"The variable is the parameter sort; \`allow\` are the keys clients may name, \`default\` holds when they name none."
directive @sort(allow: [String!]!, default: [String!]! = []) on VARIABLE_DEFINITION
"The variable is the header Idempotency-Key; required when its type is."
directive @idempotencyKey on VARIABLE_DEFINITION
"""
What the answer shows: an object; a page of a connection; a list, bare, with what is told of it in headers; or nothing, where null and false are 404.
"""
directive @result(shape: RestShape! = RESOURCE) on FIELD
"""
Where one can go from the object: \`href\` is the path of an endpoint, with fields of the object in braces. The link is shown to callers who
may use that endpoint. With \`if\` it is shown while that field has one of the values \`in\`, or without \`in\` while the field is not null; the field
may be one of an object behind this one, as \`product.id\`. With \`owner\` it is shown to the caller whose id is in that field, and to callers who may
use the endpoint whoever owns the object.
"""
directive @link(rel: String!, href: String!, method: RestMethod! = GET, if: String, in: [String!], owner: String) repeatable on FRAGMENT_DEFINITION | FIELD
"Failures that belong to the business: a list of field, message and code."
directive @userErrors on FIELD
"""
The version of the resource, from which entity tags are made: another one whenever something changes of what its subgraph holds of the
object, but for the fields \`except\`. \`whole\`: another one whenever anything changes that the answer shows.
"""
directive @version(whole: Boolean! = false, except: [String!]! = []) on FIELD
"When the resource was last changed: the header Last-Modified."
directive @lastModified on FIELD
"Selected and shown only where \`fields\` names it, or a part of it."
directive @onDemand on FIELD
"Where it cannot be had, the answer is given without it, and says so: null, and nobody keeps it."
directive @tolerated on FIELD
"Selected, and not shown."
directive @hide on FIELD
"Shown as one of the fields of the result, beside which it stands. A plain value of what a mutation gives back."
directive @beside on FIELD
"""
The variable takes the version that the header If-Match expects; null where it expects none. The operation compares it when it writes.
\`required\`: without a precondition the answer is 428.
"""
directive @ifMatch(required: Boolean! = false) on VARIABLE_DEFINITION
"Nobody keeps the answer, not even whoever asked for it."
directive @noStore on QUERY | MUTATION
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

type Annotated = ASTNode & { readonly directives?: readonly DirectiveNode[] };

/** One use of one of our directives, with its arguments coerced and defaulted. */
export interface DirectiveUse<T> {
  readonly node: DirectiveNode;
  readonly values: T;
}

/** Arguments as our SDL declares them: validation has passed, so they have these types. */
export interface DirectiveArguments {
  readonly endpoint: {
    readonly method: RestMethod;
    readonly path: string;
    readonly status: number;
    readonly location?: string | null;
    readonly signedIn: boolean;
    readonly since: number;
    readonly until?: number | null;
    readonly deprecated?: string | null;
    readonly sunset?: string | null;
  };
  readonly in: { readonly path?: string | null; readonly query?: string | null; readonly header?: string | null };
  readonly integer: object;
  readonly body: {
    readonly integers: readonly string[];
    readonly names: readonly { readonly field: string; readonly as: string }[];
    readonly limits: readonly BodyLimit[];
  };
  readonly page: { readonly role: 'SIZE' | 'OFFSET' | 'CURSOR' };
  readonly sort: { readonly allow: readonly string[]; readonly default: readonly string[] };
  readonly idempotencyKey: object;
  readonly result: { readonly shape: 'RESOURCE' | 'PAGE' | 'LIST' | 'NONE' };
  readonly link: {
    readonly rel: string;
    readonly href: string;
    readonly method: RestMethod;
    readonly if?: string | null;
    readonly in?: readonly string[] | null;
    readonly owner?: string | null;
  };
  readonly userErrors: object;
  readonly version: { readonly whole: boolean; readonly except: readonly string[] };
  readonly lastModified: object;
  readonly onDemand: object;
  readonly tolerated: object;
  readonly hide: object;
  readonly beside: object;
  readonly ifMatch: { readonly required: boolean };
  readonly noStore: object;
}

/** Methods a document may name; HEAD and OPTIONS follow from them. */
export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** All uses of a directive at a node, in order. */
export function usesOf<N extends keyof DirectiveArguments>(node: Annotated, name: N): readonly DirectiveUse<DirectiveArguments[N]>[] {
  const found = (node.directives ?? []).filter((directive) => directive.name.value === name);
  return found.map((directive) => ({
    node: directive,
    values: getDirectiveValues(restDirective(name), { directives: [directive] }) as DirectiveArguments[N],
  }));
}

/** The use of a directive that is not repeatable. */
export function useOf<N extends keyof DirectiveArguments>(node: Annotated, name: N): DirectiveUse<DirectiveArguments[N]> | undefined {
  return usesOf(node, name)[0];
}
