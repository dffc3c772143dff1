import { OperationRejected } from '../operation/operation-rejected.ts';
import type { Choices } from './choices.ts';
import type { PlanSize } from './least-size.ts';
import { NoPath, TooManyPositions } from './planning-scope.ts';
import type { FetchGroup } from './schedule-fetches.ts';

/** Maximum size of a plan that is made again with other choices. @unit fields and fetches */
export const MAX_REPEATED_STEPS = 400;

/** Maximum total work for making plans again. @unit fields and fetches */
const MAX_STEPS_OF_ALL = 10_000;

/** Maximum number of alternatives to try for one choice. */
const MAX_ALTERNATIVES = 6;

/** A plan whose requests are known but not yet written as data. */
export interface Draft {
  readonly groups: readonly FetchGroup[];
  readonly choices: Choices;
  readonly steps: number;
  readonly isRepeatable: boolean;
  /** Returns a size that no plan of the operation falls below. */
  leastSize(): PlanSize;
}

/**
 * Makes a plan again with the next best alternatives of each choice, and returns the plan with the fewest waves of requests, then with the
 * fewest requests.
 *
 * @param draftWith makes the plan with given choices, followed by the alternatives with the lowest price
 */
export function improveDraft<D extends Draft>(first: D, draftWith: (taken: readonly number[]) => D): D {
  let best = first;
  let size = sizeOf(first);
  let left = MAX_STEPS_OF_ALL;
  if (!first.isRepeatable || first.choices.counts.length === 0) return first;
  const least = first.leastSize();
  for (let number = 0; number < best.choices.counts.length && !isLeast(size, least); number += 1) {
    const before = Array.from({ length: number }, (_, index) => best.choices.taken[index] ?? 0);
    const count = Math.min(best.choices.counts[number] ?? 0, MAX_ALTERNATIVES);
    for (let alternative = 1; alternative <= count; alternative += 1) {
      if (left < first.steps) return best;
      const other = attempt(() => draftWith([...before, alternative]));
      left -= other?.steps ?? first.steps;
      if (other === undefined) continue;
      const its = sizeOf(other);
      if (its.waves > size.waves || (its.waves === size.waves && its.requests >= size.requests)) continue;
      best = other;
      size = its;
    }
  }
  return best;
}

/** Whether no plan can be smaller. The planner would have selected a single request immediately, because it is the cheapest choice. */
function isLeast({ requests, waves }: PlanSize, least: PlanSize): boolean {
  return requests < 2 || (requests === 2 && waves === 1) || (waves <= least.waves && requests <= least.requests);
}

/** @returns undefined when the choices lead to no plan, or to one that exceeds a limit */
function attempt<D>(draft: () => D): D | undefined {
  try {
    return draft();
  } catch (error) {
    if (error instanceof NoPath || error instanceof TooManyPositions || error instanceof OperationRejected) return undefined;
    throw error;
  }
}

function sizeOf({ groups }: Draft): PlanSize {
  const waves = new Map<FetchGroup, number>();
  let last = 0;
  for (const group of groups) {
    let wave = 1;
    for (const needed of group.dependsOn) wave = Math.max(wave, 1 + (waves.get(needed) ?? 0));
    waves.set(group, wave);
    last = Math.max(last, wave);
  }
  return { requests: groups.length, waves: last };
}
