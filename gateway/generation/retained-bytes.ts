import type { OperationPlan } from '../planning/operation-plan.ts';

// How much memory what is kept for operations takes, roughly: caches are bounded by it. The factors come from caches that were
// grown by a thousand different operations, and by five thousand texts of one operation, over the reference supergraph.

/** A text with what stands beside it: its operations, aliases, variables and literals. @unit bytes */
export function bytesOfText(text: string): number {
  return BYTES_PER_TEXT + BYTES_PER_CHARACTER * text.length;
}

/** A plan, and what was compiled from it and from its operation. @unit bytes */
export function bytesOfVariant(plan: OperationPlan, operation: string): number {
  return BYTES_PER_VARIANT + BYTES_PER_PLAN_CHARACTER * JSON.stringify(plan).length + BYTES_PER_OPERATION_CHARACTER * operation.length;
}

const BYTES_PER_TEXT = 1_500;
const BYTES_PER_CHARACTER = 8;
const BYTES_PER_VARIANT = 1_000;
const BYTES_PER_PLAN_CHARACTER = 8;
const BYTES_PER_OPERATION_CHARACTER = 44;
