import { FieldFailure, orFailure } from '../data/field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import { printFreeForm } from '../data/print-json.ts';
import type { ContextVariable, PathStep } from '../plan/compiled-plan.ts';
import { MAX_LIST_LEVELS, isOf } from './collect-objects.ts';
import { findFailure } from './print-representation.ts';
import type { MissingInputPath } from './run-state.ts';

/** Objects whose enclosing objects have the same context values. One `_entities` field can fetch all of them. */
export interface ContextGroup {
  /** JSON texts of the values, by variable; undefined when no enclosing object has a value. */
  readonly values: readonly (string | undefined)[];
  readonly objects: readonly DataObject[];
  /** Fields of these objects that fail regardless of the subgraph response, because a context value failed. */
  readonly missingInputs: readonly MissingInputPath[];
}

/** Objects at a path, grouped by their context values. */
export interface ContextGroups {
  readonly groups: readonly ContextGroup[];
  /** Objects for which a context value could not be fetched. */
  readonly failed: readonly { readonly object: DataObject; readonly failure: FieldFailure }[];
}

/** Groups the objects at a path by the context values of their enclosing objects. */
export function groupByContext(root: DataObject, path: readonly PathStep[], context: readonly ContextVariable[]): ContextGroups {
  const groups = new Map<string, ContextGroup & { readonly objects: DataObject[] }>();
  const failed: { object: DataObject; failure: FieldFailure }[] = [];
  const around: DataObject[] = [];
  const failures = new Map<FieldFailure, number>();
  const numberOf = (failure: FieldFailure): number => {
    const number = failures.get(failure) ?? failures.size;
    failures.set(failure, number);
    return number;
  };
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
    const printed = orFailure(() => printContext(context, around));
    if (printed instanceof FieldFailure) {
      failed.push({ object, failure: printed });
      return;
    }
    const { values, missingInputs } = printed;
    // JSON texts contain no line breaks and are never empty, so the joined text is unambiguous.
    const identity = [
      ...values,
      ...missingInputs.map(({ path, failure }) => `${numberOf(failure)} ${path.map(({ key }) => key.name).join()}`),
    ].join('\n');
    const group = groups.get(identity);
    if (group === undefined) groups.set(identity, { values, missingInputs, objects: [object] });
    else group.objects.push(object);
  };
  enter(root);
  return { groups: [...groups.values()], failed };
}

type PrintedContext = Pick<ContextGroup, 'values' | 'missingInputs'>;

/** Prints the context values as JSON texts. A value that no object has is undefined, and its variable is left out of the request. */
function printContext(context: readonly ContextVariable[], around: readonly DataObject[]): PrintedContext | FieldFailure {
  const values: (string | undefined)[] = [];
  const missingInputs: MissingInputPath[] = [];
  for (const { depth, sources, target } of context) {
    const holder = around[depth];
    const source = holder && sources.find(({ types }) => isOf(holder, types));
    const value = source && readAt(holder, source.path, 0);
    const failure = value === undefined ? undefined : findFailure(value, []);
    if (failure !== undefined && target === undefined) return failure;
    if (failure !== undefined && target !== undefined) missingInputs.push({ path: target, failure });
    values.push(value === undefined || failure !== undefined ? undefined : printFreeForm(value));
  }
  return { values, missingInputs };
}

/** Reads the value at the end of a path. A list on the path yields a list of the values of its items. */
function readAt(value: unknown, path: readonly DataKey[], index: number): unknown {
  const key = path[index];
  if (key === undefined || value === null || value === undefined || value instanceof FieldFailure) return value;
  if (Array.isArray(value)) return value.map((item) => readAt(item, path, index) ?? null);
  return isDataObject(value) ? readAt(readKey(value, key), path, index + 1) : undefined;
}
