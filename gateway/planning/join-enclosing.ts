import { type SelectionSetNode, print } from 'graphql';
import type { Enclosing } from './enclosing.ts';
import { type ResolvedKeys, commonKeys, resolvedKeys } from './joint-keys.ts';
import { isJointSource } from './joint-source.ts';
import { contextsAround, dataPathOf } from './joint-places.ts';
import type { Place } from './places.ts';
import { PlacesMultiply, type PlanningScope } from './planning-scope.ts';
import { providedInside, resolverOf } from './resolvable.ts';
import type { SelectionBuilder } from './selection-builder.ts';
import { leadsToAbstract } from './share-enclosing.ts';
import { takesContext } from './takes-context.ts';

/** A field whose values get a joint place, and how its subgraph resolves it. */
export interface JointMember extends Enclosing {
  /** Type of the values as the subgraph knows it. */
  readonly valueType: string;
  /** Selections that are provided inside of the field (`@provides`). */
  readonly provides: readonly SelectionSetNode[];
}

/** Fields at one data path whose values are planned at one place, with the selection sets that all of them have. */
export interface JointGroup {
  readonly members: readonly [JointMember, ...JointMember[]];
  readonly selectionSets: readonly SelectionSetNode[];
}

export interface JoinedEnclosing {
  readonly alone: readonly Enclosing[];
  readonly joint: readonly JointGroup[];
}

/**
 * Counts fields of one place that have the same selections and a place each for their values. Where these lead to such fields again, the number of
 * places is exponential in the depth.
 *
 * @throws PlacesMultiply when there are too many
 */
export function countMultiplied(scope: PlanningScope, enclosing: readonly Enclosing[]): void {
  const { multiplied } = scope;
  if (enclosing.length < 2 || multiplied.max === Number.POSITIVE_INFINITY) return;
  const seen = new Set<string>();
  for (const { part, wanted, key } of enclosing) {
    const declared = scope.graph.types.get(part.type.fields.get(wanted.node.name.value)?.namedType ?? '');
    if (declared === undefined || !leadsToAbstract(scope, declared, wanted.selectionSets)) continue;
    for (const set of wanted.selectionSets) {
      const id = `${key} ${scope.sets.identify([set])}`;
      if (seen.has(id)) multiplied.count += 1;
      seen.add(id);
    }
  }
  if (multiplied.count > multiplied.max) throw new PlacesMultiply();
}

/**
 * Groups fields at one data path that have the same selections, whatever parent objects and subgraphs they come from. Each group gets one place, so that
 * the number of places at a data path depends on the subgraphs and the selection sets, and not on the number of ways that lead there.
 *
 * @param enclosing fields of all places at some data paths
 */
export function joinEnclosing(scope: PlanningScope, enclosing: readonly Enclosing[]): JoinedEnclosing {
  if (enclosing.length < 2) return { alone: enclosing, joint: [] };
  const alone: Enclosing[] = [];
  const groups: Draft[] = [];
  const groupsById = new Map<string, Draft[]>();
  const taken = new Map<SelectionBuilder, Set<string>>();
  for (const one of enclosing) {
    const joining = isSelectable(one, taken) ? joiningOf(scope, one) : undefined;
    if (joining === undefined) {
      alone.push(one);
      continue;
    }
    const { selectionSets } = one.wanted;
    for (const sets of hasFragments(one) ? selectionSets.map((set) => [set]) : [selectionSets]) {
      const id = `${joining.id} ${scope.sets.identify(sets)}`;
      let alike = groupsById.get(id);
      if (alike === undefined) groupsById.set(id, (alike = []));
      if (alike.some((group) => addMember(scope, group, joining))) continue;
      const group = { sets, members: [joining.member], keys: joining.keys };
      alike.push(group);
      groups.push(group);
    }
  }
  return divide(alone, groups);
}

interface Draft {
  readonly sets: readonly SelectionSetNode[];
  readonly members: JointMember[];
  /** The keys of the values that all of them have. */
  keys: ResolvedKeys | undefined;
}

/** Adds a field to a group. @returns whether the values of all together lead to as many subgraphs as those of each */
function addMember(scope: PlanningScope, group: Draft, { member, keys }: Joining): boolean {
  if (keys !== undefined && group.keys !== undefined) {
    const common = commonKeys(scope, group.keys, keys);
    if (common === undefined) return false;
    group.keys = common;
  }
  group.members.push(member);
  return true;
}

/** Unites groups of the same fields. A group of one field is planned at a place of its own. */
function divide(alone: Enclosing[], groups: readonly Draft[]): JoinedEnclosing {
  const single = new Map<Enclosing, SelectionSetNode[]>();
  const joint = new Map<string, { readonly members: JointGroup['members']; readonly selectionSets: SelectionSetNode[] }>();
  const numbers = new Map<Enclosing, number>();
  for (const { sets, members } of groups) {
    const [first, ...others] = members;
    if (first === undefined) continue;
    if (others.length === 0) {
      single.set(first, [...(single.get(first) ?? []), ...sets]);
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

interface Joining {
  readonly member: JointMember;
  /** Equal for fields whose values can be planned at one place, if their keys allow it. */
  readonly id: string;
  /** Absent where only values of one subgraph are joined, which have the same keys. */
  readonly keys: ResolvedKeys | undefined;
}

/** Finds out with which other fields a field can have a joint place; undefined for a field that has to be planned alone. */
function joiningOf(scope: PlanningScope, enclosing: Enclosing): Joining | undefined {
  const { part, presence, wanted, key } = enclosing;
  const { types } = scope.graph;
  const { subgraph } = presence;
  const name = wanted.node.name.value;
  const resolver = resolverOf(scope, part.type, name, presence);
  const declared = types.get(part.type.fields.get(name)?.namedType ?? '');
  const inside = types.get(resolver?.namedType ?? '');
  if (!isTypeKnown(scope, part)) return undefined;
  if (resolver === undefined || declared === undefined || inside === undefined) return undefined;
  if (!leadsToAbstract(scope, declared, wanted.selectionSets)) return undefined;
  const provides = [
    ...providedInside(scope.graph, part.type, name, presence.provides),
    ...(resolver.provides === undefined ? [] : [resolver.provides]),
  ];
  const member = { ...enclosing, valueType: inside.name, provides };
  const place: (string | number)[] = [dataPathOf(scope.joint, part).number, key, declared.name];
  if (takesContext(scope, wanted.selectionSets)) {
    // The value of a context comes from the nearest object around that opens it.
    place.push(contextsAround(scope.joint, part));
  }
  if (isJointSource(subgraph) || (provides.length === 0 && inside.subgraphs.get(subgraph)?.isInterfaceObject !== true)) {
    return { member, id: place.join(' '), keys: resolvedKeys(scope, declared, subgraph) };
  }
  return { member, id: [...place, 'only', subgraph, inside.name, ...provides.map((set) => print(set))].join(' '), keys: undefined };
}

/** Tells if the names of the types of objects are known, or can be asked for: the path to the values of their fields is followed by them. */
function isTypeKnown({ graph }: PlanningScope, { type, types, whole, presences }: Place): boolean {
  if (whole !== undefined || type.kind !== 'object') return whole !== undefined && types !== undefined;
  if (presences.size === 0) return false;
  for (const [subgraph, { selection }] of presences) {
    if (graph.types.get(selection.type)?.subgraphs.get(subgraph)?.isInterfaceObject === true) return false;
  }
  return true;
}

/** Tells if the field can be selected by a fragment of its own, beside other selections of the same field. */
function hasFragments({ part, presence: { base, selection } }: Enclosing): boolean {
  return base !== undefined || selection.type === part.type.name;
}

/** Tells if the field can be selected with the selections of a joint place: by a fragment, or as the first of its key. */
function isSelectable(enclosing: Enclosing, taken: Map<SelectionBuilder, Set<string>>): boolean {
  if (hasFragments(enclosing)) return true;
  const { presence, key } = enclosing;
  const keys = taken.get(presence.selection) ?? new Set(presence.selection.fields.keys());
  taken.set(presence.selection, keys);
  if (keys.has(key)) return false;
  keys.add(key);
  return true;
}
