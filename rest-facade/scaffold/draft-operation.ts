import { type GraphQLArgument, type GraphQLInputType, getNullableType, isLeafType, isListType, isNonNullType } from 'graphql';

/** One operation of a drafted document. */
export interface DraftedOperation {
  /** Root field: `Query.films`. */
  readonly field: string;
  readonly name: string;
  /** Type of the resource. Operations on one type are in one file. */
  readonly subject: string;
  readonly text: string;
  /** Lines above the operation. */
  readonly comments: readonly string[];
}

/** A root field without a drafted operation. */
export interface OmittedField {
  /** Root field: `Query.version`. */
  readonly field: string;
  /** Reason, as a phrase without a period. */
  readonly reason: string;
}

/** A draft, or the reason why there is none. */
export type RouteDraft = DraftedOperation | OmittedField;

export function isDrafted(draft: RouteDraft): draft is DraftedOperation {
  return 'text' in draft;
}

/** A variable of a draft, and the arguments that receive it. */
export interface DraftedVariable {
  readonly name: string;
  readonly type: string;
  /** Directives that name its source. */
  readonly source: string;
}

/** The parts of an operation. */
export interface DraftParts {
  readonly field: string;
  readonly name: string;
  readonly subject: string;
  readonly method: string;
  readonly path: string;
  readonly variables: readonly DraftedVariable[];
  readonly selection: string;
  /** Further arguments of `@endpoint`. */
  readonly more?: string;
  readonly comments?: readonly string[];
}

export function writeDraft({ variables, method, path, selection, more = '', comments = [], ...about }: DraftParts): DraftedOperation {
  const kind = method === 'GET' ? 'query' : 'mutation';
  const declared = variables.map(({ name, type, source }) => `$${name}: ${type} ${source}`).join('\n  ');
  const head = `${kind} ${about.name}${declared === '' ? '' : `(${declared})`}`;
  return { ...about, comments, text: `${head} @endpoint(method: ${method}, path: "${path}"${more}) { ${selection} }` };
}

/** Writes the arguments of a field. */
export function writeArguments(given: readonly string[]): string {
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

/** Whether the value is a single scalar or enum. */
export function isSingleValue({ type }: Pick<GraphQLArgument, 'type'>): boolean {
  return isLeafType(getNullableType(type));
}

/** Whether the value is a scalar, an enum, or a list of them, so that a query parameter can contain it. */
export function isQueryable({ type }: Pick<GraphQLArgument, 'type'>): boolean {
  const nullable: GraphQLInputType = getNullableType(type);
  return isLeafType(isListType(nullable) ? getNullableType(nullable.ofType) : nullable);
}

/** Returns the type without its outer `!`. */
export function nullableType({ type }: Pick<GraphQLArgument, 'type'>): string {
  return String(isNonNullType(type) ? type.ofType : type);
}

/** Returns a comment about arguments without a variable. */
export function commentOnArguments(args: readonly Pick<GraphQLArgument, 'name'>[]): readonly string[] {
  return args.length === 0 ? [] : [`Arguments without a variable: ${args.map(({ name }) => name).join(', ')}.`];
}
