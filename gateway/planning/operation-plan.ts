/**
 * A query plan: the requests to subgraphs, and the locations of their results. It is plain data that can be passed between threads. A plan
 * belongs to one operation and one set of conditions: it contains no `@skip` or `@include` and no fragments that cannot apply.
 *
 * The fetches fill one tree of plain objects. A *data key* identifies a value in it. Equal selections have the same data key, and different
 * selections never do. The requests to subgraphs use data keys as aliases.
 */
export interface OperationPlan {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Fetches, each after its dependencies. Empty if no subgraph needs to be queried. */
  readonly fetches: readonly PlannedFetch[];
  readonly keys: DataKeys;
}

/**
 * Data keys of fields, with which the printer finds their values. See `dataKeyOf`. The root fields of a mutation are an exception. Each
 * response key is a separate effect, even if two fields are equal, so their data keys are the response keys of the (canonical) document.
 */
export interface DataKeys {
  /**
   * Maps a field, as printed by `printFieldKey`, to its data key. A field without arguments, directives and alias has its name as data key.
   */
  readonly withArguments: Readonly<Record<string, string>>;
  /**
   * Suffix of the data key, by `Type.field` of an object type. It applies at or beneath a position whose declared type is an interface or a
   * union. Fields of one name and different types meet there in one selection, and subgraphs reject them under one alias.
   */
  readonly beneathAbstract: Readonly<Record<string, string>>;
}

/** A request to a subgraph. */
export interface PlannedFetch {
  readonly subgraph: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Indices of the fetches whose results are used in the representations, or that must finish before this fetch begins. */
  readonly dependsOn: readonly number[];
  /** GraphQL text of the operation's directives that the subgraph executes, in their order; absent without such directives. */
  readonly directives?: string;
  /** Variables of the client in these directives. */
  readonly variables?: readonly PlanVariable[];
  /** Number of the `@defer` that needs this fetch, starting with 1 in the order of the document; absent if the initial result needs it. */
  readonly deferral?: number;
  /** Selections of the root type. Absent for a fetch of entities. */
  readonly selections?: readonly PlanSelection[];
  /** Path to the objects that receive the result of the root type; absent at the root of the tree. */
  readonly path?: readonly PlanPathStep[];
  /** Entity lookups. Each becomes one `_entities` field of the request, with aliases if there are several. Absent at the root. */
  readonly lookups?: readonly EntityLookup[];
}

/** Objects of the tree that are sent as representations, and the selections for them. */
export interface EntityLookup {
  /**
   * Paths from the root of the tree to the objects. Lists on a path are traversed, and each item is a separate object. Several paths have
   * the same selections; their objects are sent in one list of representations.
   */
  readonly paths: readonly (readonly PlanPathStep[])[];
  /** Representations by object type. The first one that matches is used. Objects without a match are skipped. */
  readonly representations: readonly RepresentationPlan[];
  /** Selections of `_entities`: type conditions at the top level, fields inside them. */
  readonly selections: readonly PlanSelection[];
  /** Values of enclosing objects that are passed to arguments of the selections as variables. */
  readonly contextArguments?: readonly ContextArgument[];
}

export interface PlanPathStep {
  /** Data key of a field. */
  readonly key: string;
  /** Values of `__typename` of the objects to follow; absent if all objects are followed. */
  readonly types?: readonly string[];
}

export interface RepresentationPlan {
  /**
   * Values of `__typename` in the tree. Absent if no check is needed, because the object can have only one type or the type is irrelevant.
   */
  readonly types?: readonly string[];
  /**
   * Value of `__typename` that is sent to the subgraph: the object type, or an interface that the subgraph or the tree treats as an object.
   */
  readonly typename: string;
  /** Fields, in the order in which they are printed. */
  readonly fields: readonly RepresentationField[];
}

/** A field of a representation, from a `@key` or `@requires`. */
export interface RepresentationField {
  /** Name of the field in the subgraph. */
  readonly name: string;
  /** Data key of the field in the tree. */
  readonly key: string;
  /** Fields of the object, or of each object of a list. Absent for leaves, which are copied. */
  readonly fields?: readonly RepresentationField[];
  /** Values of `__typename` of the parent objects for which the field is sent; absent if it is always sent. */
  readonly types?: readonly string[];
  /**
   * Data keys of the selected fields that require this one. Only present at the top level of a representation. If the value is missing
   * because it failed (null is not missing), it is omitted, these fields fail regardless of the subgraph's response, and the others do not.
   * Absent if nothing can be fetched without it.
   */
  readonly for?: readonly string[];
}

export interface ContextArgument {
  /** Name of the variable, distinct from the client's names. Several lookups of a request can use it, each with separate values. */
  readonly variable: string;
  /** Type of the variable in the request. */
  readonly type: string;
  /** Number of steps of the lookup's only path that lead to the object with the value; 0 is the root. */
  readonly depth: number;
  /**
   * Path from the objects of the lookup to the field that takes the argument. If the value failed, only this field fails. Absent if nothing
   * of the lookup can be fetched without the value.
   */
  readonly target?: readonly PlanPathStep[];
  /** Paths from that object to the value, by object type. The first one that matches is used. */
  readonly sources: readonly { readonly types?: readonly string[]; readonly path: readonly string[] }[];
}

export type PlanSelection = PlanField | PlanFragment;

export interface PlanField {
  readonly kind: 'field';
  readonly name: string;
  /** Response key in the subgraph's response, and data key in the tree. */
  readonly key: string;
  /** GraphQL text of the arguments, including parentheses; absent without arguments. */
  readonly arguments?: string;
  /** GraphQL text of the client's directives that the subgraph executes, in their order; absent without such directives. */
  readonly directives?: string;
  /** Variables of the client in arguments and directives, with the types that the operation declares. */
  readonly variables?: readonly PlanVariable[];
  /**
   * Selections of the field. Absent for leaves, never empty. Fields of several types can share one array at several depths. Code that
   * visits the selections of a plan must visit each array once, or its time is exponential in the depth.
   */
  readonly selections?: readonly PlanSelection[];
  /** Named type of the value in the subgraph; absent for leaves. */
  readonly valueType?: string;
}

export interface PlanVariable {
  readonly name: string;
  /** Type as the request declares it, with the client's default and directives: `Int = 5`. */
  readonly type: string;
}

export interface PlanFragment {
  readonly kind: 'fragment';
  /** Type condition, with the name that the subgraph uses. */
  readonly type: string;
  /** Selections of the fragment. Never empty. */
  readonly selections: readonly PlanSelection[];
}
