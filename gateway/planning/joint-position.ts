import { printArguments, printDirectives } from './data-keys.ts';
import { addPresence, addTypename } from './enter-subgraph.ts';
import type { JointGroup, JointMember } from './join-enclosing.ts';
import { positionNumber } from './joint-positions.ts';
import { nameJointSource } from './joint-source.ts';
import { type FetchBuilder, type Position, createPosition } from './positions.ts';
import { type PlanningScope, spend } from './planning-scope.ts';
import { type FieldBuilder, type SelectionBuilder, createSelectionBuilder, viewAs } from './selection-builder.ts';
import { variablesIn } from './operation-variables.ts';

/**
 * Selects a field of several positions with one selection, which is planned at a joint position.
 *
 * @returns the joint position
 */
export function addJointPosition(scope: PlanningScope, { members }: Pick<JointGroup, 'members'>): Position | undefined {
  const [first] = members;
  const { node } = first.wanted;
  const { key } = first;
  const declared = scope.graph.types.get(first.part.type.fields.get(node.name.value)?.namedType ?? '');
  if (declared === undefined) return undefined;
  const isOneType = members.every(({ valueType }) => valueType === first.valueType);
  const selection = createSelectionBuilder(isOneType ? first.valueType : declared.name, true);
  const views = new Map<string, SelectionBuilder>([[selection.type, selection]]);
  for (const member of members) {
    spend(scope);
    const { presence, valueType } = member;
    let view = views.get(valueType);
    // The subgraph returns the values as another type. The selections are the same, except for impossible types.
    if (view === undefined) views.set(valueType, (view = viewAs(selection, valueType)));
    select(member, {
      name: node.name.value,
      key,
      arguments: printArguments(node.arguments, presence.given),
      directives: printDirectives(node),
      variables: variablesIn(node, scope.variables),
      selection: view,
    });
  }
  const around = unitePositions(scope, members);
  const fetch = uniteFetches(
    first.presence.fetch,
    members.map(({ presence }) => presence.fetch),
  );
  around.builders.set(key, fetch);
  const position = createPosition({ type: declared, parent: around, field: node, key, isBeneathAbstract: true, isJoint: true });
  const subgraphs = new Set(members.map(({ presence: { subgraph } }) => subgraph));
  const [subgraph = '', ...others] = subgraphs;
  addPresence(position, {
    subgraph: others.length === 0 ? subgraph : nameJointSource(subgraphs),
    fetch,
    selection,
    provides: first.provides,
  });
  return position;
}

function select({ part, presence: { base, selection } }: JointMember, field: FieldBuilder): void {
  const builder = base ?? (selection.type === part.type.name ? selection : undefined);
  if (builder === undefined) {
    // The subgraph defines all types as one interface object, so all of them have the same selections.
    selection.fields.set(field.key, field);
    return;
  }
  const fields = createSelectionBuilder(part.type.name);
  fields.fields.set(field.key, field);
  // Uses a separate fragment, in which the same field can be selected with other selections.
  builder.fragments.set(`joint ${builder.fragments.size}`, { types: part.types ?? [part.type.name], selection: fields });
}

/** Creates the position of the objects that have the fields. It represents the path to the values and the requests that fetch them. */
function unitePositions(scope: PlanningScope, [first, ...others]: JointGroup['members']): Position {
  const { type, whole = first.part } = first.part;
  // Fields of other objects at the data path can lead to values of another type. The path therefore contains type names, even for objects
  // of a single type.
  for (const { part } of [first, ...others]) if (part.whole === undefined) addTypename(part);
  const around = unitePaths(
    scope,
    whole,
    others.map(({ part }) => part.whole ?? part),
  );
  const united = [first.part, ...others.map(({ part }) => part)];
  const { parent, field, key } = around;
  const types = [...new Set(united.flatMap((part) => part.types ?? [part.type.name]))].sort();
  return createPosition({ type, parent, field, key, whole: around, types, isBeneathAbstract: true, united });
}

/** Lists the object types of several positions. Returns undefined if the types are irrelevant for one of them. */
function uniteTypes(positions: readonly Position[]): readonly string[] | undefined {
  if (positions.some(({ types }) => types === undefined)) return undefined;
  return [...new Set(positions.flatMap(({ types }) => types ?? []))].sort();
}

/**
 * Unites positions with the same data path. The path to the united position leads to all of them. It may lead to further objects, but these
 * lack the required key, so no representations are created for them.
 */
function unitePaths(scope: PlanningScope, first: Position, others: readonly Position[]): Position {
  const distinct = [...new Set([first, ...others])];
  if (distinct.length === 1) return first;
  const { united } = scope.joint;
  const id = distinct.map((position) => positionNumber(scope.joint, position)).join();
  let position = united.get(id);
  if (position === undefined) united.set(id, (position = createUnited(scope, first, distinct)));
  return position;
}

function createUnited(scope: PlanningScope, first: Position, positions: readonly Position[]): Position {
  const { type, field, key } = first;
  const parent =
    first.parent &&
    unitePaths(
      scope,
      first.parent,
      positions.flatMap((position) => position.parent ?? []),
    );
  const whole =
    first.whole &&
    unitePaths(
      scope,
      first.whole,
      positions.flatMap((position) => position.whole ?? []),
    );
  const united = createPosition({
    type,
    parent,
    field,
    key,
    whole,
    types: uniteTypes(positions),
    isBeneathAbstract: true,
    united: positions,
  });
  const [typed, ...further] = positions.flatMap(({ builders }) => builders.get('__typename') ?? []);
  if (typed !== undefined) united.builders.set('__typename', uniteFetches(typed, further));
  return united;
}

/** Creates a fetch that represents several fetches and finishes with the last of them. */
function uniteFetches(first: FetchBuilder, others: readonly FetchBuilder[]): FetchBuilder {
  const distinct = new Set([first, ...others]);
  if (distinct.size === 1) return first;
  return {
    subgraph: nameJointSource([...distinct].map(({ subgraph }) => subgraph)),
    kind: 'query',
    position: first.position,
    positions: [first.position],
    selection: first.selection,
    dependsOn: distinct,
    level: Math.max(...[...distinct].map(({ level }) => level)),
    deferral: 0,
    representation: undefined,
    contextArguments: [],
    members: [...distinct],
  };
}
