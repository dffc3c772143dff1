import type { TextReader } from '../request/text-reader.ts';
import type { BodyBinding } from './compile-body-names.ts';
import type { VersionBinding } from './compile-if-match.ts';
import type { PageBinding } from './compile-paging.ts';
import type { SortBinding } from './compile-sort.ts';

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

/** Read from a header, whose name is in lower case. */
export interface HeaderBinding extends PathBinding {
  readonly isRequired: boolean;
}
