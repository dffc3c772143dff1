import { type SelectionSetNode, Kind } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { knowingSets, wholeSignature } from './alike-classes.ts';
import type { Enclosing } from './enclosing.ts';
import { estimateField } from './estimate.ts';
import { type FetchBuilder, type Position, partOf } from './positions.ts';
import type { PlanningScope } from './planning-scope.ts';
import { resolverOf } from './resolvable.ts';
import { fragmentOn } from './selection-builder.ts';
import { textOfTypes } from './type-names.ts';

/**
 * Lets parts of an abstract position share the selections of a field that one request fetches for all of them. Selections that only some
 * partial positions have get a separate position for those. Each selection set is therefore planned once at one position, regardless of the
 * combinations of types that lead there.
 */
export function shareEnclosing(scope: PlanningScope, whole: Position, enclosing: readonly Enclosing[]): readonly Enclosing[] {
  const [, second] = enclosing;
  if (second === undefined) return enclosing;
  const numbers = new Map<FetchBuilder, number>();
  const candidates = groupBy(enclosing, (one) => candidateId(scope, one, numbers));
  return [...candidates.values()].flatMap((ofCandidate) => {
    // A field that a request fetches for only one part needs no further checks.
    if (ofCandidate.length === 1) return ofCandidate;
    const groups = groupBy(ofCandidate, (one) => sharingId(scope, whole, one));
    return [...groups.values()].flatMap((group) => (group.length === 1 ? group : layersOf(scope, whole, group)));
  });
}

function groupBy(enclosing: readonly Enclosing[], idOf: (one: Enclosing) => string): ReadonlyMap<string, readonly Enclosing[]> {
  const groups = new Map<string, Enclosing[]>();
  for (const one of enclosing) {
    const id = idOf(one);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [one]);
    else group.push(one);
  }
  return groups;
}

/** Returns an identifier that is equal for fields of partial positions that one request fetches as the same types. */
function candidateId(scope: PlanningScope, { part, presence, wanted, key }: Enclosing, numbers: Map<FetchBuilder, number>): string {
  const { fetch, base, provides, given = [], subgraph } = presence;
  const number = numbers.get(fetch) ?? numbers.size;
  numbers.set(fetch, number);
  const { name } = wanted.node;
  const resolver = resolverOf(scope, part.type, name.value, presence);
  const isAlone =
    base === undefined || provides.length > 0 || given.length > 0 || resolver === undefined || resolver.provides !== undefined;
  if (isAlone) return `${part.types === undefined ? '' : textOfTypes(part.types)} ${number} ${key}`;
  return `${number} ${subgraph} ${key} ${part.type.fields.get(name.value)?.namedType} ${resolver.namedType}`;
}

/** Returns an identifier that is equal for fields that one request fetches and whose partial positions can share their selections. */
function sharingId(scope: PlanningScope, whole: Position, { part, presence, wanted }: Enclosing): string {
  // If the subgraph resolves all selections, no other subgraph is queried there, and the enclosing types are otherwise irrelevant.
  const isWhole = !scope.isDeferring && estimateField(scope, presence, part.type, wanted) === 0;
  if (isWhole && part.type.contexts.length === 0) return '';
  return wholeSignature(scope.graph, part.type, [wanted], knowingSets(scope.graph, whole));
}

/** Divides the selections of partial positions by the positions that have them. */
function layersOf(scope: PlanningScope, whole: Position, group: readonly Enclosing[]): readonly Enclosing[] {
  const isNested = group.some(({ part, wanted }) => {
    const inside = scope.graph.types.get(part.type.fields.get(wanted.node.name.value)?.namedType ?? '');
    return inside !== undefined && leadsToAbstract(scope, inside, wanted.selectionSets);
  });
  const wanting = new Map<string, { readonly sets: SelectionSetNode[]; readonly members: Set<Enclosing> }>();
  for (const one of group) {
    // Selections that lead to no further abstract position do not multiply, so they stay together.
    for (const sets of isNested ? one.wanted.selectionSets.map((set) => [set]) : [one.wanted.selectionSets]) {
      const id = scope.sets.identify(sets);
      const known = wanting.get(id);
      if (known === undefined) wanting.set(id, { sets: [...sets], members: new Set([one]) });
      else known.members.add(one);
    }
  }
  const layers = new Map<string, Enclosing & { readonly sets: SelectionSetNode[] }>();
  for (const { sets, members } of wanting.values()) {
    const types = typesOf(whole, members);
    const known = layers.get(types.join(' '));
    if (known !== undefined) known.sets.push(...sets);
    else layers.set(types.join(' '), { ...layerOf(whole, [...members], types), sets: [...sets] });
  }
  return [...layers.values()]
    .sort((one, other) => (other.part.types?.length ?? 0) - (one.part.types?.length ?? 0))
    .map(({ part, presence, wanted, key, sets }) => ({ part, presence, wanted: { ...wanted, selectionSets: sets }, key }));
}

function typesOf({ type }: Position, members: ReadonlySet<Enclosing>): readonly string[] {
  const types = new Set([...members].flatMap(({ part }) => part.types ?? []));
  return [...type.possibleTypes].filter((name) => types.has(name));
}

function layerOf(whole: Position, members: readonly Enclosing[], types: readonly string[]): Enclosing {
  const [first, ...others] = members as readonly [Enclosing, ...Enclosing[]];
  if (others.length === 0) return first;
  const { presence } = first;
  const { base } = presence;
  const part = partOf(whole, first.part.type, types);
  if (base === undefined) return first;
  const shared = { ...presence, selection: fragmentOn(base, part.type.name, types) };
  const isPresence = members.every((one) => one.part.presences.get(presence.subgraph)?.fetch === presence.fetch);
  if (isPresence && !part.presences.has(presence.subgraph)) part.presences.set(presence.subgraph, shared);
  return { ...first, part, presence: shared };
}

/** Whether selection sets contain a field of an interface or a union, at any depth. */
export function leadsToAbstract(scope: PlanningScope, type: FederatedType, selectionSets: readonly SelectionSetNode[]): boolean {
  if (type.kind !== 'object') return true;
  const visited = new Set<string>();
  const leads = (around: FederatedType, { selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) {
        const inside = scope.graph.types.get(around.fields.get(selection.name.value)?.namedType ?? '');
        if (inside === undefined || selection.selectionSet === undefined) return false;
        return inside.kind !== 'object' || leads(inside, selection.selectionSet);
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const fragment = isSpread ? scope.fragments.get(selection.name.value) : selection;
      if (fragment === undefined) return false;
      const condition = scope.graph.types.get(fragment.typeCondition?.name.value ?? around.name) ?? around;
      const id = `${isSpread ? selection.name.value : ''} ${around.name}`;
      if (isSpread && visited.has(id)) return false;
      if (isSpread) visited.add(id);
      return leads(condition.kind === 'object' ? condition : around, fragment.selectionSet);
    });
  return selectionSets.some((set) => leads(type, set));
}
