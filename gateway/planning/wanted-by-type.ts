import type { SelectionSetNode } from 'graphql';
import { fieldSignature, typeSignature } from './alike-types.ts';
import type { PlanningScope } from './planning-scope.ts';
import { type Wanted, collectWanted, conditionsIn, doesApply } from './wanted-fields.ts';

/** What is wanted of values that are of one of several types. */
export interface WantedOfType {
  readonly name: string;
  readonly wanted: Wanted;
}

/** What is wanted of values of each type. Types to which the same fragments apply have one answer. */
export function wantedOf(
  scope: PlanningScope,
  names: Iterable<string>,
  selectionSets: readonly SelectionSetNode[],
): readonly WantedOfType[] {
  const conditions = [...conditionsIn(scope, selectionSets)];
  const known = new Map<string, Wanted>();
  return [...names].map((name) => {
    const id = conditions.map((condition) => (doesApply(scope.graph, condition, name) ? 1 : 0)).join('');
    let wanted = known.get(id);
    if (wanted === undefined) known.set(id, (wanted = collectWanted(scope, name, selectionSets)));
    return { name, wanted };
  });
}

/** One of the types of each kind: of others of its kind the same is wanted, and it is resolved alike. */
export function examplesOf({ graph }: PlanningScope, wantedByType: readonly WantedOfType[]): readonly WantedOfType[] {
  const seen = new Map<Wanted, Set<string>>();
  return wantedByType.filter(({ name, wanted }) => {
    const type = graph.types.get(name);
    if (type === undefined) return false;
    let kinds = seen.get(wanted);
    if (kinds === undefined) seen.set(wanted, (kinds = new Set()));
    const kind = [typeSignature(graph, type), ...wanted.fields.map(({ node }) => fieldSignature(graph, type, node.name.value))].join();
    if (kinds.has(kind)) return false;
    kinds.add(kind);
    return true;
  });
}
