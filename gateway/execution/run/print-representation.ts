import { FieldFailure, invalidResponse } from '../data/field-failure.ts';
import { type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import { printFreeForm, printText } from '../data/print-json.ts';
import type { CompiledRepresentation, RepresentedField } from '../plan/compiled-plan.ts';
import { isOf } from './collect-objects.ts';

/** A printed representation of an object. */
export interface Represented {
  /** JSON text, which also identifies equal representations. Undefined when a value is missing that all fields depend on. */
  text: string | undefined;
  /** Reason for the missing value, when a fetch failed. */
  failure: FieldFailure | undefined;
  /** Missing values that only some fields depend on, with the reason. */
  readonly missing: { readonly field: RepresentedField; readonly failure: FieldFailure | undefined }[];
}

/** Prints the representation of an object. */
export function printRepresentation({ prefix, fields }: CompiledRepresentation, object: DataObject): Represented {
  const represented: Represented = { text: undefined, failure: undefined, missing: [] };
  let text = prefix;
  for (const field of fields) {
    if (!isOf(object, field.types)) continue;
    const value = readKey(object, field.key);
    const printed = printSafely(value, field);
    if (typeof printed === 'string') {
      text += field.prefix + printed;
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

/** Returns the first failure among the values of a representation; undefined when none failed. */
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

/** Prints a value as JSON text. Returns undefined when the value is missing and a failure when it is nested too deeply. */
function printSafely(value: unknown, field: RepresentedField): string | FieldFailure | undefined {
  try {
    return printValue(value, field);
  } catch (error) {
    if (error instanceof RangeError) return invalidResponse();
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
  // An object without a required value is sent as null, and the subgraph decides how to handle it. An object with a value that could not be
  // fetched is not sent at all.
  return printObject(value, field.fields) ?? (findFailure(value, field.fields) === undefined ? 'null' : undefined);
}

function printObject(object: DataObject, fields: readonly RepresentedField[]): string | undefined {
  let text = '';
  for (const field of fields) {
    if (!isOf(object, field.types)) continue;
    const printed = printValue(readKey(object, field.key), field);
    if (printed === undefined) return undefined;
    text += field.prefix + printed;
  }
  return `{${text.slice(1)}}`;
}
