/**
 * What is to be asked of whom, and where the answers go: plain data, which crosses to and from the planner's thread. A plan
 * belongs to one operation with its conditions decided: `@skip` and `@include` are gone from it, and so are fragments that
 * cannot apply.
 *
 * The fetches fill one tree of plain objects. A *data key* names a value in it. It follows from what is asked, so
 * that equal questions meet in one place and different ones never do; the subgraphs are asked for data keys as their aliases.
 */
export interface OperationPlan {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Each stands after those that it depends on. Empty when nothing has to be asked of anyone. */
  readonly fetches: readonly PlannedFetch[];
  readonly keys: DataKeys;
}

/**
 * How the printer finds the value of a field. See `dataKeyOf`. The root fields of a mutation are an exception: each response key is
 * an effect of its own, also where two ask for the same, so their data keys are the response keys of the (canonical) document.
 */
export interface DataKeys {
  /** From a question as `printFieldKey` prints it to its data key; a field without arguments, directives and alias has its name. */
  readonly withArguments: Readonly<Record<string, string>>;
  /**
   * What is appended, by `Type.field` of an object type, at or beneath a place whose declared type is an interface or a union: there
   * fields of one name and of different types meet in one selection, which subgraphs refuse under one alias.
   */
  readonly beneathAbstract: Readonly<Record<string, string>>;
}

/** One request to one subgraph. */
export interface PlannedFetch {
  readonly subgraph: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Indices of the fetches of which something goes into its representations, or which must be over before it begins. */
  readonly dependsOn: readonly number[];
  /** GraphQL text of the operation's directives that the subgraph executes, in their order; absent without any. */
  readonly directives?: string;
  /** The client's variables in these directives. */
  readonly variables?: readonly PlanVariable[];
  /** Which `@defer` of the document it is for, from 1 in the order of the document; absent where the first answer needs it. */
  readonly deferral?: number;
  /** What is asked of the root type. Absent when entities are asked for. */
  readonly selections?: readonly PlanSelection[];
  /** Where the objects are that the answer of the root type belongs to, each of them; absent where it is the root of the tree. */
  readonly path?: readonly PlanPathStep[];
  /** Each becomes one `_entities` field of the request, under an alias where there are several. Absent at the root. */
  readonly lookups?: readonly EntityLookup[];
}

/** Objects of the tree that are sent as representations, and what is asked of them. */
export interface EntityLookup {
  /**
   * Each leads from the root of the tree to some of the objects. Lists on the way are passed through, each item is a place of its
   * own. Several where the same is asked in several places: their objects go into one list of representations.
   */
  readonly paths: readonly (readonly PlanPathStep[])[];
  /** How representations are made, by the type of the object: the first that matches. An object that none matches is passed over. */
  readonly representations: readonly RepresentationPlan[];
  /** What `_entities` is asked for: type conditions at the top, fields inside. */
  readonly selections: readonly PlanSelection[];
  /** Values of objects further out that go into arguments of the selections as variables. */
  readonly contextArguments?: readonly ContextArgument[];
}

export interface PlanPathStep {
  /** Data key of a field. */
  readonly key: string;
  /** Only objects go on whose `__typename` is one of these; absent where all do. */
  readonly types?: readonly string[];
}

export interface RepresentationPlan {
  /** Values of `__typename` in the tree; absent when the object needs no look, because it can only be of one type or the type does not matter. */
  readonly types?: readonly string[];
  /** What the subgraph is told as `__typename`: the object type, or an interface that the subgraph or the tree knows as an object. */
  readonly typename: string;
  /** In the order in which they are printed. */
  readonly fields: readonly RepresentationField[];
}

/** One field of a representation: of a `@key`, or of a `@requires`. */
export interface RepresentationField {
  /** As the subgraph knows it. */
  readonly name: string;
  /** Where the tree has it. */
  readonly key: string;
  /** What is inside of an object, or of each object of a list; absent in leaves, which go over as they are. */
  readonly fields?: readonly RepresentationField[];
  /** Only where the object that has this field is of one of these types, by `__typename`; absent where it always is there. */
  readonly types?: readonly string[];
  /**
   * Only at the top of a representation: data keys of the selected fields that cannot be had without this one, because they require it. Where it
   * is missing (it failed; not: it is null), it is left out, those fields have failed whatever the subgraph answers, and the others
   * have not. Absent where nothing can be had without it.
   */
  readonly for?: readonly string[];
}

export interface ContextArgument {
  /** Name of the variable, free of the client's names. Several lookups of a request can have it, each with values of its own. */
  readonly variable: string;
  /** Its type, as the request declares it. */
  readonly type: string;
  /** How many steps of the lookup's path (there is one then) lead to the object with the value; 0 is the root. */
  readonly depth: number;
  /**
   * From the objects of the lookup to the field that takes the argument: it fails where the value failed, and the rest of the
   * lookup does not. Absent where nothing of the lookup can be had without the value.
   */
  readonly target?: readonly PlanPathStep[];
  /** From there to the value, by type of the object: the first that matches. */
  readonly sources: readonly { readonly types?: readonly string[]; readonly path: readonly string[] }[];
}

export type PlanSelection = PlanField | PlanFragment;

export interface PlanField {
  readonly kind: 'field';
  readonly name: string;
  /** Response key in the answer of the subgraph, and data key in the tree. */
  readonly key: string;
  /** GraphQL text from parenthesis to parenthesis; absent without arguments. */
  readonly arguments?: string;
  /** GraphQL text of the client's directives that the subgraph executes, in their order; absent without any. */
  readonly directives?: string;
  /** Names of the client's variables in arguments and directives, and their types as the operation declares them. */
  readonly variables?: readonly PlanVariable[];
  /**
   * Absent in leaves. Never empty. Fields of several types can share one array, at several depths: what visits the selections of a plan has to
   * visit each array once, or needs time exponential in their depth.
   */
  readonly selections?: readonly PlanSelection[];
  /** Named type of the value, as the subgraph knows it; absent in leaves. */
  readonly valueType?: string;
}

export interface PlanVariable {
  readonly name: string;
  /** As the request declares it, with the default and the directives where the client gave them: `Int = 5`. */
  readonly type: string;
}

export interface PlanFragment {
  readonly kind: 'fragment';
  /** Type condition, as the subgraph knows the type. */
  readonly type: string;
  /** Never empty. */
  readonly selections: readonly PlanSelection[];
}
