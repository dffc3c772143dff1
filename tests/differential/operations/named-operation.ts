import type { AcceptedDifference } from '../accepted-differences.ts';

/** One row of the table: an operation with a descriptive name. */
export interface NamedOperation {
  readonly name: string;
  readonly text: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  /** Known difference between the result of the stock gateway and that of a single schema. */
  readonly differs?: AcceptedDifference;
}
