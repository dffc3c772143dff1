import type { JsonReader } from '../request/json-reader.ts';
import type { TextReader } from '../request/text-reader.ts';

/** Where each variable of an operation comes from. */
export interface RequestBindings {
  /** In the order of the template. */
  readonly path: readonly PathBinding[];
  readonly query: readonly QueryBinding[];
  readonly headers: readonly HeaderBinding[];
  readonly page?: PageBinding;
  readonly sort?: SortBinding;
  readonly body?: BodyBinding;
  readonly idempotencyKey?: { readonly variable: string; readonly isRequired: boolean };
  readonly ifMatch?: VersionBinding;
  /** Every name the query string may have. */
  readonly parameters: ReadonlySet<string>;
}

export interface PathBinding {
  readonly variable: string;
  readonly name: string;
  readonly read: TextReader;
}

export interface QueryBinding extends PathBinding {
  readonly isRequired: boolean;
  /** Several values: separated by commas, or the parameter repeated. */
  readonly isList: boolean;
}

/** The version that a write expects to find. */
export interface VersionBinding {
  readonly variable: string;
  /** Whether a write without a precondition is refused. */
  readonly isRequired: boolean;
  /** Whether versions are numbers; otherwise they are any text. */
  readonly isInteger: boolean;
  readonly read: TextReader;
}

/** Read from a header, whose name is in lower case. */
export interface HeaderBinding extends PathBinding {
  readonly isRequired: boolean;
}

export interface PageBinding {
  readonly size: string;
  readonly offset?: string;
  readonly cursor?: string;
}

export interface SortBinding {
  readonly variable: string;
  /** What clients write to what the graph calls it. */
  readonly keys: ReadonlyMap<string, string>;
  /** When clients name none; empty where the graph decides. */
  readonly fallback: readonly SortTerm[];
  /** Appended to every order, so that no item stands on two pages; absent where the graph cannot sort by id. */
  readonly tieBreaker?: string;
}

/** One element of the graph's sort argument. */
export interface SortTerm {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

export interface BodyBinding {
  readonly variable: string;
  /** Names of the members that the body takes, as clients write them. */
  readonly members: ReadonlySet<string>;
  readonly read: JsonReader;
}
