import type { OperationError } from '../../gateway/index.ts';
import { type ErrorCode, isErrorCode } from '../../gateway/platform/errors.ts';
import { isHiddenName } from '../compile/links/link.ts';
import { stepsToItems, pathToItems } from '../compile/result/collection.ts';
import type { ResultMapping } from '../compile/result/result-mapping.ts';
import type { Shape, ShapeField } from '../compile/result/shape.ts';
import type { ResultObject } from './result-data.ts';

/** Fields to omit, by the object that contains them. */
export type OmittedFields = ReadonlyMap<ResultObject, ReadonlySet<string>>;

/** The errors of an operation, classified by their effect on the response. */
export interface ClassifiedErrors {
  readonly omitted: OmittedFields;
  /** Errors that reject the whole response. */
  readonly fatal: readonly OperationError[];
  /** Fields that failed and are marked with `@nullOnError`. */
  readonly nulled: readonly MissingField[];
}

/** A field of the response that could not be resolved. */
export interface MissingField {
  /** Dotted name, relative to the resource. */
  readonly field: string;
  readonly code: ErrorCode;
}

const DENIALS: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);
export const NOTHING_OMITTED: OmittedFields = new Map();

/**
 * Classifies the errors of an operation. A field without permission is omitted from the fields that a resource shows by default. If the
 * caller named the field, or the resource itself is denied, the request is rejected. Every other error also rejects the request, because a
 * 200 must not hide a failure.
 *
 * @param named fields that the caller requested by name; undefined if the difference is irrelevant
 */
export function classifyErrors(
  errors: readonly OperationError[],
  data: unknown,
  result: ResultMapping,
  named: ReadonlySet<string> | undefined,
): ClassifiedErrors {
  if (errors.length === 0) return { omitted: NOTHING_OMITTED, fatal: errors, nulled: [] };
  const omitted = new Map<ResultObject, Set<string>>();
  const nulled: MissingField[] = [];
  const fatal = errors.filter((error) => {
    const isDenied = DENIALS.has(error.extensions.code);
    const gap = findGap(error.path ?? [], data, result);
    // A link whose condition failed is omitted: no requested field is missing.
    if (gap?.name.split('.').some(isHiddenName) === true) return false;
    if (gap !== undefined && !isDenied && isNullOnError(gap.name, result.shape)) {
      nulled.push({ field: gap.name, code: isErrorCode(error.extensions.code) ? error.extensions.code : 'INTERNAL_SERVER_ERROR' });
      return false;
    }
    if (gap === undefined || !isDenied || isNamed(gap.name, named)) return true;
    const names = omitted.get(gap.owner) ?? new Set();
    omitted.set(gap.owner, names.add(gap.key));
    return false;
  });
  return { omitted, fatal, nulled };
}

/** Whether the field, or a parent of it, is marked with `@nullOnError`. */
function isNullOnError(name: string, shape: Shape): boolean {
  let fields: Shape | undefined = shape;
  for (const part of name.split('.')) {
    const field: ShapeField | undefined = fields?.get(part);
    if (field?.isNullOnError === true) return true;
    fields = field?.fields;
  }
  return false;
}

interface Gap {
  readonly owner: ResultObject;
  readonly key: string;
  /** Dotted name, relative to the resource. */
  readonly name: string;
}

/** Finds the null value of an error inside the resource. Returns undefined if it is outside. */
function findGap(path: readonly (string | number)[], data: unknown, { path: root, collection }: ResultMapping): Gap | undefined {
  const start = root.length + stepsToItems(collection);
  const currentPath = collection === undefined ? root : [...root, ...pathToItems(collection).slice(0, 1)];
  const isInside = path.length > start && currentPath.every((name, index) => path[index] === name);
  if (!isInside) return undefined;
  let value = data;
  for (const [index, key] of path.entries()) {
    if (typeof value !== 'object' || value === null) return undefined;
    const owner = value as ResultObject;
    value = owner[key];
    if (value !== null) continue;
    if (index < start || typeof key === 'number') return undefined;
    const name = path.slice(start, index + 1).filter((part) => typeof part === 'string');
    return { owner, key, name: name.join('.') };
  }
  return undefined;
}

/** Whether the client requested the field, or a subfield of it, by name. */
function isNamed(name: string, named: ReadonlySet<string> | undefined): boolean {
  if (named === undefined) return false;
  return [...named].some((requested) => requested === name || requested.startsWith(`${name}.`));
}
