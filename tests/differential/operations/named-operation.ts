import type { AcceptedDifference } from '../accepted-differences.ts';

/** One row of the table: an operation with a name that says what it is about. */
export interface NamedOperation {
  readonly name: string;
  readonly text: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  /** In which way the stock gateway is known to answer this one differently. */
  readonly differs?: AcceptedDifference;
}
