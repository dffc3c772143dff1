import { Kind, type SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { classesOf } from './alike-classes.ts';
import { chooseSubgraphs } from './choose-subgraph.ts';
import type { Choice } from './priced-choice.ts';
import type { Enclosing } from './enclosing.ts';
import { ensureDeferredPresence, ensurePresence, enterWithRequirements, addField, addTypename } from './enter-subgraph.ts';
import { findType } from './find-type.ts';
import { countMultiplied, joinEnclosing } from './join-enclosing.ts';
import { addJointPosition } from './joint-position.ts';
import { dataPathOf } from './joint-positions.ts';
import { possibleTypesIn } from './joint-source.ts';
import { noteNeed } from './least-size.ts';
import { type FetchBuilder, partOf, type Position, sourceAt } from './positions.ts';
import { type PlannedBy, type PlanningScope, type Purpose, spend } from './planning-scope.ts';
import { entryPoints, hasRequirements, plainSource, providedInside, resolverOf, type Source, subgraphsNaming } from './resolvable.ts';
import { findRoutes } from './routes.ts';
import { shareEnclosing } from './share-enclosing.ts';
import { examplesOf, wantedOf, type WantedOfType } from './wanted-by-type.ts';
import { collectWanted, isSameWanted, type Wanted, type WantedField } from './wanted-fields.ts';
import { addWholeSelection } from './whole-selection.ts';

/**
 * Whether the subgraphs that resolve a field together provide all of its selections, or lead to entities whose other fields can be fetched
 * by key.
 */
function isCoveredInside(
  scope: PlanningScope,
  sources: readonly Source[],
  type: FederatedType,
  { node, selectionSets }: WantedField,
): boolean {
  const name = node.name.value;
  const inside = scope.graph.types.get(type.fields.get(name)?.namedType ?? '');
  if (inside === undefined) return true;
  const within = sources.flatMap((source): readonly Source[] => {
    const resolver = resolverOf(scope, type, name, source);
    if (resolver === undefined) return [];
    const provides = [
      ...providedInside(scope.graph, type, name, source.provides),
      ...(resolver.provides === undefined ? [] : [resolver.provides]),
    ];
    return [{ subgraph: source.subgraph, provides }];
  });
  const names = inside.kind === 'object' || inside.publicTypes.size === 0 ? [inside.name] : inside.publicTypes;
  return examplesOf(scope, wantedOf(scope, names, selectionSets)).every(({ name: typename, wanted }) => {
    const possible = scope.graph.types.get(typename);
    return possible === undefined || wanted.fields.every((field) => isCovered(scope, within, possible, field));
  });
}

function isCovered(scope: PlanningScope, sources: readonly Source[], type: FederatedType, field: WantedField): boolean {
  const name = field.node.name.value;
  const canBeEntered = subgraphsNaming(scope.graph, type, name).some((subgraph) => entryPoints(scope.graph, type, subgraph).length > 0);
  if (canBeEntered) return true;
  const resolving = sources.filter((source) => {
    const resolver = resolverOf(scope, type, name, source);
    return resolver !== undefined && !hasRequirements(resolver);
  });
  return resolving.length > 0 && isCoveredInside(scope, resolving, type, field);
}

/** Cost of planning a position or a part of one, in fields. Stops early when positions multiply with the depth. */
const STEPS_OF_POSITION = 25;

/** Plans the selections for the values of a position. */
export function planSelection(
  scope: PlanningScope,
  position: Position,
  selectionSets: readonly SelectionSetNode[],
  purpose: Purpose,
): PlannedBy {
  spend(scope, STEPS_OF_POSITION);
  if (position.united.length > 0)
    return new Set(position.united.flatMap((each) => [...planSelection(scope, each, selectionSets, purpose)]));
  if (position.type.kind === 'object')
    return planFields(scope, position, collectWanted(scope, position.type.name, selectionSets).fields, purpose);
  return planAbstract(scope, position, selectionSets, purpose);
}

/** Plans fields for values of one type. */
function planFields(scope: PlanningScope, position: Position, fields: readonly WantedField[], purpose: Purpose): PlannedBy {
  const all: Enclosing[] = [];
  const plannedBy = chooseFields(scope, position, fields, { purpose, enclosing: all });
  const enclosing = all.filter((one) => !doesWait(scope, one, purpose));
  if (enclosing.length < all.length) scope.joint.waiting.push(...all.filter((one) => !enclosing.includes(one)));
  if (position.whole !== undefined) {
    for (const { presence, key, wanted } of enclosing) addField(scope, position, presence, { field: wanted.node, key });
  }
  for (const [child, selectionSets] of wantedInside(position, enclosing)) {
    for (const fetch of planInside(scope, child, selectionSets, purpose)) plannedBy.add(fetch);
  }
  return plannedBy;
}

/**
 * Whether a field of an object is planned only when all fields at its data path are known. Beneath an abstract position, several objects
 * can have one data path.
 */
function doesWait(scope: PlanningScope, { part, wanted }: Enclosing, { isInput }: Purpose): boolean {
  if (!scope.isJoining || isInput || part.whole !== undefined || part.type.kind !== 'object' || !part.isBeneathAbstract) return false;
  return scope.graph.types.get(part.type.fields.get(wanted.node.name.value)?.namedType ?? '')?.kind !== 'object';
}

/** Plans the selections inside a field. A representation can contain `__typename` inside an object, also for an object type. */
function planInside(scope: PlanningScope, child: Position, selectionSets: readonly SelectionSetNode[], purpose: Purpose): PlannedBy {
  const whole = addWholeSelection(scope, child, selectionSets, purpose);
  if (whole !== undefined) return new Set([whole]);
  const planned = planSelection(scope, child, selectionSets, purpose);
  if (!purpose.isInput || child.type.kind !== 'object' || !collectWanted(scope, child.type.name, selectionSets).hasTypename) return planned;
  const typed = addTypename(child);
  return typed === undefined ? planned : new Set([...planned, typed]);
}

/** Collects the selections inside fields that are already placed. */
function wantedInside(position: Position, enclosing: readonly Enclosing[]): ReadonlyMap<Position, readonly SelectionSetNode[]> {
  const inside = new Map<Position, readonly SelectionSetNode[]>();
  for (const { key, wanted } of enclosing) {
    const child = position.children.get(key);
    if (child !== undefined) inside.set(child, [...(inside.get(child) ?? []), ...wanted.selectionSets]);
  }
  return inside;
}

interface Choosing {
  readonly purpose: Purpose;
  /** Receives the fields with selections. Fields of a part of an abstract position are not placed yet. */
  readonly enclosing: Enclosing[];
}

/** Chooses a subgraph for each field of values of one type. */
function chooseFields(
  scope: PlanningScope,
  position: Position,
  fields: readonly WantedField[],
  { purpose, enclosing }: Choosing,
): Set<FetchBuilder> {
  const plannedBy = new Set<FetchBuilder>();
  const keyOf = ({ node }: WantedField): string => scope.keys.keyOf(node, position.type.name, position.isBeneathAbstract);
  let remaining: WantedField[] = [];
  for (const wanted of fields) {
    const key = keyOf(wanted);
    const source = sourceAt(position, key);
    const known = source?.fetch ?? position.builders.get(key);
    if (known === undefined) {
      remaining.push(wanted);
      if (!purpose.isInput) noteNeed(scope, position, wanted.node.name.value);
      continue;
    }
    plannedBy.add(known);
    if (wanted.selectionSets.length > 0 && source !== undefined) enclosing.push({ part: position, presence: source, wanted, key });
  }
  const place = ({ subgraph, chosen, isRequiring }: Choice): void => {
    for (const wanted of chosen) {
      const key = keyOf(wanted);
      const presence = isRequiring
        ? enterWithRequirements(scope, position, { subgraph, field: wanted.node, key }, purpose)
        : purpose.isInput || scope.deferral === 0
          ? ensurePresence(scope, position, subgraph, purpose)
          : ensureDeferredPresence(scope, position, { subgraph, field: wanted.node }, purpose);
      const isLeaf = wanted.selectionSets.length === 0;
      const one = { part: position, presence, wanted, key };
      if (isLeaf || (position.whole === undefined && !doesWait(scope, one, purpose))) {
        addField(scope, position, presence, { field: wanted.node, key });
      }
      if (!isLeaf) enclosing.push(one);
      plannedBy.add(presence.fetch);
    }
  };
  while (remaining.length > 0) {
    const open = { fields: remaining, inside: () => wantedInside(position, enclosing) };
    spend(scope, remaining.length);
    for (const [index, choice] of chooseSubgraphs(scope, position, open, purpose).entries()) {
      if (index > 0) spend(scope, remaining.length);
      place(choice);
      remaining = remaining.filter((wanted) => !choice.chosen.includes(wanted));
    }
  }
  return plannedBy;
}

/** Plans the selections of an interface or a union separately for each type, because each type can come from another subgraph. */
function planAbstract(scope: PlanningScope, position: Position, selectionSets: readonly SelectionSetNode[], purpose: Purpose): PlannedBy {
  const names = [...(purpose.isInput ? position.type.possibleTypes : position.type.publicTypes)];
  // If no type implements an interface, its values are only known by the interface.
  if (names.length === 0) return planFields(scope, position, collectWanted(scope, position.type.name, selectionSets).fields, purpose);
  const wantedByType = wantedOf(scope, names, selectionSets);
  const plannedBy = new Set<FetchBuilder>();
  const common = isTyped(position) ? [] : commonFields(scope, position, wantedByType, purpose);
  for (const fetch of planFields(scope, position, common, purpose)) plannedBy.add(fetch);
  const ids = new Set(common.map(({ id }) => id));
  const isTypeWanted =
    wantedByType.some(({ wanted }) => wanted.hasTypename || wanted.fields.some(({ id }) => !ids.has(id))) ||
    (purpose.isInput && isReportedByType(position.type.name, selectionSets));
  if ((isTypeWanted || (!purpose.isInput && !isOneShape(wantedByType))) && !isTyped(position))
    findType(scope, position, selectionSets, purpose);
  const typed = position.builders.get('__typename');
  if (typed !== undefined) plannedBy.add(typed);
  const occurring = occurringTypes(scope, position);
  const rest = ids.size === 0 ? wantedByType : withoutFields(wantedByType, ids);
  const classes = classesOf(
    scope,
    position,
    rest.filter(({ name }) => occurring(name)),
    purpose,
  );
  scope.classes.set(position, classes);
  const enclosing: Enclosing[] = [];
  spend(scope, STEPS_OF_POSITION * classes.length);
  for (const { type, names: types, fields } of classes) {
    for (const fetch of chooseFields(scope, partOf(position, type, types), fields, { purpose, enclosing })) plannedBy.add(fetch);
  }
  for (const fetch of planEnclosing(scope, position, enclosing, purpose)) plannedBy.add(fetch);
  return plannedBy;
}

/** Plans the selections inside fields of parts of an abstract position, or postpones them until all fields at their data path are known. */
function planEnclosing(scope: PlanningScope, position: Position, enclosing: readonly Enclosing[], purpose: Purpose): PlannedBy {
  const plannedBy = new Set<FetchBuilder>();
  const shared = shareEnclosing(scope, position, enclosing);
  if (!purpose.isInput) {
    if (scope.isJoining) {
      scope.joint.waiting.push(...shared);
      return plannedBy;
    }
    countMultiplied(scope, shared);
  }
  for (const { part, presence, wanted, key } of shared) {
    const child = addField(scope, part, presence, { field: wanted.node, key });
    if (child === undefined) continue;
    for (const fetch of planInside(scope, child, wanted.selectionSets, purpose)) plannedBy.add(fetch);
  }
  return plannedBy;
}

/**
 * Plans the client's selections at a position. With joint positions, it processes one data path after another, from the shortest to the
 * longest.
 */
export function planClientSelection(scope: PlanningScope, position: Position, selectionSets: readonly SelectionSetNode[]): void {
  const purpose: Purpose = { avoid: new Set(), isInput: false };
  const { waiting } = scope.joint;
  planSelection(scope, position, selectionSets, purpose);
  while (waiting.length > 0) {
    const lengthOf = ({ part }: Enclosing): number => dataPathOf(scope.joint, part).length;
    const shortest = Math.min(...waiting.map(lengthOf));
    const all = waiting.splice(0);
    waiting.push(...all.filter((one) => lengthOf(one) > shortest));
    const { alone, joint } = joinEnclosing(
      scope,
      all.filter((one) => lengthOf(one) === shortest),
    );
    for (const { part, presence, wanted, key } of alone) {
      const child = addField(scope, part, presence, { field: wanted.node, key });
      if (child !== undefined) planInside(scope, child, wanted.selectionSets, purpose);
    }
    for (const group of joint) {
      const child = addJointPosition(scope, group);
      if (child !== undefined) planInside(scope, child, group.selectionSets, purpose);
    }
  }
}

function withoutFields(wantedByType: readonly WantedOfType[], ids: ReadonlySet<string>): readonly WantedOfType[] {
  const known = new Map<Wanted, Wanted>();
  return wantedByType.map(({ name, wanted }) => {
    let rest = known.get(wanted);
    if (rest === undefined) known.set(wanted, (rest = { ...wanted, fields: wanted.fields.filter(({ id }) => !ids.has(id)) }));
    return { name, wanted: rest };
  });
}

/**
 * Whether a representation contains fields by type, even if they are equal for all types. Its receiver then needs the type of each value.
 */
function isReportedByType(type: string, selectionSets: readonly SelectionSetNode[]): boolean {
  return selectionSets.some(({ selections }) => {
    return selections.some((selection) => {
      if (selection.kind !== Kind.INLINE_FRAGMENT) return false;
      const { typeCondition, selectionSet } = selection;
      return (typeCondition !== undefined && typeCondition.name.value !== type) || isReportedByType(type, [selectionSet]);
    });
  });
}

/** Whether the result has the same shape for values of all types. */
function isOneShape([first, ...others]: readonly WantedOfType[]): boolean {
  return others.every(({ wanted }) => {
    const { nodes } = wanted;
    if (wanted === first?.wanted) return true;
    return nodes.length === first?.wanted.nodes.length && nodes.every((node, index) => node === first.wanted.nodes[index]);
  });
}

/** Whether a queried subgraph can determine the object types of the values. */
function isTyped({ type, presences }: Position): boolean {
  return [...presences.keys()].some((subgraph) => type.subgraphs.get(subgraph)?.isInterfaceObject !== true);
}

/**
 * Returns a check for the types that values of a position can have: those that all subgraphs that could resolve the field define. Subgraphs
 * that share a field resolve it to the same values.
 */
function occurringTypes(scope: PlanningScope, position: Position): (type: string) => boolean {
  const known = [...findRoutes(scope, position, new Set())].flatMap(([subgraph, { by }]) => {
    if (by !== 'presence' && by !== 'parent') return [];
    const declared = scope.graph.types.get(typeNameIn(scope, position, subgraph));
    if (declared === undefined || declared.subgraphs.get(subgraph)?.isInterfaceObject === true) return [];
    const types = possibleTypesIn(declared, subgraph) ?? declared.possibleTypes;
    const isBound = by === 'presence' || [...position.type.possibleTypes].every((name) => types.has(name));
    return isBound || resolvesAll(scope, position, subgraph) ? [types] : [];
  });
  return (type) => known.every((types) => types.has(type));
}

/**
 * Whether a subgraph resolves the field that leads to a position for all types that are planned together, and not only for their
 * representative.
 */
function resolvesAll(scope: PlanningScope, { parent, field }: Position, subgraph: string): boolean {
  if (parent === undefined || field === undefined) return true;
  const around = parent.united.length > 0 ? parent.united : [parent];
  const owners = around.flatMap(({ type, types = [type.name] }) => types.map((name) => scope.graph.types.get(name)));
  return owners.every((owner) => owner !== undefined && resolverOf(scope, owner, field.name.value, plainSource(subgraph)) !== undefined);
}

/** Returns the declared type of a position in one subgraph. */
function typeNameIn(scope: PlanningScope, { type, parent, field, presences }: Position, subgraph: string): string {
  const requested = presences.get(subgraph)?.selection.type;
  if (requested !== undefined || parent === undefined || field === undefined) return requested ?? type.name;
  return resolverOf(scope, parent.type, field.name.value, plainSource(subgraph))?.namedType ?? type.name;
}

/**
 * Returns the fields that are wanted for all types and are available from subgraphs that define the interface as an object, so that no type
 * names are needed. Fields that only some types need are excluded, because the failures of the other types would be reported.
 */
function commonFields(
  scope: PlanningScope,
  position: Position,
  wantedByType: readonly WantedOfType[],
  { avoid }: Purpose,
): readonly WantedField[] {
  const [first, ...others] = wantedByType;
  if (first === undefined) return [];
  const routes = findRoutes(scope, position, avoid);
  return first.wanted.fields.filter((field) => {
    if (!others.every(({ wanted }) => wanted === first.wanted || wanted.fields.some((other) => isSameWanted(field, other)))) return false;
    const key = scope.keys.keyOf(field.node, position.type.name, position.isBeneathAbstract);
    if (wantedByType.some(({ name }) => scope.keys.keyOf(field.node, name, position.isBeneathAbstract) !== key)) return false;
    const sources = [...routes.keys()]
      .map(plainSource)
      .filter((source) => resolverOf(scope, position.type, field.node.name.value, source) !== undefined);
    // If no other subgraph can be queried for the nested values, they are fetched from subgraphs that define the object types.
    return sources.length > 0 && isCoveredInside(scope, sources, position.type, field);
  });
}
