import type { SelectionBuilder } from './selection-builder.ts';

/** Selections of one plan that a subgraph resolves completely. */
export interface WholeSelections {
  /** Selection builders by subgraph, type and selection sets; undefined if the types of a field differ too much. */
  readonly builders: Map<string, SelectionBuilder | undefined>;
  /** Possible public object types by subgraph and type. */
  readonly types: Map<string, readonly string[]>;
  /** Types of a list to which a condition applies; the list itself if it applies to all. */
  readonly narrowed: Map<readonly string[], Map<string, readonly string[]>>;
  /** Declared types of fields, by the types that have the fields, and by subgraph and name; undefined if they differ. */
  readonly fieldTypes: Map<readonly string[], Map<string, string | undefined>>;
}

export function createWholeSelections(): WholeSelections {
  return { builders: new Map(), types: new Map(), narrowed: new Map(), fieldTypes: new Map() };
}
