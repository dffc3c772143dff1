import { Kind, type SelectionSetNode } from 'graphql';
import type { FieldFacts, TypeFacts } from '../random-federation/read-facts.ts';
import { decide } from './decisions.ts';
import { type LeafFormat, type RestField, type RestMember, type RestObject, type RestValue, listsIn, namedIn } from './rest-value.ts';
import { fieldsIn, isRoot, mergeSelections, needsConnector, type SubgraphModel } from './subgraph-model.ts';

/** Thrown for a field that no selection can contain: its type occurs within itself, or is an interface without object types. */
export class UnselectableField extends Error {
  readonly type: string;
  readonly field: string;

  constructor(type: string, field: string) {
    super(`No selection can contain ${type}.${field}.`);
    this.type = type;
    this.field = field;
  }
}

/** Probability that a field which could be selected has its own connector. */
const OWN_CONNECTOR = 0.12;

/** Position of a value in the response of a connector. */
export interface DrawnPosition {
  readonly model: SubgraphModel;
  /** Text that distinguishes the connector, for decisions. */
  readonly connector: string;
  /** Types around the position. */
  readonly around: readonly string[];
}

/** Fields that are selected of an object. */
interface Wanted {
  /** Whether all fields are selected, and not only a key and some others. */
  readonly isWhole: boolean;
  /** Fields that must be selected: those of a key, and provided ones. */
  readonly needed?: SelectionSetNode | undefined;
}

/** Whether a field has its own connector. */
export function hasOwnConnector({ seed, facts, resolvableKeys, isReferenced }: SubgraphModel, type: TypeFacts, field: FieldFacts): boolean {
  if (isRoot(type.name)) return true;
  if (field.isExternal || type.kind !== 'object' || resolvableKeys(type.name).length === 0) return false;
  if (needsConnector(field)) return true;
  return !isReferenced(type.name, field.name) && decide(seed, facts.name, type.name, field.name, 'own').chance(OWN_CONNECTOR);
}

/**
 * Draws the JSON of a field.
 *
 * @throws UnselectableField
 */
export function drawValue(
  position: DrawnPosition,
  { name: typeName }: TypeFacts,
  field: FieldFacts,
  wanted: Wanted = { isWhole: false },
): RestValue {
  const { model, around } = position;
  const named = namedIn(field.type);
  const type = model.typeOf(named);
  if (type === undefined) return { kind: 'leaf', format: drawFormat(model, typeName, field, named), lists: listsIn(field.type) };
  if (around.includes(named)) throw new UnselectableField(typeName, field.name);
  const inside = { ...position, around: [...around, named] };
  if (type.kind === 'object') return { kind: 'object', object: drawObject(inside, type, wanted) };
  const members = model.membersOf(named).flatMap((member): readonly RestMember[] => {
    const found = model.typeOf(member);
    if (found === undefined) return [];
    const position = { ...inside, around: [...inside.around, member] };
    return [{ value: `is-${member.toLowerCase()}`, object: drawObject(position, found, wanted) }];
  });
  if (members.length === 0) throw new UnselectableField(typeName, field.name);
  return { kind: 'abstract', tag: 'kind', members };
}

/** Draws the fields of an object. @throws UnselectableField if a field that must be selected contains its own type */
export function drawObject(position: DrawnPosition, type: TypeFacts, { isWhole, needed }: Wanted): RestObject {
  const { model, connector } = position;
  const applies = (condition: string): boolean => condition === '' || model.membersOf(condition).includes(type.name);
  const keys = model.resolvableKeys(type.name);
  const random = decide(model.seed, model.facts.name, connector, type.name);
  const key = keys.length === 0 ? undefined : random.pick(keys);
  const required = fieldsIn(mergeSelections(key, needed), applies);
  const fields: RestField[] = [];
  for (const field of type.fields.values()) {
    const isNeeded = required.has(field.name);
    if (hasOwnConnector(model, type, field) || (field.isExternal && !isNeeded)) continue;
    const isMandatory = isNeeded || isWhole || keys.length === 0;
    if (!isMandatory && !random.chance(0.3)) continue;
    try {
      fields.push(drawField(position, type, field, mergeSelections(required.get(field.name), field.provides)));
    } catch (error) {
      if (isMandatory || !(error instanceof UnselectableField)) throw error;
    }
  }
  return { type: type.name, fields };
}

function drawField(position: DrawnPosition, type: TypeFacts, field: FieldFacts, needed: SelectionSetNode | undefined): RestField {
  const { model } = position;
  const random = decide(model.seed, model.facts.name, type.name, field.name, 'path');
  const value = drawValue(position, type, field, { isWhole: false, needed });
  const isSimple = value.kind === 'object' && field.type.kind === Kind.NON_NULL_TYPE && field.type.type.kind === Kind.NAMED_TYPE;
  if (isSimple && random.chance(0.5)) return { facts: field, path: [`${field.name}_`], isFlat: true, value };
  const paths = [
    [field.name],
    [`${field.name}Value`],
    [`x-${field.name}`],
    ['meta', field.name],
    ['meta', 'in-depth', `the_${field.name}`],
  ];
  return { facts: field, path: random.pick(paths), isFlat: false, value };
}

function drawFormat({ seed, facts }: SubgraphModel, type: string, { name }: FieldFacts, named: string): LeafFormat {
  const random = decide(seed, facts.name, type, name, 'format');
  const values = facts.enums.get(named);
  if (random.chance(0.3)) return { kind: 'same' };
  if (values !== undefined) return { kind: 'renamed', values: values.map((value) => [value, `${value.toLowerCase()}_`] as const) };
  if (named === 'JSON') return { kind: 'json text' };
  if (named === 'Int' && random.chance(0.5)) return { kind: 'digits' };
  if (named !== 'Boolean') return { kind: 'same' };
  return {
    kind: 'renamed',
    values: [
      [true, 'yes'],
      [false, 'no'],
    ],
  };
}
