import { FieldFailure } from '../data/field-failure.ts';
import { type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import type { EntityWalk, PathStep } from '../plan/compiled-plan.ts';
import { OBJECTS_OF_STEP, type RunState } from './run-state.ts';

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

/** Like `collectObjects`, in steps between which other requests are served. */
export function* collectObjectsInSteps(walk: EntityWalk, state: RunState): Generator<undefined, readonly DataObject[], undefined> {
  const { start, startTypes, steps } = walk;
  const begin = state.shared[start]?.objects;
  if (begin !== undefined && steps.length === 0 && startTypes === undefined) return begin;
  const collection: Collection = { steps, found: [] };
  if (begin === undefined) yield* collectFields(state.data, 0, collection);
  else yield* eachInSteps(begin, (object) => isOf(object, startTypes) && collect(object, 0, collection));
  return collection.found;
}

function* collectFields(object: DataObject, index: number, collection: Collection): Generator<undefined, void, undefined> {
  const step = collection.steps[index];
  const value = step === undefined ? undefined : readKey(object, step.key);
  if (Array.isArray(value)) yield* eachInSteps(value, (item) => collectItems([item], index, collection, MAX_LIST_LEVELS));
  else if (isDataObject(value) && !(value instanceof FieldFailure) && isOf(value, step?.types))
    yield* collectFields(value, index + 1, collection);
  else collect(object, index, collection);
}

function* eachInSteps<T>(items: readonly T[], visit: (item: T) => void): Generator<undefined, void, undefined> {
  for (const [index, item] of items.entries()) {
    visit(item);
    if (index % OBJECTS_OF_STEP === OBJECTS_OF_STEP - 1) yield;
  }
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
