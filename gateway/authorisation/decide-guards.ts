import { type Owners, addOwner } from './guarded-fields.ts';
import { DENIED, type Decision, FOR_OWNERS, type Guard, type Requirement, UNDECIDED } from './requirement.ts';

/** What was decided about a requirement. */
export type Decide = (requirement: Requirement) => Decision;

/** A rule that denies outweighs one of which nobody could tell. */
export function refusalOf(decide: Decide, guards: readonly (readonly Guard[])[]): typeof DENIED | typeof UNDECIDED | undefined {
  let refusal: typeof DENIED | typeof UNDECIDED | undefined;
  // All are asked: the first walk through an operation finds out what there is to be decided.
  for (const { requirement } of guards.flat()) {
    const decided = decide(requirement);
    if (decided === DENIED || (decided === UNDECIDED && refusal === undefined)) refusal = decided;
  }
  return refusal;
}

/** By type: the fields of which the values must name the caller. */
export function ownersIn(decide: Decide, guards: ReadonlyMap<string, readonly Guard[]>): Owners {
  const owners = new Map<string, Set<string>>();
  for (const [type, all] of guards) {
    for (const { requirement, owner } of all) {
      if (owner !== undefined && decide(requirement) === FOR_OWNERS) addOwner(owners, type, owner);
    }
  }
  return owners;
}
