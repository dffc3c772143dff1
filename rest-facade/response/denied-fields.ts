import type { OperationError } from '../../gateway/index.ts';
import type { ResultMapping } from '../mapping/route.ts';
import type { DataObject } from './result-values.ts';

/** Fields to leave out, by the object they would stand in. */
export type OmittedFields = ReadonlyMap<DataObject, ReadonlySet<string>>;

/** The errors of an operation, sorted by what they mean for the answer. */
export interface SortedErrors {
  readonly omitted: OmittedFields;
  /** Errors that no answer can be given in spite of. */
  readonly fatal: readonly OperationError[];
}

const DENIALS: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);
const NOTHING_OMITTED: OmittedFields = new Map();

/**
 * A field that the caller may not see is left out of what a resource shows of its own accord. Denied where the caller
 * named it, or where the answer itself is denied, it is a refusal; and so is every other error: an answer of 200 hides
 * no failure.
 *
 * @param named what the caller asked for by name; undefined where that makes no difference
 */
export function sortErrors(
  errors: readonly OperationError[],
  data: unknown,
  result: ResultMapping,
  named: ReadonlySet<string> | undefined,
): SortedErrors {
  if (errors.length === 0) return { omitted: NOTHING_OMITTED, fatal: errors };
  const omitted = new Map<DataObject, Set<string>>();
  const fatal = errors.filter((error) => {
    const gap = DENIALS.has(error.extensions.code) ? findGap(error.path ?? [], data, result) : undefined;
    if (gap === undefined || isNamed(gap.name, named)) return true;
    const names = omitted.get(gap.owner) ?? new Set();
    omitted.set(gap.owner, names.add(gap.key));
    return false;
  });
  return { omitted, fatal };
}

interface Gap {
  readonly owner: DataObject;
  readonly key: string;
  /** Dotted, from the resource on. */
  readonly name: string;
}

/** Where inside the resource the null of an error came to stand; undefined when it is not inside. */
function findGap(path: readonly (string | number)[], data: unknown, { path: root, isPage }: ResultMapping): Gap | undefined {
  const start = root.length + (isPage ? 2 : 0);
  const isInside = path.length > start && root.every((name, index) => path[index] === name) && (!isPage || path[root.length] === 'nodes');
  if (!isInside) return undefined;
  let value = data;
  for (const [index, key] of path.entries()) {
    if (typeof value !== 'object' || value === null) return undefined;
    const owner = value as DataObject;
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
