import type { FieldNode, SelectionSetNode } from 'graphql';
import type { FederatedType } from '../../supergraph/federated-graph.ts';
import { dataKeyOf } from '../data-keys.ts';
import type { OperationPlan } from '../operation-plan.ts';
import type { Resolving } from '../resolvable.ts';
import { type WantedOfType, wantedOf } from '../wanted-by-type.ts';
import { type Wanted, type WantedScope, collectWanted } from '../wanted-fields.ts';
import { type FetchSet, type FetchSets, createFetchSets } from './fetch-set.ts';
import { type PopulatedPosition, type PopulatedPositions, createPopulatedPositions } from './populated-positions.ts';
import { UnfilledField } from './unfilled-field.ts';

/** Scope for reading an operation: all of it, or without the deferred fragments. */
export type VerifiedScope = WantedScope & Resolving;

/**
 * Verifies that the fetches of a plan provide every selected field of every possible type, and that each fetch follows the fetches that it
 * takes values from. The cost is polynomial in the operation, the plan and the types: positions with equal fetches are verified once for
 * the same selections.
 *
 * @param scopes the first for the initial result, the last for the whole operation; a single one without active `@defer` directives
 * @throws UnfilledField for the first selected field that no fetch provides
 */
export function verifyPlan(
  plan: OperationPlan,
  selectionSet: SelectionSetNode,
  scopes: readonly [VerifiedScope, ...VerifiedScope[]],
): void {
  const [first, ...later] = scopes;
  const last = later.at(-1);
  const sets = createFetchSets(plan.fetches.length);
  const all = sets.of(plan.fetches.keys());
  verify(plan, selectionSet, first, { sets, counted: last === undefined ? all : sets.of(undeferredOf(plan)) });
  if (last !== undefined) verify(plan, selectionSet, last, { sets, counted: all });
}

function verify(
  plan: OperationPlan,
  selectionSet: SelectionSetNode,
  scope: VerifiedScope,
  fetches: { readonly sets: FetchSets; readonly counted: FetchSet },
): void {
  const positions = createPopulatedPositions(scope, plan, fetches);
  const walk: Walk = {
    plan,
    scope,
    positions,
    verified: new Set(),
    ids: new Map(),
    wantedIds: new Map(),
    names: new Map(),
    types: new Map(),
  };
  const { root } = positions;
  if (plan.kind !== 'mutation') {
    verifyPosition(walk, root, [selectionSet], false);
    return;
  }
  // A deferred root field of a mutation is executed in order. Its data key is its response key.
  const wanted = collectWanted({ ...scope, waiting: NONE }, root.type.name, [selectionSet], responseKeyOf);
  verifyFields(walk, { position: root, wanted, typename: root.type.name, isBeneathAbstract: false }, responseKeyOf);
}

const NONE: ReadonlySet<never> = new Set();

interface Walk {
  readonly plan: OperationPlan;
  readonly scope: VerifiedScope;
  readonly positions: PopulatedPositions;
  /** Positions with the selections that were verified there. */
  readonly verified: Set<string>;
  readonly ids: Map<SelectionSetNode, number>;
  readonly wantedIds: Map<Wanted, number>;
  /** Lists of field names by their text. */
  readonly names: Map<string, readonly string[]>;
  /** Possible public types, by type and by all possible types. */
  readonly types: Map<FederatedType, Map<ReadonlySet<string>, readonly string[]>>;
}

function verifyPosition(
  walk: Walk,
  position: PopulatedPosition,
  selectionSets: readonly SelectionSetNode[],
  isBeneathAbstract: boolean,
): void {
  const { scope, verified } = walk;
  const id = `${position.id}|${isBeneathAbstract}|${selectionSets.map((set) => idOf(walk, set)).join()}`;
  if (verified.has(id)) return;
  verified.add(id);
  const { type } = position;
  const isAbstract = type.kind !== 'object' && type.publicTypes.size > 0;
  const names = isAbstract ? occurringAt(walk, position) : [type.name];
  const wantedByType = wantedOf(scope, names, selectionSets);
  const examples = isAbstract ? examplesOf(walk, position, wantedByType, isBeneathAbstract) : wantedByType;
  if (isAbstract && isTypeWanted(wantedByType)) verifyTypename(walk, position, examples);
  for (const { name: typename, wanted } of examples) {
    const object = walk.positions.objectAt(position, typename);
    const wantedId = walk.wantedIds.get(wanted) ?? walk.wantedIds.size;
    walk.wantedIds.set(wanted, wantedId);
    const ofObject = `${object.id}|${isBeneathAbstract}|${wantedId}|of object`;
    if (verified.has(ofObject)) continue;
    verified.add(ofObject);
    verifyFields(walk, { position, typename, wanted, isBeneathAbstract }, (field) => {
      return dataKeyOf(walk.plan.keys, field, typename, isBeneathAbstract);
    });
  }
}

/** Lists the public object types that values of a position can have. */
function occurringAt({ types }: Walk, { type, occurring }: PopulatedPosition): readonly string[] {
  let ofType = types.get(type);
  if (ofType === undefined) types.set(type, (ofType = new Map()));
  let names = ofType.get(occurring);
  if (names === undefined) ofType.set(occurring, (names = [...type.publicTypes].filter((name) => occurring.has(name))));
  return names;
}

/** Returns one type of each kind. Types of one kind have the same selections, and the fetches provide the same fields for them. */
function examplesOf(
  { positions, plan, names }: Walk,
  position: PopulatedPosition,
  wantedByType: readonly WantedOfType[],
  isBeneathAbstract: boolean,
): readonly WantedOfType[] {
  const known = new Map<Wanted, KindsOfWanted>();
  const hasSuffixes = isBeneathAbstract && Object.keys(plan.keys.beneathAbstract).length > 0;
  return wantedByType.filter(({ name, wanted }) => {
    let ofWanted = known.get(wanted);
    if (ofWanted === undefined) {
      const fields = namesOf(names, wanted);
      known.set(wanted, (ofWanted = { names: fields, kindOf: positions.kindsAt(position, fields), kinds: new Set() }));
    }
    const { names: fields, kindOf, kinds } = ofWanted;
    const suffixes = hasSuffixes ? fields.map((field) => plan.keys.beneathAbstract[`${name}.${field}`] ?? '').join() : '';
    const kind = suffixes === '' ? kindOf(name) : `${suffixes}|${kindOf(name)}`;
    if (kinds.has(kind)) return false;
    kinds.add(kind);
    return true;
  });
}

interface KindsOfWanted {
  /** Names of the wanted fields. */
  readonly names: readonly string[];
  readonly kindOf: (type: string) => string | number;
  /** Kinds that already have an example. */
  readonly kinds: Set<string | number>;
}

/** Lists the names of the wanted fields without duplicates. Equal lists are one array. */
function namesOf(known: Map<string, readonly string[]>, { fields }: Wanted): readonly string[] {
  const names = [...new Set(fields.map(({ node }) => node.name.value))];
  const id = names.join();
  const same = known.get(id);
  if (same !== undefined) return same;
  known.set(id, names);
  return names;
}

interface VerifiedType {
  readonly position: PopulatedPosition;
  readonly typename: string;
  readonly wanted: Wanted;
  readonly isBeneathAbstract: boolean;
}

function verifyFields(
  walk: Walk,
  { position, typename, wanted, isBeneathAbstract }: VerifiedType,
  keyOf: (field: FieldNode) => string,
): void {
  if (wanted.fields.length === 0) return;
  const object = walk.positions.objectAt(position, typename);
  for (const { node, selectionSets } of wanted.fields) {
    const name = node.name.value;
    const key = keyOf(node);
    if (!walk.positions.isBrought(object, name, key)) throw new UnfilledField(`${typename}.${name}`);
    if (selectionSets.length === 0) continue;
    const child = walk.positions.childOf(object, name, key);
    if (child === undefined) throw new UnfilledField(`${typename}.${name}`);
    verifyPosition(walk, child, selectionSets, isBeneathAbstract || child.type.kind !== 'object');
  }
}

/** Whether the response needs the types of values: their names are selected, or the selections differ by type. */
function isTypeWanted(wantedByType: readonly WantedOfType[]): boolean {
  const [first, second] = wantedByType;
  if (first === undefined || second === undefined) return false;
  if (first.wanted.hasTypename) return true;
  return wantedByType.some(({ wanted }) => {
    if (wanted === first.wanted) return false;
    const { hasTypename, nodes } = wanted;
    return hasTypename || nodes.length !== first.wanted.nodes.length || nodes.some((node, index) => node !== first.wanted.nodes[index]);
  });
}

function verifyTypename({ positions }: Walk, position: PopulatedPosition, examples: readonly WantedOfType[]): void {
  const isTyped = examples.every(({ name }) => positions.isBrought(positions.objectAt(position, name), '__typename', '__typename'));
  if (!isTyped) throw new UnfilledField(`${position.type.name}.__typename`);
}

function idOf({ ids }: Walk, selectionSet: SelectionSetNode): number {
  const id = ids.get(selectionSet) ?? ids.size;
  ids.set(selectionSet, id);
  return id;
}

function responseKeyOf({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

/** Returns the fetches that the initial result depends on. */
function undeferredOf({ fetches }: OperationPlan): ReadonlySet<number> {
  const set = new Set<number>();
  for (const [index, { deferral, dependsOn }] of fetches.entries()) {
    if (deferral === undefined && dependsOn.every((needed) => set.has(needed))) set.add(index);
  }
  return set;
}
