import { FieldFailure } from '../data/field-failure.ts';
import { type DataObject, readKey } from '../data/own-properties.ts';
import type { EntityWalk, PathStep } from '../plan/compiled-plan.ts';
import type { RunState } from './run-state.ts';

/**
 * Maximum nesting of lists directly inside lists. No schema needs more, and the nesting of a response is otherwise unlimited.
 *
 * @unit levels
 */
export const MAX_LIST_LEVELS = 32;

interface Collection {
  readonly steps: readonly PathStep[];
  readonly found: DataObject[];
}

/** Returns the objects at the end of a walk, in tree order. Null values, failures and values of the wrong type are skipped. */
export function collectObjects(walk: EntityWalk, state: RunState): readonly DataObject[] {
  const { start, startTypes, steps } = walk;
  const begin = state.shared[start]?.objects;
  if (begin !== undefined && steps.length === 0 && startTypes === undefined) return begin;
  const collection = { steps, found: [] };
  if (begin === undefined) collect(state.data, 0, collection);
  else for (const object of begin) if (isOf(object, startTypes)) collect(object, 0, collection);
  return collection.found;
}

/** Whether the `__typename` of an object is one of `types`. */
export function isOf(object: Readonly<DataObject>, types: ReadonlySet<string> | undefined): boolean {
  return types === undefined || types.has(object['__typename'] as string);
}

function collect(object: DataObject, index: number, collection: Collection): void {
  const step = collection.steps[index];
  if (step === undefined) {
    collection.found.push(object);
    return;
  }
  const value = readKey(object, step.key);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) collectItems(value, index, collection, MAX_LIST_LEVELS);
  else enter(value as DataObject, index, collection);
}

function collectItems(items: readonly unknown[], index: number, collection: Collection, levels: number): void {
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    if (!Array.isArray(item)) enter(item as DataObject, index, collection);
    else if (levels > 0) collectItems(item, index, collection, levels - 1);
  }
}

function enter(object: DataObject, index: number, collection: Collection): void {
  if (object instanceof FieldFailure || !isOf(object, collection.steps[index]?.types)) return;
  collect(object, index + 1, collection);
}
