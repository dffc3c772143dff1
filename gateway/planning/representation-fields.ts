import type { SelectionSetNode } from 'graphql';
import type { RepresentationField } from './operation-plan.ts';
import { type Position, childAt } from './positions.ts';
import type { PlanningScope } from './planning-scope.ts';
import { collectWanted } from './wanted-fields.ts';

/**
 * Converts a field set to the fields of a representation, each with its data key in the tree. The fields have already been planned. The
 * top-level `__typename` is omitted, because the representation itself contains it.
 */
export function representationFields(
  scope: PlanningScope,
  position: Position,
  selectionSets: readonly SelectionSetNode[],
): readonly RepresentationField[] {
  const fields = position.type.kind === 'object' ? fieldsOf(scope, position, selectionSets) : fieldsInside(scope, position, selectionSets);
  return fields.filter(({ name }) => name !== '__typename');
}

function fieldsInside(
  scope: PlanningScope,
  position: Position,
  selectionSets: readonly SelectionSetNode[],
): readonly RepresentationField[] {
  if (position.type.kind === 'object') {
    const fields = fieldsOf(scope, position, selectionSets);
    const isTypeWanted = position.builders.has('__typename') && collectWanted(scope, position.type.name, selectionSets).hasTypename;
    return isTypeWanted ? [TYPENAME, ...fields] : fields;
  }
  if (!position.builders.has('__typename')) return fieldsOf(scope, position, selectionSets);
  const united = new Map<string, { readonly field: RepresentationField; readonly types: string[] }>();
  for (const name of position.type.possibleTypes) {
    for (const field of fieldsOf(scope, position, selectionSets, name)) {
      const id = JSON.stringify(field);
      const known = united.get(id);
      if (known === undefined) united.set(id, { field, types: [name] });
      else known.types.push(name);
    }
  }
  // An object of an abstract type is sent with its type name.
  const fields: RepresentationField[] = [TYPENAME];
  for (const { field, types } of united.values())
    fields.push(types.length === position.type.possibleTypes.size ? field : { ...field, types });
  return fields;
}

const TYPENAME: RepresentationField = { name: '__typename', key: '__typename' };

/** Converts a field set for values of one type. */
function fieldsOf(
  scope: PlanningScope,
  position: Position,
  selectionSets: readonly SelectionSetNode[],
  type: string = position.type.name,
): readonly RepresentationField[] {
  return collectWanted(scope, type, selectionSets).fields.map((wanted): RepresentationField => {
    const name = wanted.node.name.value;
    const key = scope.keys.keyOf(wanted.node, type, position.isBeneathAbstract);
    if (wanted.selectionSets.length === 0) return { name, key };
    // Selections for values of several types were planned together.
    const child = childAt(position, key, type);
    return { name, key, fields: child === undefined ? [] : fieldsInside(scope, child, wanted.selectionSets) };
  });
}

/** Merges duplicate fields. A merged field is needed for everything that one of its originals is needed for. */
export function uniteFields(fields: readonly RepresentationField[]): readonly RepresentationField[] {
  const united = new Map<string, RepresentationField>();
  for (const field of fields) {
    const id = JSON.stringify([field.name, field.key, field.types ?? null]);
    const known = united.get(id);
    united.set(id, known === undefined ? field : uniteTwo(known, field));
  }
  return [...united.values()];
}

function uniteTwo(one: RepresentationField, other: RepresentationField): RepresentationField {
  const { for: _needed, fields: _inside, ...field } = one;
  return {
    ...field,
    ...(one.fields === undefined || other.fields === undefined ? {} : { fields: uniteFields([...one.fields, ...other.fields]) }),
    ...(one.for === undefined || other.for === undefined ? {} : { for: [...new Set([...one.for, ...other.for])] }),
  };
}

/** Whether two fields of one name take different values. A representation can contain only one of them. */
export function doFieldsConflict(fields: readonly RepresentationField[]): boolean {
  const keys = new Map<string, string>();
  const inside = new Map<string, readonly RepresentationField[]>();
  for (const { name, key, fields: inner } of fields) {
    if ((keys.get(name) ?? key) !== key) return true;
    keys.set(name, key);
    if (inner !== undefined) inside.set(name, [...(inside.get(name) ?? []), ...inner]);
  }
  return [...inside.values()].some(doFieldsConflict);
}
