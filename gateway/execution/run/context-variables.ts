import { FieldFailure, orFailure } from '../data/field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import { printFreeForm } from '../data/print-free-form.ts';
import type { ContextVariable, PathStep } from '../plan/compiled-plan.ts';
import { MAX_LIST_LEVELS, isOf } from './collect-objects.ts';
import { findFailure } from './print-representation.ts';

/** Objects that one and the same request can ask about. */
export interface ContextGroup {
  /** JSON text of the variables that come from the context, without braces. */
  readonly variables: string;
  readonly objects: readonly DataObject[];
}

/** What the objects at a path find around them. */
export interface ContextGroups {
  readonly groups: readonly ContextGroup[];
  /** Objects around which a value should have been fetched and could not. */
  readonly failed: readonly { readonly object: DataObject; readonly failure: FieldFailure }[];
}

/** All objects at a path, those together that have the same values around them. */
export function groupByContext(root: DataObject, path: readonly PathStep[], context: readonly ContextVariable[]): ContextGroups {
  const groups = new Map<string, DataObject[]>();
  const failed: { object: DataObject; failure: FieldFailure }[] = [];
  const around: DataObject[] = [];
  const enter = (object: DataObject): void => {
    const step = path[around.length];
    around.push(object);
    if (step === undefined) add(object);
    else follow(readKey(object, step.key), step, MAX_LIST_LEVELS);
    around.pop();
  };
  const follow = (value: unknown, step: PathStep, levels: number): void => {
    if (Array.isArray(value)) {
      if (levels > 0) for (const item of value) follow(item, step, levels - 1);
    } else if (isDataObject(value) && !(value instanceof FieldFailure) && isOf(value, step.types)) {
      enter(value);
    }
  };
  const add = (object: DataObject): void => {
    const variables = orFailure(() => printContext(context, around));
    if (variables instanceof FieldFailure) {
      failed.push({ object, failure: variables });
      return;
    }
    const group = groups.get(variables);
    if (group === undefined) groups.set(variables, [object]);
    else group.push(object);
  };
  enter(root);
  return { groups: [...groups].map(([variables, objects]) => ({ variables, objects })), failed };
}

/** The variables as JSON text; a value that nobody has is left out, as a client may leave a variable out. */
function printContext(context: readonly ContextVariable[], around: readonly DataObject[]): string | FieldFailure {
  const entries: string[] = [];
  for (const { opening, depth, sources } of context) {
    const holder = around[depth];
    const source = holder && sources.find(({ types }) => isOf(holder, types));
    const value = source && readAt(holder, source.path, 0);
    if (value === undefined) continue;
    const failure = findFailure(value, []);
    if (failure !== undefined) return failure;
    entries.push(opening + printFreeForm(value));
  }
  return entries.join(',');
}

/** The value at the end of a path; of a list, the list of the values in its items. */
function readAt(value: unknown, path: readonly DataKey[], index: number): unknown {
  const key = path[index];
  if (key === undefined || value === null || value === undefined || value instanceof FieldFailure) return value;
  if (Array.isArray(value)) return value.map((item) => readAt(item, path, index) ?? null);
  return isDataObject(value) ? readAt(readKey(value, key), path, index + 1) : undefined;
}
