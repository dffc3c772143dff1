import type { SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { printArguments, printDirectives } from './data-keys.ts';
import { addPresence } from './enter-subgraph.ts';
import { type ResolvedKeys, commonKeys, resolvedKeys } from './joint-keys.ts';
import { isJointSource, nameJointSource, possibleTypesIn } from './joint-source.ts';
import { type FetchBuilder, type Place, childOf, partOf } from './places.ts';
import { PlacesMultiply, type PlanningScope, spend } from './planning-scope.ts';
import { resolverOf } from './resolvable.ts';
import { type SelectionBuilder, createSelectionBuilder } from './selection-builder.ts';
import { type Enclosing, leadsToAbstract } from './share-enclosing.ts';
import { variablesIn } from './variables-in.ts';

/** Selection sets that several requests bring alike for values of different parent types. */
export interface JointEnclosing {
  readonly members: readonly [Enclosing, ...Enclosing[]];
  readonly selectionSets: readonly SelectionSetNode[];
}

export interface JoinedEnclosing {
  readonly alone: readonly Enclosing[];
  readonly joint: readonly JointEnclosing[];
}

/**
 * Finds fields of different parent types that different requests bring and of which the same is selected. Where each of them is a
 * place of its own, and leads to such fields again, the number of places is exponential in the depth: joint, there is one place
 * for each selection set. What is selected there of all of them comes after the last of the requests.
 *
 * @throws PlacesMultiply where nothing is joined so far, and too much could be
 */
export function joinEnclosing(scope: PlanningScope, enclosing: readonly Enclosing[]): JoinedEnclosing {
  const [, second] = enclosing;
  if (second === undefined || scope.isDeferring) return { alone: enclosing, joint: [] };
  const alone: Enclosing[] = [];
  const groups: Group[] = [];
  const groupsById = new Map<string, Group[]>();
  for (const one of enclosing) {
    const joining = joiningOf(scope, one);
    if (joining === undefined) {
      alone.push(one);
      continue;
    }
    for (const set of one.wanted.selectionSets) {
      const id = `${joining.id} ${scope.sets.identify([set])}`;
      let alike = groupsById.get(id);
      if (alike === undefined) groupsById.set(id, (alike = []));
      if (alike.some((group) => joinGroup(scope, group, one, joining.keys))) continue;
      const group = { sets: [set], members: [one], keys: joining.keys };
      alike.push(group);
      groups.push(group);
    }
  }
  if (!scope.isJoining) {
    for (const { members } of groups) scope.multiplied.count += countFetches(members) - 1;
    if (scope.multiplied.count > scope.multiplied.max) throw new PlacesMultiply();
    return { alone: enclosing, joint: [] };
  }
  return divide(alone, groups);
}

/** Fields of which the same is selected, and that can have one joint place. */
interface Group {
  readonly sets: readonly SelectionSetNode[];
  readonly members: Enclosing[];
  /** The keys of the values that all of them have. */
  keys: ResolvedKeys;
}

/** Adds a field to a group. @returns whether the values of all together lead to as many subgraphs as those of each */
function joinGroup(scope: PlanningScope, group: Group, one: Enclosing, keys: ResolvedKeys): boolean {
  const common = commonKeys(scope, group.keys, keys);
  if (common === undefined) return false;
  group.members.push(one);
  group.keys = common;
  return true;
}

function divide(alone: Enclosing[], groups: readonly Group[]): JoinedEnclosing {
  const single = new Map<Enclosing, SelectionSetNode[]>();
  const joint = new Map<string, { readonly members: readonly [Enclosing, ...Enclosing[]]; readonly selectionSets: SelectionSetNode[] }>();
  const numbers = new Map<Enclosing, number>();
  for (const { sets, members } of groups) {
    const [first, ...others] = members;
    if (first === undefined) continue;
    if (countFetches(members) === 1) {
      for (const one of members) single.set(one, [...(single.get(one) ?? []), ...sets]);
      continue;
    }
    for (const one of members) if (!numbers.has(one)) numbers.set(one, numbers.size);
    const id = members.map((one) => numbers.get(one)).join();
    const known = joint.get(id);
    if (known === undefined) joint.set(id, { members: [first, ...others], selectionSets: [...sets] });
    else known.selectionSets.push(...sets);
  }
  for (const [one, selectionSets] of single) alone.push({ ...one, wanted: { ...one.wanted, selectionSets } });
  return { alone, joint: [...joint.values()] };
}

function countFetches(members: readonly Enclosing[]): number {
  return new Set(members.map(({ presence }) => presence.fetch)).size;
}

interface Joining {
  /** Equal for fields whose values can be planned at one place, if their keys allow it. */
  readonly id: string;
  readonly keys: ResolvedKeys;
}

/** Tells with which other fields a field can have a joint place; undefined for a field that has to be planned alone. */
function joiningOf(scope: PlanningScope, enclosing: Enclosing): Joining | undefined {
  const { part, presence, wanted, key } = enclosing;
  const { subgraph } = presence;
  const { types } = scope.graph;
  const { name } = wanted.node;
  const resolver = resolverOf(scope, part.type, name.value, presence);
  const declared = types.get(part.type.fields.get(name.value)?.namedType ?? '');
  const inside = types.get(resolver?.namedType ?? '');
  if (resolver === undefined || resolver.provides !== undefined || declared === undefined || inside === undefined) return undefined;
  if (!isJoinable(scope, enclosing, inside) || !leadsToAbstract(scope, declared, wanted.selectionSets)) return undefined;
  // Values of types that only some of the subgraphs know would be asked for by fragments that the others refuse.
  const possible = possibleTypesIn(inside, subgraph).map((names) => scope.numberOf([...names].sort().join(' ')));
  const id = [key, declared.name, inside.name, ...new Set(possible)].join(' ');
  return { id, keys: resolvedKeys(scope, declared, subgraph) };
}

/** Tells if a field differs from others in its parent types and its request only. */
function isJoinable({ graph: { types } }: PlanningScope, { part, presence }: Enclosing, inside: FederatedType): boolean {
  const { base, provides, given = [], fetch, subgraph } = presence;
  if (base === undefined || part.types === undefined || provides.length > 0 || given.length > 0 || fetch.deferral !== 0) return false;
  if (inside.contexts.length > 0 || part.types.some((type) => types.get(type)?.contexts.length !== 0)) return false;
  return isJointSource(subgraph) || inside.subgraphs.get(subgraph)?.isInterfaceObject !== true;
}

/** Asks each request for its part of a joint place. @returns the place */
export function placeJoint(scope: PlanningScope, whole: Place, { members }: Pick<JointEnclosing, 'members'>): Place | undefined {
  const [first] = members;
  const { wanted, key } = first;
  const { node } = wanted;
  const inside = scope.graph.types.get(first.part.type.fields.get(node.name.value)?.namedType ?? '');
  const resolver = resolverOf(scope, first.part.type, node.name.value, first.presence);
  if (inside === undefined || resolver === undefined) return undefined;
  const selection = createSelectionBuilder(resolver.namedType);
  const fetches = [...new Set(members.map(({ presence }) => presence.fetch))];
  const fetch = createJointFetch(fetches, first.part, selection);
  for (const { part, presence } of members) {
    spend(scope);
    if (presence.base === undefined) continue;
    const fields = createSelectionBuilder(part.type.name);
    fields.fields.set(key, {
      name: node.name.value,
      key,
      arguments: printArguments(node.arguments),
      directives: printDirectives(node),
      variables: variablesIn(node, scope.variables),
      selection,
    });
    // A fragment of its own: the same field can be selected there with other selections.
    presence.base.fragments.set(`joint ${presence.base.fragments.size}`, { types: part.types ?? [], selection: fields });
  }
  const names = new Set(members.flatMap(({ part }) => part.types ?? []));
  const part = partOf(
    whole,
    first.part.type,
    [...whole.type.possibleTypes].filter((name) => names.has(name)),
  );
  part.placed.set(key, fetch);
  const child = childOf(part, inside, node, key);
  addPresence(child, { subgraph: fetch.subgraph, fetch, selection, provides: [] });
  return child;
}

function createJointFetch(members: readonly FetchBuilder[], place: Place, selection: SelectionBuilder): FetchBuilder {
  return {
    subgraph: nameJointSource(members.map(({ subgraph }) => subgraph)),
    kind: 'query',
    place,
    places: [place],
    selection,
    dependsOn: new Set(members),
    level: Math.max(...members.map(({ level }) => level)),
    deferral: 0,
    representation: undefined,
    contextArguments: [],
    members,
  };
}
