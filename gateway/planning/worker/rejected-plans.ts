import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PlanInput } from '../query-planner.ts';

/** Operations that terminated a planner thread. They are rejected for some time, so that they do not terminate the next thread. */
export interface RejectedPlans {
  add(input: PlanInput, failure: Error): void;
  find(input: PlanInput): Error | undefined;
}

/**
 * Maximum number of stored operations; the oldest is evicted. They are stored as digests, because an operation can be as long as a request.
 *
 * @unit operations
 */
const MAX_REMEMBERED = 1_000;

/** Time after which such an operation can be tried again. @unit milliseconds */
const REMEMBERED_MS = 300_000;

export function createRejectedPlans(): RejectedPlans {
  const failures = new LRUCache<string, Error>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  return {
    add: (input, failure) => void failures.set(digestOf(input), failure),
    find: (input) => (failures.size === 0 ? undefined : failures.get(digestOf(input))),
  };
}

function digestOf({ document, operationName = '', conditions, labels, isDeferring = false }: PlanInput): string {
  return createHash('sha256')
    .update(JSON.stringify([document, operationName, conditions, labels, isDeferring]))
    .digest('base64');
}
