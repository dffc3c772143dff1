import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PlanInput } from '../query-planner.ts';

/** Operations that took a thread of the planner with them, so that they cannot take the next one too. */
export interface RefusedPlans {
  add(input: PlanInput, failure: Error): void;
  find(input: PlanInput): Error | undefined;
}

/** Remembered ones, the latest first. They are known by a digest: an operation may be as long as a request. @unit operations */
const MAX_REMEMBERED = 1_000;

/** Until such an operation may be tried again. @unit milliseconds */
const REMEMBERED_MS = 300_000;

export function createRefusedPlans(): RefusedPlans {
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
