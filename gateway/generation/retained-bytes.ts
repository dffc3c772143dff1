import type { OperationPlan } from '../planning/operation-plan.ts';

// How much memory what is kept for operations takes, roughly: caches are bounded by it. The factors come from caches that were
// grown by a thousand different operations, and by five thousand texts of one operation, over the reference supergraph.

/** A text with what stands beside it: its operations, aliases, variables and literals. @unit bytes */
export function bytesOfText(text: string): number {
  return BYTES_PER_TEXT + BYTES_PER_CHARACTER * text.length;
}

/** A plan, and what was compiled from it and from its operation. @unit bytes */
export function bytesOfVariant(plan: OperationPlan, operation: string): number {
  return BYTES_PER_VARIANT + BYTES_PER_PLAN_CHARACTER * lengthOf(plan) + BYTES_PER_OPERATION_CHARACTER * operation.length;
}

/** The length of a plan as text. Selections that several fields share are counted once: they are kept once, and written out they are exponential. */
function lengthOf(plan: OperationPlan): number {
  const seen = new Set<unknown>();
  const once = (_key: string, value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    if (seen.has(value)) return [];
    seen.add(value);
    return value;
  };
  return JSON.stringify(plan, once).length;
}

const BYTES_PER_TEXT = 1_500;
const BYTES_PER_CHARACTER = 8;
const BYTES_PER_VARIANT = 1_000;
const BYTES_PER_PLAN_CHARACTER = 8;
const BYTES_PER_OPERATION_CHARACTER = 44;
