import { FieldFailure } from '../../data/field-failure.ts';
import { type DataObject, isDataObject, readKey } from '../../data/own-properties.ts';
import type { PathStep } from '../../plan/compiled-plan.ts';
import { isOf } from '../../run/collect-objects.ts';
import type { ErrorPath } from '../errors/error-paths.ts';
import { objectShapeOf } from '../print/print-value.ts';
import type { FieldShape, ObjectShape, ValueShape } from './response-shape.ts';

/** A position of a tree value in the response. A value has one position for each response key that leads to it. */
export interface ResponsePosition extends FoundPath {
  readonly value: unknown;
  readonly shape: ValueShape;
}

/** A path in the response and the payload that contains it. */
export interface FoundPath {
  readonly path: ErrorPath;
  /** Number of the `@defer` that delivers the value; 0 for the initial response. */
  readonly part: number;
}

/** A node in the tree of paths to visit. */
interface Branch {
  /** Required `__typename` of the objects; undefined when all types match. */
  readonly types: ReadonlySet<string> | undefined;
  /** Paths that end here. */
  readonly ends: (readonly PathStep[])[];
  /** Inner branches, by data key. */
  readonly inside: Map<string, Branch[]>;
}

/**
 * Calls `found` with each object that is located at one of the paths and visible to the client. Each part of the tree is visited once,
 * regardless of the number of paths through it. Only error handling needs this walk.
 */
export function visitPositions(
  root: ResponsePosition,
  paths: readonly (readonly PathStep[])[],
  found: (path: readonly PathStep[], position: ResponsePosition) => void,
): void {
  const follow = (position: ResponsePosition, branches: readonly Branch[]): void => {
    const { value, shape, path, part } = position;
    if (shape.kind === 'list') {
      const { item } = shape;
      if (!Array.isArray(value) || item === undefined) return;
      for (const [position, each] of value.entries()) follow({ value: each, shape: item, path: [...path, position], part }, branches);
    } else if (isThere(value)) {
      const open = branches.filter(({ types }) => isOf(value, types));
      for (const { ends } of open) for (const end of ends) found(end, position);
      for (const key of new Set(open.flatMap(({ inside }) => [...inside.keys()]))) {
        const further = open.flatMap(({ inside }) => inside.get(key) ?? []);
        for (const inner of positionsOfKey(position, key)) follow(inner, further);
      }
    }
  };
  if (paths.length > 0) follow(root, [branchOut(paths)]);
}

function branchOut(paths: readonly (readonly PathStep[])[]): Branch {
  const start: Branch = { types: undefined, ends: [], inside: new Map() };
  for (const path of paths) {
    let branch = start;
    for (const { key, types } of path) {
      const known = branch.inside.get(key.name) ?? [];
      branch.inside.set(key.name, known);
      let next = known.find((other) => haveSameNames(other.types, types));
      if (next === undefined) known.push((next = { types, ends: [], inside: new Map() }));
      branch = next;
    }
    branch.ends.push(path);
  }
  return start;
}

function haveSameNames(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.size === other.size && [...one].every((name) => other.has(name));
}

/**
 * Returns the response paths of the value at the end of a tree path; empty when the client did not select it. Elements that go past a leaf
 * or do not match the shape are ignored, and the last valid path is returned. When the object that has the field is missing, its type may
 * be unknown and the field may have several response keys. The error then gets only the first path, because one error made the object null.
 *
 * @param rest Data keys and indices, starting at the position.
 * @param nullDepth Number of elements of `rest` that lead to the value that the error made null in the subgraph response. Beyond that value
 * the error has one path, even when another subgraph returned the object. Infinity when the error made no value null.
 */
export function findPositions(position: ResponsePosition, rest: ErrorPath, nullDepth: number): readonly FoundPath[] {
  const [element, ...further] = rest;
  const { value, shape, path, part } = position;
  if (element === undefined) return [{ path, part }];
  if (typeof element === 'number') {
    if (shape.kind !== 'list' || shape.item === undefined) return [{ path, part }];
    const item: unknown = Array.isArray(value) ? value[element] : undefined;
    return findPositions({ value: item, shape: shape.item, path: [...path, element], part }, further, nullDepth - 1);
  }
  if (shape.kind !== 'object') return [{ path, part }];
  const positions = positionsOfKey(position, element);
  const isOne = nullDepth < 1 || !isThere(value);
  return (isOne ? positions.slice(0, 1) : positions).flatMap((inner) => findPositions(inner, further, nullDepth - 1));
}

/** Returns the longest prefix of a path that is the same in every response, for objects that no longer exist. */
export function fixedPath(shape: ValueShape, steps: readonly PathStep[]): ErrorPath {
  const [step, ...further] = steps;
  if (step === undefined || shape.kind !== 'object') return [];
  const [first] = fieldsOfKey(shape, undefined, { key: step.key.name, part: 0 });
  return first === undefined ? [] : [first.field.responseKey, ...fixedPath(first.field.value, further)];
}

function positionsOfKey({ value, shape, path, part }: ResponsePosition, key: string): readonly ResponsePosition[] {
  const object = isThere(value) ? value : undefined;
  return fieldsOfKey(shape, object, { key, part }).map(({ field, part: of }) => ({
    value: object && readKey(object, field.key),
    shape: field.value,
    path: [...path, field.responseKey],
    part: of,
  }));
}

/** Whether a value is an object with fields and not a field failure. */
function isThere(value: unknown): value is DataObject {
  return isDataObject(value) && !(value instanceof FieldFailure);
}

/** A field and the payload that delivers it. */
interface PayloadField {
  readonly field: FieldShape;
  readonly part: number;
}

interface WantedKey {
  readonly key: string;
  readonly part: number;
}

/** Returns the fields with a data key. When the object is missing, returns the fields of all possible types. */
function fieldsOfKey(shape: ValueShape, object: DataObject | undefined, wanted: WantedKey): readonly PayloadField[] {
  const known = object && objectShapeOf(shape, object);
  const shapes = known === undefined ? (shape.objects?.all() ?? []) : [known];
  const found = new Map<string, PayloadField>();
  for (const each of shapes) addFields(found, each, { ...wanted, isThere: object !== undefined });
  return [...found.values()];
}

/**
 * Adds the matching fields of an object and of its deferred fragments. A missing object gets no later payload, so its errors are reported
 * with the current one.
 */
function addFields(
  found: Map<string, PayloadField>,
  { fields, deferred }: ObjectShape,
  { key, part, isThere }: WantedKey & { readonly isThere: boolean },
): void {
  for (const field of fields) {
    const identity = part === 0 ? field.responseKey : `${field.responseKey} ${part}`;
    if (field.key.name === key && field.local === undefined && !found.has(identity)) found.set(identity, { field, part });
  }
  for (const { deferral, value } of deferred?.fragments ?? []) {
    for (const each of value.objects?.all() ?? []) addFields(found, each, { key, part: isThere ? deferral : part, isThere });
  }
}
