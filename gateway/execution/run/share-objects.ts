import { type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import type { SharedPath } from '../plan/compiled-plan.ts';
import { MAX_LIST_LEVELS, isOf } from './collect-objects.ts';
import { OBJECTS_OF_STEP, type SharedObjects } from './run-state.ts';

/** Replaces equal objects at a shared path of a result by the first of them, and registers the distinct ones. */
export function shareObjects(holder: DataObject, index: SharedPath, shared: SharedObjects): void {
  visit(holder, 0, toVisit(index, shared));
}

/** Like `shareObjects`, in steps between which other requests are served. */
export function* shareObjectsInSteps(holder: DataObject, index: SharedPath, shared: SharedObjects): Generator<undefined, void, undefined> {
  yield* visitInSteps(holder, 0, toVisit(index, shared));
}

interface Visit extends SharedPath {
  readonly shared: SharedObjects;
}

/** Spreading an object and adding a member would create a new shape for each entity, which takes microseconds. */
function toVisit({ index, steps, leaves }: SharedPath, shared: SharedObjects): Visit {
  return { index, steps, leaves, shared };
}

function visit(holder: DataObject, index: number, visit: Visit): void {
  const step = visit.steps[index];
  if (step === undefined) return;
  const value = readKey(holder, step.key);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) visitItems(value, index, visit, MAX_LIST_LEVELS);
  else {
    const isPresent = enter(value as DataObject, index, visit);
    if (isPresent !== value) holder[step.key.name] = isPresent;
  }
}

function* visitInSteps(holder: DataObject, index: number, visiting: Visit): Generator<undefined, void, undefined> {
  const step = visiting.steps[index];
  const value = step === undefined ? undefined : readKey(holder, step.key);
  if (Array.isArray(value)) {
    for (let start = 0; start < value.length; start += OBJECTS_OF_STEP) {
      const items = value.slice(start, start + OBJECTS_OF_STEP);
      visitItems(items, index, visiting, MAX_LIST_LEVELS);
      for (const [position, item] of items.entries()) value[start + position] = item;
      yield;
    }
  } else if (isDataObject(value) && index < visiting.steps.length - 1 && isOf(value, step?.types)) {
    yield* visitInSteps(value, index + 1, visiting);
  } else {
    visit(holder, index, visiting);
  }
}

function visitItems(items: unknown[], index: number, visit: Visit, levels: number): void {
  for (let position = 0; position < items.length; position += 1) {
    const item = items[position];
    if (typeof item !== 'object' || item === null) continue;
    if (!Array.isArray(item)) items[position] = enter(item as DataObject, index, visit);
    else if (levels > 0) visitItems(item, index, visit, levels - 1);
  }
}

/** Returns the object to store instead of the given one: the first equal object at the end of the path. */
function enter(object: DataObject, index: number, visiting: Visit): DataObject {
  if (index === visiting.steps.length - 1) return share(object, visiting);
  if (isOf(object, visiting.steps[index]?.types)) visit(object, index + 1, visiting);
  return object;
}

function share(object: DataObject, { leaves, shared }: Visit): DataObject {
  const identity = identify(object, leaves);
  const typename = object['__typename'];
  let known = shared.known.get(typename);
  if (known === undefined) {
    known = new Map();
    shared.known.set(typename, known);
  }
  const first = identity === undefined ? undefined : known.get(identity);
  if (first !== undefined) return first;
  if (identity !== undefined) known.set(identity, object);
  shared.objects.push(object);
  return object;
}

/** Returns the identity of an object among the objects of its type; undefined when the values cannot identify it. */
function identify(object: DataObject, leaves: SharedPath['leaves']): string | number | undefined {
  const [first, ...others] = leaves;
  if (first === undefined) return undefined;
  const value = readKey(object, first);
  if (others.length === 0) return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  const values = leaves.map((leaf) => readKey(object, leaf));
  return values.every((item) => typeof item !== 'object' || item === null) ? JSON.stringify(values) : undefined;
}
