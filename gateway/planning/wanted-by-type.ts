import type { SelectionSetNode } from 'graphql';
import { fieldsSignature } from './alike-types.ts';
import type { PlanningScope } from './planning-scope.ts';
import { type Wanted, type WantedByConditions, type WantedScope, collectWanted, conditionsIn, doesApply } from './wanted-fields.ts';

/** Wanted fields for the values of one type. */
export interface WantedOfType {
  readonly name: string;
  readonly wanted: Wanted;
}

/** Collects the wanted fields for the values of each type. Types to which the same fragments apply share one object. */
export function wantedOf(scope: WantedScope, names: Iterable<string>, selectionSets: readonly SelectionSetNode[]): readonly WantedOfType[] {
  const { graph, wantedBySets, sets } = scope;
  const setsId = sets.identify(selectionSets);
  let wantedByConditions = wantedBySets.get(setsId);
  if (wantedByConditions === undefined) wantedBySets.set(setsId, (wantedByConditions = divideConditions(scope, selectionSets)));
  const { abstract, objects, known } = wantedByConditions;
  if (abstract.length === 0 && objects.size === 0) {
    let wanted = known.get('');
    return [...names].map((name) => ({ name, wanted: (wanted ??= collectWantedOnce(scope, name, selectionSets, known)) }));
  }
  return [...names].map((name) => {
    let id = objects.has(name) ? name : '';
    for (const condition of abstract) id += doesApply(graph, condition, name) ? 1 : 0;
    let wanted = known.get(id);
    if (wanted === undefined) known.set(id, (wanted = collectWanted(scope, name, selectionSets)));
    return { name, wanted };
  });
}

/** Collects the wanted fields for values of every type, when no fragment has a condition. */
function collectWantedOnce(
  scope: WantedScope,
  name: string,
  selectionSets: readonly SelectionSetNode[],
  known: WantedByConditions['known'],
): Wanted {
  const wanted = collectWanted(scope, name, selectionSets);
  known.set('', wanted);
  return wanted;
}

function divideConditions(scope: WantedScope, selectionSets: readonly SelectionSetNode[]): WantedByConditions {
  const conditions = [...conditionsIn(scope, selectionSets)];
  const isObject = (condition: string): boolean => scope.graph.types.get(condition)?.kind === 'object';
  return {
    abstract: conditions.filter((condition) => !isObject(condition)),
    objects: new Set(conditions.filter(isObject)),
    known: new Map(),
  };
}

/** Returns one type of each kind. Types of one kind have the same wanted fields, which are resolved in the same way. */
export function examplesOf({ graph }: PlanningScope, wantedByType: readonly WantedOfType[]): readonly WantedOfType[] {
  const seen = new Map<Wanted, Set<number>>();
  return wantedByType.filter(({ name, wanted }) => {
    const type = graph.types.get(name);
    if (type === undefined) return false;
    let kinds = seen.get(wanted);
    if (kinds === undefined) seen.set(wanted, (kinds = new Set()));
    const kind = fieldsSignature(graph, type, wanted.fields);
    if (kinds.has(kind)) return false;
    kinds.add(kind);
    return true;
  });
}
