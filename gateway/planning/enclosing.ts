import type { Place, Presence } from './places.ts';
import type { WantedField } from './wanted-fields.ts';

/** A field with something inside, and the subgraph that is asked for it. */
export interface Enclosing {
  /** Whose field it is. */
  readonly part: Place;
  readonly presence: Presence & { readonly given?: readonly string[] };
  readonly wanted: WantedField;
  readonly key: string;
}
