import type { DataKey } from '../data/own-properties.ts';

/** A plan compiled for execution: constant request text is already printed, and everything else is a list to iterate over. */
export interface CompiledPlan {
  readonly fetches: readonly CompiledFetch[];
  /** Number of groups of shared paths. Within a group, equal objects become one object. */
  readonly sharedPathCount: number;
}

export interface CompiledFetch {
  /** Index in the plan. Errors are reported in this order. */
  readonly index: number;
  readonly subgraph: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Number of the `@defer` that needs this fetch; 0 when the initial response needs it. */
  readonly deferral: number;
  /** Number of fetches that must be complete before this one starts. */
  readonly waitsFor: number;
  /** Indices of the fetches that wait for this one. */
  readonly dependents: readonly number[];
  readonly request: CompiledRequest;
}

export interface CompiledRequest {
  readonly texts: RequestTexts;
  /** Selection on the root type; absent when the request fetches entities. */
  readonly root: RootResponse | undefined;
  /** The `_entities` fields; empty when the request selects from the root type. */
  readonly entities: readonly EntityField[];
  /** Present when arguments of an `_entities` field take their values from enclosing objects. Such fields are repeated within a request. */
  readonly copies: RequestCopies | undefined;
}

/** A request as JSON text, up to and including the brace that opens the variables. */
export interface RequestText {
  readonly prefix: string;
  /** Names of the client variables that the request uses. */
  readonly variables: readonly string[];
}

export interface RequestTexts {
  readonly whole: RequestText;
  /** Returns the request reduced to the `_entities` fields at these positions. */
  segmentOf(positions: readonly number[]): RequestText;
}

/** Prints requests that repeat `_entities` fields. Each copy has different values for its context arguments. */
export interface RequestCopies {
  /** Returns the suffix for the names of a copy. The suffix of the first copy is empty. */
  suffixOf(copy: number): string;
  /** Prints the request with these copies. */
  print(copies: readonly FieldCopy[]): RequestText;
  /** Length of one copy in the request text. @unit characters */
  lengthOf(position: number): number;
}

/** One copy of an `_entities` field. */
export interface FieldCopy {
  /** Index of the field in `CompiledRequest.entities`. */
  readonly position: number;
  readonly suffix: string;
}

/** Fields to read from a subgraph result and to merge into each of its target objects. */
export interface ResponsePlan {
  readonly fields: readonly MergeField[];
  /** Data keys of `fields`. */
  readonly keys: readonly DataKey[];
  /** Paths inside the result at which equal objects become one. */
  readonly shared: readonly SharedPath[];
}

/** Selection on the root type. */
export interface RootResponse extends ResponsePlan {
  /** Location of the target objects; undefined when the result is merged into the root of the tree. */
  readonly target: RootTarget | undefined;
}

export interface RootTarget {
  /** Path of the target objects in the plan. Used to locate errors. */
  readonly path: readonly PathStep[];
  readonly walk: EntityWalk;
  /** Whether objects inside the result can be referenced from several positions of the tree at once. */
  readonly isShareable: boolean;
}

/** One `_entities` field of a request. Identical lookups are combined into one field. */
export interface EntityField extends ResponsePlan {
  readonly responseKey: string;
  /** Name of the variable that holds the representations. */
  readonly variableName: string;
  /** JSON text before the first representation: variable name, colon and opening bracket. */
  readonly variable: string;
  /** Variables that take their values from enclosing objects; undefined when the field has no context arguments. */
  readonly context: readonly ContextVariable[] | undefined;
  /** Paths of the target objects in the plan. Used to locate errors. */
  readonly paths: readonly (readonly PathStep[])[];
  /** Walks that find the target objects. Unlike `paths`, they contain no two walks to the same objects. */
  readonly walks: readonly EntityWalk[];
  /** Representations to choose from. The first one whose types match the object is used. */
  readonly representations: readonly CompiledRepresentation[];
  /** Whether objects inside an entity can be referenced from several positions of the tree at once. */
  readonly isShareable: boolean;
}

export interface EntityWalk {
  /** Number of the shared path where the walk starts; -1 for the root of the tree. */
  readonly start: number;
  /** Required `__typename` of the start objects. */
  readonly startTypes: ReadonlySet<string> | undefined;
  readonly steps: readonly PathStep[];
}

export interface PathStep {
  readonly key: DataKey;
  /** Required `__typename` of the object that the step leads to; undefined when all types match. */
  readonly types: ReadonlySet<string> | undefined;
}

/** A field that a fetch selects, with the data needed to merge it into the tree. */
export interface MergeField {
  readonly key: DataKey;
  /** Inner fields. Undefined for a leaf, which is copied unchanged, because the value of a custom scalar can itself be an object. */
  readonly fields: readonly MergeField[] | undefined;
  /** Defined for `__typename`: whether the name is that of an interface, which is less specific than the name of an implementation. */
  readonly saysLess: ((typename: unknown) => boolean) | undefined;
}

export interface CompiledRepresentation {
  readonly types: ReadonlySet<string> | undefined;
  /** JSON text before the first field. */
  readonly prefix: string;
  /**
   * Present when the representation has exactly one field and that field is a leaf. Its value then identifies the representation. `prefix`
   * is the JSON text before the value, and `name` the name of the field in the subgraph.
   */
  readonly single: { readonly key: DataKey; readonly prefix: string; readonly typename: string; readonly name: string } | undefined;
  readonly fields: readonly RepresentedField[];
}

export interface RepresentedField {
  /** JSON text before the value: comma where needed, key and colon. */
  readonly prefix: string;
  readonly key: DataKey;
  readonly fields: readonly RepresentedField[] | undefined;
  readonly types: ReadonlySet<string> | undefined;
  /** Keys of the fields that cannot be fetched without this field; undefined when no field can be fetched without it. */
  readonly neededBy: readonly DataKey[] | undefined;
}

/** A path inside a subgraph result at which equal objects become one. See `findSharedPaths`. */
export interface SharedPath {
  readonly index: number;
  /** Steps from the entity or the root object of the result. */
  readonly steps: readonly PathStep[];
  /** Keys of the leaf values that identify the object together with `__typename`. */
  readonly leaves: readonly DataKey[];
}

/** A variable that takes its value from an enclosing object. */
export interface ContextVariable {
  readonly name: string;
  readonly depth: number;
  /** Path from the objects of the field to the field that fails with the value; undefined when all fields fail. */
  readonly target: readonly PathStep[] | undefined;
  readonly sources: readonly { readonly types: ReadonlySet<string> | undefined; readonly path: readonly DataKey[] }[];
}
