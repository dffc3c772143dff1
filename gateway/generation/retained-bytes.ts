import type { OperationPlan } from '../planning/operation-plan.ts';

// How much memory what is kept for operations takes, roughly: caches are bounded by it. The factors were measured by growing a cache
// of thousands of different operations over the reference supergraph and dividing the heap by what was counted.

/** A text with what stands beside it: its operations, aliases, variables and literals. @unit bytes */
export function bytesOfText(text: string): number {
  return BASE_BYTES + 2 * text.length;
}

/** A plan, and what was compiled from it and from its operation. @unit bytes */
export function bytesOfVariant(plan: OperationPlan, operation: string): number {
  return BASE_BYTES + BYTES_PER_PLAN_CHARACTER * JSON.stringify(plan).length + BYTES_PER_OPERATION_CHARACTER * operation.length;
}

const BASE_BYTES = 1_000;
const BYTES_PER_PLAN_CHARACTER = 6;
const BYTES_PER_OPERATION_CHARACTER = 40;
