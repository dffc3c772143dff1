import { FieldFailure, invalidAnswer } from '../data/field-failure.ts';
import { type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import { printFreeForm, printText } from '../data/print-json.ts';
import type { CompiledRepresentation, RepresentedField } from '../plan/compiled-plan.ts';
import { isOf } from './collect-objects.ts';

/** A representation of an object. */
export interface Represented {
  /** JSON text, which is also what tells equal ones. Undefined when something is missing that all depends on. */
  text: string | undefined;
  /** Why, when something failed. */
  failure: FieldFailure | undefined;
  /** What is missing that only some fields depend on, and why. */
  readonly missing: { readonly field: RepresentedField; readonly failure: FieldFailure | undefined }[];
}

/** Prints a representation. */
export function printRepresentation({ opening, fields }: CompiledRepresentation, object: DataObject): Represented {
  const represented: Represented = { text: undefined, failure: undefined, missing: [] };
  let text = opening;
  for (const field of fields) {
    if (!isOf(object, field.types)) continue;
    const value = readKey(object, field.key);
    const printed = printSafely(value, field);
    if (typeof printed === 'string') {
      text += field.opening + printed;
      continue;
    }
    if (field.neededBy === undefined) {
      represented.failure = printed ?? findFailure(object, fields);
      return represented;
    }
    represented.missing.push({ field, failure: printed ?? findFailure(value, field.fields ?? []) });
  }
  represented.text = `${text}}`;
  return represented;
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

/** A value as JSON text; undefined when it is missing, and a failure when it is nested too deeply. */
function printSafely(value: unknown, field: RepresentedField): string | FieldFailure | undefined {
  try {
    return printValue(value, field);
  } catch (error) {
    if (error instanceof RangeError) return invalidAnswer();
    throw error;
  }
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
