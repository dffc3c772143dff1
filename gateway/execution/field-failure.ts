import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { readOwn } from './own-properties.ts';

/** What a client is told about one failure: text and code, not yet where. */
export interface FailureCause {
  readonly message: string;
  readonly code: string;
}

/**
 * Stands in the merged data in place of a field that a fetch should have filled and could not. The printer answers null
 * for it and reports its causes where the client sees the field; so the place needs no computing, and a field that the
 * client did not ask for is not mentioned. Without causes the failure was reported elsewhere, and only explains the null.
 */
export class FieldFailure {
  readonly causes: readonly FailureCause[];

  constructor(causes: readonly FailureCause[]) {
    this.causes = causes;
  }
}

/** What stands in place of an answer that does not fit what was asked. */
export function invalidAnswer(): FieldFailure {
  return new FieldFailure([
    { message: 'A subgraph sent an answer that does not fit what it was asked.', code: 'SUBGRAPH_INVALID_RESPONSE' },
  ]);
}

/** What `work` gives; the failure of an invalid answer where values are nested so deeply that it cannot be done. */
export function orFailure<T>(work: () => T): T | FieldFailure {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return invalidAnswer();
    throw error;
  }
}

/** The first failure among what a selection reads from a value, whatever the types; undefined when nothing failed. */
export function findFailure(value: unknown, selections: readonly QueryPlanSelectionNode[]): FieldFailure | undefined {
  if (value instanceof FieldFailure) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return firstOf(value, (item) => findFailure(item, selections));
  return firstOf(selections, (node) =>
    node.kind === 'Field'
      ? findFailure(readOwn(value, node.alias ?? node.name), node.selections ?? [])
      : findFailure(value, node.selections),
  );
}

function firstOf<T>(items: readonly T[], find: (item: T) => FieldFailure | undefined): FieldFailure | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
