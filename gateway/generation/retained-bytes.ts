import type { OperationPlan } from '../planning/operation-plan.ts';

// Estimates of the memory that cached operations retain. The limits of the caches are based on them. The factors of variants were measured
// with the reference supergraph and with generated graphs of 50 subgraphs. The operations were small, medium and large, with and without
// conditions. tests/regressions/independent-suites/24-cached-operations.test.ts compares the estimates with the heap.

/** Estimates the memory of a cached document and its used operations. @unit bytes */
export function bytesOfDocument(text: string, operations: Iterable<UsedText>): number {
  let bytes = BYTES_PER_TEXT + BYTES_PER_CHARACTER * text.length;
  for (const { canonicalText, isAliased } of operations) {
    // Texts that still refer to an evicted operation retain it without its variants.
    bytes +=
      BYTES_PER_USED_TEXT +
      bytesOfOperation(canonicalText) +
      (isAliased ? BYTES_PER_ALIASED_CHARACTER : BYTES_PER_CHARACTER) * canonicalText.length;
  }
  return bytes;
}

/** Size data of an operation of a document. */
export interface UsedText {
  readonly canonicalText: string;
  /** Whether the client's response keys differ from the canonical ones. The printer then caches texts for them. */
  readonly isAliased: boolean;
}

/** Estimates the memory that all variants of an operation share: cost, cache policy and authorization. @unit bytes */
export function bytesOfOperation(canonicalText: string): number {
  return BYTES_PER_OPERATION + BYTES_PER_SHARED_CHARACTER * canonicalText.length;
}

/** Estimates the memory of a plan and of the data compiled from it and from its operation. @unit bytes */
export function bytesOfVariant(plan: OperationPlan, operation: string): number {
  return BYTES_PER_VARIANT + BYTES_PER_PLAN_CHARACTER * lengthOf(plan) + BYTES_PER_OPERATION_CHARACTER * operation.length;
}

/**
 * Estimates the memory of response shapes that were compiled when values of their types arrived.
 *
 * @param fields Total number of fields.
 * @unit bytes
 */
export function bytesOfShapes(fields: number): number {
  return BYTES_PER_FIELD_SHAPE * fields;
}

/**
 * Returns the approximate length of a plan as JSON. Arrays that several fields share are counted once, because their repeated text would
 * grow exponentially.
 */
function lengthOf(plan: OperationPlan): number {
  const seen = new Set<readonly unknown[]>();
  const count = (value: unknown): number => {
    if (typeof value === 'string') return value.length + QUOTES_AND_COMMA;
    if (Array.isArray(value)) {
      if (seen.has(value)) return QUOTES_AND_COMMA;
      seen.add(value);
      return value.reduce<number>((length, item) => length + count(item), QUOTES_AND_COMMA);
    }
    if (typeof value !== 'object' || value === null) return LENGTH_OF_OTHERS;
    let length = QUOTES_AND_COMMA;
    for (const [key, member] of Object.entries(value)) if (member !== undefined) length += key.length + QUOTES_AND_COMMA + count(member);
    return length;
  };
  return count(plan);
}

/** Length of the punctuation of a text, a list, an object or a key. */
const QUOTES_AND_COMMA = 3;
/** Length of a number, a boolean or null. */
const LENGTH_OF_OTHERS = 5;

const BYTES_PER_TEXT = 1_000;
const BYTES_PER_USED_TEXT = 2_500;
const BYTES_PER_CHARACTER = 8;
const BYTES_PER_ALIASED_CHARACTER = 24;
const BYTES_PER_OPERATION = 4_000;
/** Includes `actualCost`, which is compiled at first use. This estimate was not measured. */
const BYTES_PER_SHARED_CHARACTER = 16;
const BYTES_PER_VARIANT = 10_000;
const BYTES_PER_PLAN_CHARACTER = 6;
/** The parsed operation, which a variant retains until its first response. */
const BYTES_PER_OPERATION_CHARACTER = 44;
const BYTES_PER_FIELD_SHAPE = 200;
