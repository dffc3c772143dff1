import {
  type ASTNode,
  buildASTSchema,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type DirectiveNode,
  getDirectiveValues,
  type GraphQLDirective,
  type GraphQLSchema,
  Kind,
  parse,
} from 'graphql';
import type { BodyLimit } from '../bindings/body-limits.ts';
import { SchemaWithDirectives } from './schema-with-directives.ts';

/**
 * The directives of REST documents. Each directive has one purpose, and nothing that follows from the operation itself is declared (a
 * required header from `!`, a full replacement from PUT).
 */
export const REST_DIRECTIVES_SDL = /* GraphQL */ `
enum RestMethod { GET POST PUT PATCH DELETE }
enum RestShape { RESOURCE PAGE LIST NONE }
enum RestPageRole { SIZE OFFSET CURSOR }

"""
Serves the operation with this method on this path. \`location\` is the path of the created resource, with fields of the result in
braces, and is sent as the header Location. With \`signedIn\`, callers without credentials get 401 before the request is validated.
The endpoint is available from version \`since\` to version \`until\`. Without \`until\`, it stays available in the newest version.
\`deprecated\` is the date, or the instant in UTC, since which the endpoint is deprecated.
\`sunset\` is the date, or the instant in UTC, since which the endpoint responds with 410.
"""
directive @endpoint(method: RestMethod!, path: String!, status: Int! = 200, location: String, signedIn: Boolean! = false, since: Int! = 1, until: Int, deprecated: String, sunset: String) repeatable on QUERY | MUTATION | SUBSCRIPTION
"Reads the variable from a path parameter, a query parameter, or a header. Exactly one of the three arguments is required."
directive @in(path: String, query: String, header: String) on VARIABLE_DEFINITION
"Represents a field or variable of type ID as a JSON integer."
directive @integer on VARIABLE_DEFINITION | FIELD
"Renames a field of the request body: \`field\` is its name in the graph, \`as\` the name that clients send."
input RestBodyName { field: String!, as: String! }
"""
Limits a body field to fewer values than its type allows. \`field\` is its name in the graph, and is omitted with \`@body(field: …)\`.
For a list, the limits apply to each item. \`notNull\` rejects null, but the field may be absent. Lengths are counted in Unicode
characters. \`notBlank\` requires a character other than white space and rejects NUL. \`format\` appears in the API description. The
facade does not check it; the graph does.
"""
input RestBodyLimit {
  field: String
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
Reads the variable from the JSON body. Without \`field\`, the variable is the whole body, and its type is an input object. \`integers\`
lists the fields of type ID that are JSON integers. \`names\` renames fields. With \`field\`, the variable is the field of the body with
this name, and its type can be any input type. An ID that is a JSON integer then has \`@integer\` in addition. \`limits\` restricts the
values of fields. For PUT, an absent field becomes null or its default. For PATCH, an absent field sets no value.
"""
directive @body(field: String, integers: [String!]! = [], names: [RestBodyName!]! = [], limits: [RestBodyLimit!]! = []) on VARIABLE_DEFINITION
"Uses the variable for pagination, which adds the query parameters page, size, limit, first and after."
directive @page(role: RestPageRole!) on VARIABLE_DEFINITION
"Reads the variable from the query parameter sort. \`allow\` lists the allowed keys, \`default\` is the order for requests without sort."
directive @sort(allow: [String!]!, default: [String!]! = []) on VARIABLE_DEFINITION
"Reads the variable from the header Idempotency-Key. The header is required if the type is non-null."
directive @idempotencyKey on VARIABLE_DEFINITION
"""
Marks the field that the response contains. RESOURCE is an object. PAGE is a page of a connection. LIST is a plain array, with
pagination in headers. NONE is an empty response; a result of null or false then responds with 404.
"""
directive @result(shape: RestShape! = RESOURCE) on FIELD
"""
Adds a link to the object. \`href\` is the path of an endpoint, with fields of the object in braces. Only callers who may use that
endpoint see the link. With \`if\`, the link appears while that field has one of the values in \`in\`, or, without \`in\`, while the
field is not null. The field may belong to a nested object, for example \`product.id\`. With \`owner\`, the link appears to the caller
whose id is in that field, and to callers who may use the endpoint for objects of every owner.
"""
directive @link(rel: String!, href: String!, method: RestMethod! = GET, if: String, in: [String!], owner: String) repeatable on FRAGMENT_DEFINITION | FIELD
"""
Marks the list of business errors of a payload. Each entry selects \`message\`, and \`field\` and \`code\` if the graph has them. Fields
with other names have an alias, for example \`field: path\`. The field can be a list of names.
"""
directive @userErrors on FIELD
"""
Marks the version of the resource, from which entity tags are computed. The version must change whenever its subgraph changes the
object, apart from the fields in \`except\`. With \`whole\`, the version changes whenever any part of the response changes.
"""
directive @version(whole: Boolean! = false, except: [String!]! = []) on FIELD
"Marks the time of the last change of the resource, which is sent as the header Last-Modified."
directive @lastModified on FIELD
"Selects the field only if the query parameter \`fields\` names it or a field inside it."
directive @optIn on FIELD
"Tolerates a failure of the field: the response has null for it, reports the failure, and is not cached."
directive @nullOnError on FIELD
"Selects the field without showing it in the response."
directive @internal on FIELD
"Shows the field among the fields of the result. Only for scalar fields of a mutation payload, next to the result."
directive @hoist on FIELD
"""
Reads the expected version from the header If-Match. The variable is null without the header. The operation compares the version when
it writes. With \`required\`, a request without a precondition gets 428.
"""
directive @ifMatch(required: Boolean! = false) on VARIABLE_DEFINITION
"Prevents every cache from storing the response, including the cache of the client."
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

/** Returns the definition of a REST directive. */
export function restDirective(name: string): GraphQLDirective {
  const directive = directives.get(name);
  if (directive === undefined) throw new Error(`@${name} is not a directive of REST documents.`);
  return directive;
}

/** Adds the REST directives to the public schema. They replace directives of the same name. */
export function withRestDirectives(schema: GraphQLSchema): GraphQLSchema {
  const others = schema.getDirectives().filter(({ name }) => !REST_DIRECTIVE_NAMES.has(name));
  return new SchemaWithDirectives(schema, [...others, ...directives.values()]);
}

type Annotated = ASTNode & { readonly directives?: readonly DirectiveNode[] };

/** One use of a REST directive, with coerced arguments and defaults. */
export interface DirectiveUse<T> {
  readonly node: DirectiveNode;
  readonly values: T;
}

/** Types of the directive arguments in `REST_DIRECTIVES_SDL`. Validation ensures that the values have these types. */
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
    readonly field?: string | null;
    readonly integers: readonly string[];
    readonly names: readonly { readonly field: string; readonly as: string }[];
    readonly limits: readonly (Omit<BodyLimit, 'field'> & { readonly field?: string | null })[];
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
  readonly optIn: object;
  readonly nullOnError: object;
  readonly internal: object;
  readonly hoist: object;
  readonly ifMatch: { readonly required: boolean };
  readonly noStore: object;
}

/** Methods that a document may use. HEAD and OPTIONS are derived from them. */
export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Returns all uses of a directive on a node, in order. */
export function usesOf<N extends keyof DirectiveArguments>(node: Annotated, name: N): readonly DirectiveUse<DirectiveArguments[N]>[] {
  const found = (node.directives ?? []).filter((directive) => directive.name.value === name);
  return found.map((directive) => ({
    node: directive,
    values: getDirectiveValues(restDirective(name), { directives: [directive] }) as DirectiveArguments[N],
  }));
}

/** Returns the use of a directive that is not repeatable. */
export function useOf<N extends keyof DirectiveArguments>(node: Annotated, name: N): DirectiveUse<DirectiveArguments[N]> | undefined {
  return usesOf(node, name)[0];
}
