import type { Position, Presence } from './positions.ts';
import type { WantedField } from './wanted-fields.ts';

/** A field with selections, and the subgraph that resolves it. */
export interface Enclosing {
  /** Position that has the field. */
  readonly part: Position;
  readonly presence: Presence & { readonly given?: readonly string[] };
  readonly wanted: WantedField;
  readonly key: string;
}
