import { FieldFailure } from '../data/field-failure.ts';
import { type DataObject, isDataObject, readKey } from '../data/own-properties.ts';
import type { PathStep } from '../plan/compiled-plan.ts';
import { isOf } from '../run/collect-objects.ts';
import type { ErrorPath } from './error-paths.ts';
import { objectShapeOf } from './print-value.ts';
import type { FieldShape, ValueShape } from './response-shape.ts';

/** Where a value of the tree stands in the response: once for each of the client's response keys that lead there. */
export interface ResponsePlace {
  readonly value: unknown;
  readonly shape: ValueShape;
  readonly path: ErrorPath;
}

/** Calls `found` with each object at a path of the tree that the client sees. Only errors need it. */
export function visitPlaces(root: ResponsePlace, steps: readonly PathStep[], found: (place: ResponsePlace) => void): void {
  const follow = (place: ResponsePlace, index: number): void => {
    const { value, shape, path } = place;
    if (shape.kind === 'list') {
      const { item } = shape;
      if (!Array.isArray(value) || item === undefined) return;
      for (const [position, each] of value.entries()) follow({ value: each, shape: item, path: [...path, position] }, index);
    } else if (isDataObject(value) && !(value instanceof FieldFailure) && isOf(value, steps[index - 1]?.types)) {
      const step = steps[index];
      if (step === undefined) found(place);
      else for (const inner of placesOfKey(place, step.key.name)) follow(inner, index + 1);
    }
  };
  follow(root, 0);
}

/**
 * Where the client sees what stands at the end of a path of the tree; nowhere when it did not ask for it. What is beyond
 * the leaves, or does not fit the shape, stands where the path last did.
 *
 * @param rest data keys and indices, from the place
 */
export function findPlaces(place: ResponsePlace, rest: ErrorPath): readonly ErrorPath[] {
  const [element, ...further] = rest;
  const { value, shape, path } = place;
  if (element === undefined) return [path];
  if (typeof element === 'number') {
    if (shape.kind !== 'list' || shape.item === undefined) return [path];
    const item: unknown = Array.isArray(value) ? value[element] : undefined;
    return findPlaces({ value: item, shape: shape.item, path: [...path, element] }, further);
  }
  if (shape.kind !== 'object') return [path];
  return placesOfKey(place, element).flatMap((inner) => findPlaces(inner, further));
}

/** The longest beginning of a path that is the same in every response, for objects that are no longer there. */
export function fixedPath(shape: ValueShape, steps: readonly PathStep[]): ErrorPath {
  const [step, ...further] = steps;
  if (step === undefined || shape.kind !== 'object') return [];
  const field = fieldsOfKey(shape, undefined, step.key.name)[0];
  return field === undefined ? [] : [field.responseKey, ...fixedPath(field.value, further)];
}

function placesOfKey({ value, shape, path }: ResponsePlace, key: string): readonly ResponsePlace[] {
  const object = isDataObject(value) && !(value instanceof FieldFailure) ? value : undefined;
  return fieldsOfKey(shape, object, key).map((field) => ({
    value: object && readKey(object, field.key),
    shape: field.value,
    path: [...path, field.responseKey],
  }));
}

/** The fields with a data key; of all types that there may be when the object is not known. */
function fieldsOfKey(shape: ValueShape, object: DataObject | undefined, key: string): readonly FieldShape[] {
  const known = object && objectShapeOf(shape, object);
  const shapes = known === undefined ? (shape.objects?.all() ?? []) : [known];
  const fields = new Map<string, FieldShape>();
  for (const field of shapes.flatMap((each) => each.fields)) {
    if (field.key.name === key && field.local === undefined && !fields.has(field.responseKey)) fields.set(field.responseKey, field);
  }
  return [...fields.values()];
}
