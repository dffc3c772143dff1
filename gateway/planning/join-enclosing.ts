import { type SelectionSetNode, print } from 'graphql';
import type { Enclosing } from './enclosing.ts';
import { type ResolvedKeys, commonKeys, resolvedKeys } from './joint-keys.ts';
import { isJointSource } from './joint-source.ts';
import { contextsAround, dataPathOf } from './joint-positions.ts';
import type { Position } from './positions.ts';
import { TooManyPositions, type PlanningScope } from './planning-scope.ts';
import { providedInside, resolverOf } from './resolvable.ts';
import type { SelectionBuilder } from './selection-builder.ts';
import { leadsToAbstract } from './share-enclosing.ts';
import { takesContext } from './takes-context.ts';

/** A field whose values get a joint position, and the way in which its subgraph resolves it. */
export interface JointMember extends Enclosing {
  /** Type of the values in the subgraph. */
  readonly valueType: string;
  /** Selections that are provided inside the field (`@provides`). */
  readonly provides: readonly SelectionSetNode[];
}

/** Fields at one data path whose values are planned at one position, with the selection sets that all of them have. */
export interface JointGroup {
  readonly members: readonly [JointMember, ...JointMember[]];
  readonly selectionSets: readonly SelectionSetNode[];
}

export interface JoinedEnclosing {
  readonly alone: readonly Enclosing[];
  readonly joint: readonly JointGroup[];
}

/**
 * Counts the fields of a position that have the same selections but separate positions for their values. If these lead to such fields
 * again, the number of positions is exponential in the depth.
 *
 * @throws TooManyPositions when the maximum is exceeded
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
  if (multiplied.count > multiplied.max) throw new TooManyPositions();
}

/**
 * Groups fields at one data path that have the same selections, regardless of their parent objects and subgraphs. Each group gets one
 * position. The number of positions at a data path then depends on the subgraphs and the selection sets, not on the number of paths in the
 * document.
 *
 * @param enclosing fields of all positions at some data paths
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
  /** Keys that the values of all members have. */
  keys: ResolvedKeys | undefined;
}

/** Adds a field to a group. @returns false if the values of all members together lead to fewer subgraphs than those of a single member */
function addMember(scope: PlanningScope, group: Draft, { member, keys }: Joining): boolean {
  if (keys !== undefined && group.keys !== undefined) {
    const common = commonKeys(scope, group.keys, keys);
    if (common === undefined) return false;
    group.keys = common;
  }
  group.members.push(member);
  return true;
}

/** Merges groups with the same fields. A group with one field is planned at a separate position. */
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
  /** Identifier that is equal for fields whose values can be planned at one position, if their keys allow it. */
  readonly id: string;
  /** Keys of the values. Absent when only values of one subgraph are joined, because these have the same keys. */
  readonly keys: ResolvedKeys | undefined;
}

/** Determines the fields with which a field can share a joint position. Returns undefined for a field that must be planned separately. */
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
  const position: (string | number)[] = [dataPathOf(scope.joint, part).number, key, declared.name];
  if (takesContext(scope, wanted.selectionSets)) {
    // The value of a context comes from the nearest enclosing object that sets it.
    position.push(contextsAround(scope.joint, part));
  }
  if (isJointSource(subgraph) || (provides.length === 0 && inside.subgraphs.get(subgraph)?.isInterfaceObject !== true)) {
    return { member, id: position.join(' '), keys: resolvedKeys(scope, declared, subgraph) };
  }
  return { member, id: [...position, 'only', subgraph, inside.name, ...provides.map((set) => print(set))].join(' '), keys: undefined };
}

/** Whether the type names of the objects are known or can be selected. The path to the values of their fields depends on these names. */
function isTypeKnown({ graph }: PlanningScope, { type, types, whole, presences }: Position): boolean {
  if (whole !== undefined || type.kind !== 'object') return whole !== undefined && types !== undefined;
  if (presences.size === 0) return false;
  for (const [subgraph, { selection }] of presences) {
    if (graph.types.get(selection.type)?.subgraphs.get(subgraph)?.isInterfaceObject === true) return false;
  }
  return true;
}

/** Whether the field can be selected in a separate fragment, next to other selections of the same field. */
function hasFragments({ part, presence: { base, selection } }: Enclosing): boolean {
  return base !== undefined || selection.type === part.type.name;
}

/** Whether the field can have the selections of a joint position: in a fragment, or as the first field with its key. */
function isSelectable(enclosing: Enclosing, taken: Map<SelectionBuilder, Set<string>>): boolean {
  if (hasFragments(enclosing)) return true;
  const { presence, key } = enclosing;
  const keys = taken.get(presence.selection) ?? new Set(presence.selection.fields.keys());
  taken.set(presence.selection, keys);
  if (keys.has(key)) return false;
  keys.add(key);
  return true;
}
