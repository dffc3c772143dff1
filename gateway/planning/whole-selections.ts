import type { SelectionBuilder } from './selection-builder.ts';

/** Selections of one plan that a subgraph resolves with everything inside of them. */
export interface WholeSelections {
  /** By subgraph, type and selection sets; undefined where the types of a field differ too much. */
  readonly builders: Map<string, SelectionBuilder | undefined>;
  /** Public object types that a subgraph knows values of a type can be of, by subgraph and type. */
  readonly types: Map<string, readonly string[]>;
  /** The types of a list to which a condition applies; the list itself where it applies to all. */
  readonly narrowed: Map<readonly string[], Map<string, readonly string[]>>;
  /** Declared types of fields, by the types that have the fields, and by subgraph and name; undefined where they differ. */
  readonly fieldTypes: Map<readonly string[], Map<string, string | undefined>>;
}

export function createWholeSelections(): WholeSelections {
  return { builders: new Map(), types: new Map(), narrowed: new Map(), fieldTypes: new Map() };
}
