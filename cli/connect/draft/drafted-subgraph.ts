/** The draft of a subgraph with connectors. */
export interface DraftedSubgraph {
  readonly source: DraftedSource;
  readonly queries: readonly DraftedField[];
  readonly mutations: readonly DraftedField[];
  /** First lines of the file, as comments. */
  readonly preface: readonly string[];
}

/** The `@source` of a draft. */
export interface DraftedSource {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: readonly DraftedHeader[];
  /** Mapping of query parameters that every request has. */
  readonly queryParams?: string;
  /** Comments that explain the credentials. */
  readonly comments: readonly string[];
}

/** A header with its value as a template. */
export interface DraftedHeader {
  readonly name: string;
  readonly value: string;
}

/** An object type, or an input type. */
export interface DraftedObject {
  readonly name: string;
  readonly description?: string;
  readonly fields: DraftedField[];
  /** Key of the entity. */
  key?: DraftedField;
  /** Connector on the type. */
  connector?: DraftedConnector;
  /** Number of fields that a selection of the whole type has. */
  size: number;
}

/** A field of a type, of an input type, or of a root type. */
export interface DraftedField {
  readonly name: string;
  /** Name in JSON. */
  readonly jsonName: string;
  type: FieldType;
  readonly description?: string;
  readonly isDeprecated: boolean;
  readonly arguments: readonly DraftedArgument[];
  /** Default value of an input field, as a literal of GraphQL. */
  readonly fallback?: string;
  readonly connector?: DraftedConnector;
}

/** An argument. */
export interface DraftedArgument {
  readonly name: string;
  readonly type: FieldType;
  readonly description?: string;
  /** Literal of GraphQL. */
  readonly fallback?: string;
}

/** The type of a field or an argument. */
export interface FieldType {
  /** Name of the type. */
  readonly name: string;
  /** The object type, if it is one. */
  readonly object?: DraftedObject;
  readonly enumeration?: DraftedEnum;
  /** Nullability of the value and, for lists, of each level below: `[[Int!]!]` has three elements. */
  readonly levels: readonly Nullability[];
}

export type Nullability = 'nullable' | 'required';

/** An enum type. */
export interface DraftedEnum {
  readonly name: string;
  readonly description?: string;
  readonly values: readonly { readonly name: string; readonly jsonValue: string }[];
}

/** A `@connect`. */
export interface DraftedConnector {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly queryParams?: string;
  readonly headers: readonly DraftedHeader[];
  readonly body?: string;
  /** Path from the response to the value, as written before the selection: `$.data`. Empty if the response is the value. */
  readonly path: string;
  /** Selected type; undefined for scalars and for connectors without a response. */
  readonly object?: DraftedObject;
  /** Selection of a connector without `object`. */
  readonly selection?: string;
  /** Fields of `object` that the selection omits, because they contain the type of the parent. */
  readonly without?: ReadonlySet<DraftedField>;
  readonly isEntity: boolean;
  readonly batchMaxSize?: number;
}

/** Writes a type as in SDL. */
export function typeText({ name, levels }: FieldType): string {
  const [outer, ...inner] = levels;
  const text = inner.length === 0 ? name : `[${typeText({ name, levels: inner })}]`;
  return outer === 'required' ? `${text}!` : text;
}
