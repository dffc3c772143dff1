import type { OperationPlan } from '../operation-plan.ts';
import { type FetchSet, type FetchSets, hasFetch } from './fetch-set.ts';

/** Returns, for each fetch, all fetches that finish before it begins. */
export function dependenciesOf({ fetches }: OperationPlan, sets: FetchSets): readonly FetchSet[] {
  const dependencies: FetchSet[] = [];
  // Requests with the same dependencies share the list.
  const known = new Map<readonly number[], FetchSet>();
  for (const { dependsOn } of fetches) {
    let all = known.get(dependsOn);
    if (all === undefined) {
      const further = new Set(dependsOn.flatMap((needed) => dependencies[needed] ?? []));
      known.set(dependsOn, (all = sets.union([sets.of(dependsOn), ...further])));
    }
    dependencies.push(all);
  }
  return dependencies;
}

/** Fetches that begin at the same time. */
interface Wave {
  /** Fetches that have finished by then. */
  readonly before: FetchSet;
  readonly members: FetchSet;
}

/** Groups fetches by the time at which they begin. */
export function wavesOf(dependencies: readonly FetchSet[], sets: FetchSets): readonly Wave[] {
  const waves = new Map<FetchSet, number[]>();
  for (const [fetch, before] of dependencies.entries()) {
    const members = waves.get(before);
    if (members === undefined) waves.set(before, [fetch]);
    else members.push(fetch);
  }
  return [...waves].map(([before, members]) => ({ before, members: sets.of(members) }));
}

/** Assigns numbers to fetches by their dependents. Fetches with the same dependents have equal numbers. */
export function dependentsOf(dependencies: readonly FetchSet[], sets: FetchSets): readonly number[] {
  const waves = wavesOf(dependencies, sets);
  return dependencies.map((_before, fetch) => {
    return sets.union(waves.filter(({ before }) => hasFetch(before, fetch)).map(({ members }) => members)).id;
  });
}
