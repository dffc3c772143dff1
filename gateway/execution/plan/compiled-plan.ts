import type { DataKey } from '../data/own-properties.ts';

/** A plan, made ready: what is the same in each request is printed, what is not is a list to loop over. */
export interface CompiledPlan {
  readonly fetches: readonly CompiledFetch[];
  /** How many kinds of places there are at which equal objects become one. */
  readonly sharedPlaces: number;
}

export interface CompiledFetch {
  /** Its place in the plan; errors are reported in this order. */
  readonly index: number;
  readonly subgraph: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Number of the `@defer` that it is for; 0 where the first answer needs it. */
  readonly deferral: number;
  /** How many fetches must be over before it begins. */
  readonly waitsFor: number;
  /** Those that wait for it. */
  readonly dependents: readonly number[];
  readonly request: CompiledRequest;
}

export interface CompiledRequest {
  readonly texts: RequestTexts;
  /** What the root type is asked for; absent where entities are. */
  readonly root: RootAnswer | undefined;
  /** The `_entities` fields; empty at the root. */
  readonly entities: readonly EntityField[];
  /** Present when arguments of an `_entities` field come from objects further out: such fields are repeated in a request. */
  readonly copies: RequestCopies | undefined;
}

/** The request as JSON text, up to and including the brace that opens the variables. */
export interface RequestText {
  readonly opening: string;
  /** The client's variables that it uses. */
  readonly variables: readonly string[];
}

export interface RequestTexts {
  readonly whole: RequestText;
  /** The request with some of its `_entities` fields only, by their positions. */
  partOf(positions: readonly number[]): RequestText;
}

/** Prints a request in which `_entities` fields are repeated, each copy with other values of its context arguments. */
export interface RequestCopies {
  /** What is appended to the names of a copy; the first copy keeps the names. */
  suffixOf(copy: number): string;
  /** The request with these copies. */
  print(copies: readonly FieldCopy[]): RequestText;
  /** Length of one copy in the request text. @unit characters */
  lengthOf(position: number): number;
}

/** One copy of an `_entities` field. */
export interface FieldCopy {
  /** Position of the field in `CompiledRequest.entities`. */
  readonly position: number;
  readonly suffix: string;
}

/** What is read from an answer, for each object that it fills. */
export interface AnswerPlan {
  readonly fields: readonly MergeField[];
  /** Data keys of `fields`. */
  readonly keys: readonly DataKey[];
  /** Places in it at which equal objects become one. */
  readonly shared: readonly SharedPlace[];
}

/** What the root type is asked for. */
export interface RootAnswer extends AnswerPlan {
  /** Where the objects are that the answer belongs to; undefined where it is the root of the tree. */
  readonly target: RootTarget | undefined;
}

export interface RootTarget {
  /** As the plan says it; errors are located by it. */
  readonly path: readonly PathStep[];
  readonly walk: EntityWalk;
  /** Whether what is inside of the answer may stand in several places of the tree at once. */
  readonly isShareable: boolean;
}

/** One `_entities` field of a request. Lookups that ask for the same are one. */
export interface EntityField extends AnswerPlan {
  readonly responseKey: string;
  /** Name of the variable that takes the representations. */
  readonly variableName: string;
  /** JSON text up to the first representation: key of the variable, colon, bracket. */
  readonly variable: string;
  /** Variables whose values come from objects around those of the field; undefined where there are none. */
  readonly context: readonly ContextVariable[] | undefined;
  /** Where its objects stand, as the plan says it; errors are located by them. */
  readonly paths: readonly (readonly PathStep[])[];
  /** How its objects are found: the same without what would find an object again. */
  readonly walks: readonly EntityWalk[];
  /** How representations are made: the first whose types fit. */
  readonly representations: readonly CompiledRepresentation[];
  /** Whether what is inside of an answer may stand in several places of the tree at once. */
  readonly isShareable: boolean;
}

export interface EntityWalk {
  /** The shared objects to begin with, by the number of their place; -1 at the root of the tree. */
  readonly start: number;
  /** What these must be of, by `__typename`. */
  readonly startTypes: ReadonlySet<string> | undefined;
  readonly steps: readonly PathStep[];
}

export interface PathStep {
  readonly key: DataKey;
  /** What the object that it leads to must be of, by `__typename`; undefined where all go on. */
  readonly types: ReadonlySet<string> | undefined;
}

/** A field that a fetch asks for, as it is merged into the tree. */
export interface MergeField {
  readonly key: DataKey;
  /** Undefined in a leaf, which is taken as it is: a free-form scalar may look like an object and is none. */
  readonly fields: readonly MergeField[] | undefined;
  /** Of `__typename`: whether it is the name of an interface, which says less than the name of an implementation. */
  readonly saysLess: ((typename: unknown) => boolean) | undefined;
}

export interface CompiledRepresentation {
  readonly types: ReadonlySet<string> | undefined;
  /** JSON text up to the first field. */
  readonly opening: string;
  /** Present when there is one field, a leaf: its value tells representations apart. The text goes up to the value. */
  readonly single: { readonly key: DataKey; readonly opening: string } | undefined;
  readonly fields: readonly RepresentedField[];
}

export interface RepresentedField {
  /** Comma where needed, key, colon. */
  readonly opening: string;
  readonly key: DataKey;
  readonly fields: readonly RepresentedField[] | undefined;
  readonly types: ReadonlySet<string> | undefined;
  /** What cannot be had without it, all else can; undefined where nothing can be had without it. */
  readonly neededBy: readonly DataKey[] | undefined;
}

/** Where objects stand, inside of an answer, of which equal ones become one. See `findSharedPlaces`. */
export interface SharedPlace {
  readonly place: number;
  /** From the object that is answered about. */
  readonly steps: readonly PathStep[];
  /** What tells them apart, beside `__typename`: all that is known of them. */
  readonly leaves: readonly DataKey[];
}

/** A variable whose value comes from objects further out. */
export interface ContextVariable {
  readonly name: string;
  readonly depth: number;
  /** From the objects of the field to what fails with the value; undefined where all fails. */
  readonly target: readonly PathStep[] | undefined;
  readonly sources: readonly { readonly types: ReadonlySet<string> | undefined; readonly path: readonly DataKey[] }[];
}
