import type { OperationError } from '../../gateway/index.ts';
import { type ErrorCode, isErrorCode } from '../../gateway/platform/errors.ts';
import { isHiddenName } from '../compile/links/link.ts';
import { stepsToItems, wayToItems } from '../compile/result/collection.ts';
import type { ResultMapping } from '../compile/result/result-mapping.ts';
import type { Shape, ShapeField } from '../compile/result/shape.ts';
import type { ResultObject } from './result-data.ts';

/** Fields to leave out, by the object they would stand in. */
export type OmittedFields = ReadonlyMap<ResultObject, ReadonlySet<string>>;

/** The errors of an operation, sorted by what they mean for the answer. */
export interface ClassifiedErrors {
  readonly omitted: OmittedFields;
  /** Errors that no answer can be given in spite of. */
  readonly fatal: readonly OperationError[];
  /** What is missing, and may be. */
  readonly tolerated: readonly MissingPart[];
}

/** A part of the answer that could not be had. */
export interface MissingPart {
  /** Dotted, from the resource on. */
  readonly field: string;
  readonly code: ErrorCode;
}

const DENIALS: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);
export const NOTHING_OMITTED: OmittedFields = new Map();

/**
 * A field that the caller may not see is left out of what a resource shows of its own accord. Denied where the caller
 * named it, or where the answer itself is denied, it is a refusal; and so is every other error: an answer of 200 hides
 * no failure.
 *
 * @param named what the caller asked for by name; undefined where that makes no difference
 */
export function classifyErrors(
  errors: readonly OperationError[],
  data: unknown,
  result: ResultMapping,
  named: ReadonlySet<string> | undefined,
): ClassifiedErrors {
  if (errors.length === 0) return { omitted: NOTHING_OMITTED, fatal: errors, tolerated: [] };
  const omitted = new Map<ResultObject, Set<string>>();
  const tolerated: MissingPart[] = [];
  const fatal = errors.filter((error) => {
    const isDenied = DENIALS.has(error.extensions.code);
    const gap = findGap(error.path ?? [], data, result);
    // A link whose condition cannot be known is left out: nothing of what was asked for is missing.
    if (gap?.name.split('.').some(isHiddenName) === true) return false;
    if (gap !== undefined && !isDenied && isTolerated(gap.name, result.shape)) {
      tolerated.push({ field: gap.name, code: isErrorCode(error.extensions.code) ? error.extensions.code : 'INTERNAL_SERVER_ERROR' });
      return false;
    }
    if (gap === undefined || !isDenied || isNamed(gap.name, named)) return true;
    const names = omitted.get(gap.owner) ?? new Set();
    omitted.set(gap.owner, names.add(gap.key));
    return false;
  });
  return { omitted, fatal, tolerated };
}

/** Whether the field, or one that it is a part of, may be missing. */
function isTolerated(name: string, shape: Shape): boolean {
  let fields: Shape | undefined = shape;
  for (const part of name.split('.')) {
    const field: ShapeField | undefined = fields?.get(part);
    if (field?.isTolerated === true) return true;
    fields = field?.fields;
  }
  return false;
}

interface Gap {
  readonly owner: ResultObject;
  readonly key: string;
  /** Dotted, from the resource on. */
  readonly name: string;
}

/** Where inside the resource the null of an error came to stand; undefined when it is not inside. */
function findGap(path: readonly (string | number)[], data: unknown, { path: root, collection }: ResultMapping): Gap | undefined {
  const start = root.length + stepsToItems(collection);
  const way = collection === undefined ? root : [...root, ...wayToItems(collection).slice(0, 1)];
  const isInside = path.length > start && way.every((name, index) => path[index] === name);
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

/** Whether the client asked for the field, or for a part of it, by name. */
function isNamed(name: string, named: ReadonlySet<string> | undefined): boolean {
  if (named === undefined) return false;
  return [...named].some((asked) => asked === name || asked.startsWith(`${name}.`));
}
