import { FieldFailure } from '../data/field-failure.ts';
import { type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import { printFreeForm } from '../data/print-free-form.ts';
import { printText } from '../data/print-text.ts';
import type { CompiledRepresentation, RepresentedField } from '../plan/compiled-plan.ts';
import { isOf } from './collect-objects.ts';

/**
 * A representation as JSON text; undefined when something that it requires is missing. The text is also what tells equal
 * ones.
 *
 * @throws RangeError when something in it is nested too deeply
 */
export function printRepresentation({ opening, fields }: CompiledRepresentation, object: DataObject): string | undefined {
  let text = opening;
  for (const field of fields) {
    if (!isOf(object, field.types)) continue;
    const printed = printValue(readKey(object, field.key), field);
    if (printed === undefined) return undefined;
    text += field.opening + printed;
  }
  return `${text}}`;
}

/** The first failure among what a representation is made from; undefined when nothing failed. */
export function findFailure(value: unknown, fields: readonly RepresentedField[]): FieldFailure | undefined {
  if (value instanceof FieldFailure) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = findFailure(item, fields);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const field of fields) {
    if (!isOf(value as DataObject, field.types)) continue;
    const found = findFailure(readKey(value as DataObject, field.key), field.fields ?? []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function printValue(value: unknown, field: RepresentedField): string | undefined {
  if (typeof value === 'string') return printText(value);
  if (typeof value === 'number') return `${value}`;
  if (value === null) return 'null';
  if (value === undefined || value instanceof FieldFailure) return undefined;
  if (field.fields === undefined || typeof value !== 'object') return printFreeForm(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => printValue(item, field));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (!isDataObject(value)) return undefined;
  // An object that lacks something required is sent as null, and the subgraph decides what it can do without it; but
  // nobody is asked to work with what could not be fetched.
  return printObject(value, field.fields) ?? (findFailure(value, field.fields) === undefined ? 'null' : undefined);
}

function printObject(object: DataObject, fields: readonly RepresentedField[]): string | undefined {
  let text = '';
  for (const field of fields) {
    if (!isOf(object, field.types)) continue;
    const printed = printValue(readKey(object, field.key), field);
    if (printed === undefined) return undefined;
    text += field.opening + printed;
  }
  return `{${text.slice(1)}}`;
}
