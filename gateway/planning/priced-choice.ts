import type { SelectionSetNode } from 'graphql';
import type { Position } from './positions.ts';
import type { WantedField } from './wanted-fields.ts';

/** A subgraph to query next, and the fields to fetch from it. */
export interface Choice {
  readonly subgraph: string;
  readonly chosen: readonly WantedField[];
  /** Whether the chosen fields need inputs in addition to a key of the entity, such as those of `@requires`. */
  readonly isRequiring: boolean;
}

/** Fields of a position that are not planned yet. */
export interface OpenFields {
  readonly fields: readonly WantedField[];
  /** Collects the selections inside planned fields. Called only to decide between equal choices. */
  readonly inside: () => ReadonlyMap<Position, readonly SelectionSetNode[]>;
}

/** A choice and its price. */
export interface PricedChoice extends Choice {
  /** Price per field. @unit fetches */
  readonly price: number;
  /** Number of sequential fetches inside the fields. */
  readonly depth: number;
}
