import { FieldFailure } from '../../data/field-failure.ts';
import { type DataObject, isDataObject, readKey } from '../../data/own-properties.ts';
import type { ErrorPath } from '../errors/error-paths.ts';
import { objectShapeOf } from '../print/print-value.ts';
import type { ValueShape } from '../shape/response-shape.ts';

/** An object in the data already sent to the client to which a deferred fragment applies. */
export interface DeferredPosition {
  /** Number of the `@defer`. */
  readonly deferral: number;
  readonly object: DataObject;
  /** Shape of the object with the fields of the fragment. */
  readonly shape: ValueShape;
  /** See `DeferredFragment`. */
  readonly isPresent: ((object: DataObject) => boolean | undefined) | undefined;
  /** Path in response keys of the compiled operation. */
  readonly path: ErrorPath;
}

/**
 * Finds the deferred fragments inside a printed value, in response order.
 *
 * @param removed Paths that became null when the value was printed. The client has no object there that a fragment could extend.
 */
export function findDeferredPositions(
  printed: { readonly value: unknown; readonly shape: ValueShape; readonly path: ErrorPath },
  removed: readonly ErrorPath[],
): readonly DeferredPosition[] {
  const isRemoved = new Set(removed.map((path) => JSON.stringify(path)));
  const found: DeferredPosition[] = [];
  const follow = (value: unknown, shape: ValueShape, path: ErrorPath): void => {
    if (typeof value !== 'object' || value === null || value instanceof FieldFailure) return;
    if (isRemoved.size > 0 && isRemoved.has(JSON.stringify(path))) return;
    if (Array.isArray(value)) {
      const { item } = shape;
      if (item !== undefined) for (const [index, each] of value.entries()) follow(each, item, [...path, index]);
    } else if (shape.kind === 'object' && isDataObject(value)) {
      const { deferred } = objectShapeOf(shape, value) ?? {};
      for (const { deferral, value: inside, isPresent } of deferred?.fragments ?? []) {
        found.push({ deferral, object: value, shape: inside, isPresent, path });
      }
      for (const field of deferred?.deferredFields ?? []) follow(readKey(value, field.key), field.value, [...path, field.responseKey]);
    }
  };
  follow(printed.value, printed.shape, printed.path);
  return found;
}
