import { Kind, type SelectionSetNode } from 'graphql';
import { ensureDeferredPresence, ensurePresence, enterWithRequirements, placeField } from './enter-subgraph.ts';
import { type FetchBuilder, type Place, partOf } from './places.ts';
import { NoWay, type PlannedBy, type PlanningScope, type Purpose, spend } from './planning-scope.ts';
import { chooseSubgraph } from './choose-subgraph.ts';
import { findRoutes } from './routes.ts';
import { plainSource, resolverOf } from './resolvable.ts';
import { type Wanted, type WantedField, collectWanted, isSameWanted } from './wanted-fields.ts';

/** Gets what selection sets want of the values of a place. */
export function planSelection(scope: PlanningScope, place: Place, selectionSets: readonly SelectionSetNode[], purpose: Purpose): PlannedBy {
  if (place.type.kind === 'object') return planFields(scope, place, collectWanted(scope, place.type.name, selectionSets).fields, purpose);
  return planAbstract(scope, place, selectionSets, purpose);
}

/** Gets fields of values of one type, whoever has them. */
function planFields(scope: PlanningScope, place: Place, fields: readonly WantedField[], purpose: Purpose): PlannedBy {
  const plannedBy = new Set<FetchBuilder>();
  const inside = new Map<Place, readonly SelectionSetNode[]>();
  const keyOf = ({ node }: WantedField): string => scope.keys.keyOf(node, place.type.name, place.isBeneathAbstract);
  const enclose = (child: Place | undefined, { selectionSets }: WantedField): void => {
    if (child !== undefined) inside.set(child, [...(inside.get(child) ?? []), ...selectionSets]);
  };
  let remaining: WantedField[] = [];
  for (const wanted of fields) {
    const key = keyOf(wanted);
    const known = place.placed.get(key);
    if (known === undefined) {
      remaining.push(wanted);
    } else {
      plannedBy.add(known);
      enclose(place.children.get(key), wanted);
    }
  }
  while (remaining.length > 0) {
    spend(scope, remaining.length);
    const { subgraph, chosen, isRequiring } = chooseSubgraph(scope, place, { fields: remaining, inside }, purpose);
    for (const wanted of chosen) {
      const key = keyOf(wanted);
      const presence = isRequiring
        ? enterWithRequirements(scope, place, { subgraph, field: wanted.node, key }, purpose)
        : purpose.isInput || scope.deferral === 0
          ? ensurePresence(scope, place, subgraph, purpose)
          : ensureDeferredPresence(scope, place, { subgraph, field: wanted.node }, purpose);
      enclose(placeField(scope, place, presence, { field: wanted.node, key }), wanted);
      plannedBy.add(presence.fetch);
    }
    remaining = remaining.filter((wanted) => !chosen.includes(wanted));
  }
  for (const [child, selectionSets] of inside) {
    for (const fetch of planSelection(scope, child, selectionSets, purpose)) plannedBy.add(fetch);
  }
  return plannedBy;
}

/** What is wanted of values that are of one of several types. */
interface WantedOfType {
  readonly name: string;
  readonly wanted: Wanted;
}

/** Gets what is wanted of values of an interface or union: type by type, since each can come from somewhere else. */
function planAbstract(scope: PlanningScope, place: Place, selectionSets: readonly SelectionSetNode[], purpose: Purpose): PlannedBy {
  const names = [...(purpose.isInput ? place.type.possibleTypes : place.type.publicTypes)];
  // An interface that nothing implements: its values, if there are any, are known by it alone.
  if (names.length === 0) return planFields(scope, place, collectWanted(scope, place.type.name, selectionSets).fields, purpose);
  const wantedByType = names.map((name): WantedOfType => ({ name, wanted: collectWanted(scope, name, selectionSets) }));
  const plannedBy = new Set<FetchBuilder>();
  const common = isTyped(place) ? [] : commonFields(scope, place, wantedByType, purpose);
  for (const fetch of planFields(scope, place, common, purpose)) plannedBy.add(fetch);
  const ids = new Set(common.map(({ id }) => id));
  const isTypeWanted =
    wantedByType.some(({ wanted }) => wanted.hasTypename || wanted.fields.some(({ id }) => !ids.has(id))) ||
    (purpose.isInput && isToldByType(place.type.name, selectionSets));
  if ((isTypeWanted || (!purpose.isInput && !isOneShape(wantedByType))) && !isTyped(place)) findType(scope, place, purpose);
  const typed = place.placed.get('__typename');
  if (typed !== undefined) plannedBy.add(typed);
  const occurring = occurringTypes(scope, place);
  for (const { name, wanted } of wantedByType) {
    const type = scope.graph.types.get(name);
    const fields = wanted.fields.filter(({ id }) => !ids.has(id));
    if (type === undefined || fields.length === 0 || !occurring(name)) continue;
    for (const fetch of planFields(scope, partOf(place, type), fields, purpose)) plannedBy.add(fetch);
  }
  return plannedBy;
}

/** Whether a representation tells of values type by type, be it the same of all: whoever gets it asks of what type each is. */
function isToldByType(type: string, selectionSets: readonly SelectionSetNode[]): boolean {
  return selectionSets.some(({ selections }) => {
    return selections.some((selection) => {
      if (selection.kind !== Kind.INLINE_FRAGMENT) return false;
      const { typeCondition, selectionSet } = selection;
      return (typeCondition !== undefined && typeCondition.name.value !== type) || isToldByType(type, [selectionSet]);
    });
  });
}

/** Whether the client gets the same of values of all types. */
function isOneShape([first, ...others]: readonly WantedOfType[]): boolean {
  return others.every(({ wanted: { nodes } }) => {
    return nodes.length === first?.wanted.nodes.length && nodes.every((node, index) => node === first.wanted.nodes[index]);
  });
}

/** Whether somebody who is asked can tell of what types the values are. */
function isTyped({ type, presences }: Place): boolean {
  return [...presences.keys()].some((subgraph) => type.subgraphs.get(subgraph)?.isInterfaceObject !== true);
}

/**
 * Which types the values of a place can be of: those that everybody knows who could be asked for the field that leads here. Whoever shares a
 * field with others resolves it to the same values as they.
 */
function occurringTypes(scope: PlanningScope, place: Place): (type: string) => boolean {
  const known = [...findRoutes(scope, place, new Set())].flatMap(([subgraph, { by }]) => {
    if (by !== 'presence' && by !== 'parent') return [];
    const declared = scope.graph.types.get(typeNameIn(scope, place, subgraph));
    const here = declared?.subgraphs.get(subgraph);
    if (declared === undefined || here?.isInterfaceObject === true) return [];
    return [here?.possibleTypes ?? declared.possibleTypes];
  });
  return (type) => known.every((types) => types.has(type));
}

/** The declared type of a place in one subgraph. */
function typeNameIn(scope: PlanningScope, { type, parent, field, presences }: Place, subgraph: string): string {
  const asked = presences.get(subgraph)?.selection.type;
  if (asked !== undefined || parent === undefined || field === undefined) return asked ?? type.name;
  return resolverOf(scope, parent.type, field.name.value, plainSource(subgraph))?.namedType ?? type.name;
}

/**
 * What is wanted of the values whatever their types are, and can be had from subgraphs that know the interface as an object: nobody has to know the
 * types for it. What is wanted of some types only is not asked of the others, whose failures would be told.
 */
function commonFields(
  scope: PlanningScope,
  place: Place,
  wantedByType: readonly WantedOfType[],
  { avoid }: Purpose,
): readonly WantedField[] {
  const [first, ...others] = wantedByType;
  if (first === undefined) return [];
  const routes = findRoutes(scope, place, avoid);
  return first.wanted.fields.filter((field) => {
    if (!others.every(({ wanted }) => wanted.fields.some((other) => isSameWanted(field, other)))) return false;
    const key = scope.keys.keyOf(field.node, place.type.name, place.isBeneathAbstract);
    if (wantedByType.some(({ name }) => scope.keys.keyOf(field.node, name, place.isBeneathAbstract) !== key)) return false;
    return [...routes.keys()].some((subgraph) => resolverOf(scope, place.type, field.node.name.value, plainSource(subgraph)) !== undefined);
  });
}

/** Asks a subgraph that can tell of what types the values are: the one that knows most of them, then the nearest. */
function findType(scope: PlanningScope, place: Place, purpose: Purpose): void {
  const candidates = [...findRoutes(scope, place, purpose.avoid)].filter(([subgraph]) => {
    return place.type.subgraphs.get(subgraph)?.isInterfaceObject === false;
  });
  const knows = (subgraph: string): number => place.type.subgraphs.get(subgraph)?.possibleTypes.size ?? 0;
  candidates.sort(([one, first], [other, second]) => knows(other) - knows(one) || first.cost - second.cost);
  const [best] = candidates;
  if (best === undefined) throw new NoWay(`tell of what types values of ${place.type.name} are`);
  ensurePresence(scope, place, best[0], purpose);
}
