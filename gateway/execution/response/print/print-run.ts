import type { Principal } from '../../../platform/principal.ts';
import { FieldFailure } from '../../data/field-failure.ts';
import type { DataObject } from '../../data/own-properties.ts';
import type { ExecutionError } from '../../executable-operation.ts';
import type { FieldPrefixesInUse } from './field-prefixes.ts';
import type { LongLists } from './long-lists.ts';

/** Text of an object without errors, which is the same at every position. */
export interface PrintedObject {
  readonly text: string;
  /** Number of objects in it, with itself. */
  readonly objects: number;
}

/** A list that was printed ahead. */
export interface PrintedList {
  /** Undefined for a list that cannot be printed because an item is null and must not be. For a long list, its placeholder. */
  readonly text: string | undefined;
  /** Path at which the list was printed. Undefined when it has no errors: its text is the same at every position. */
  readonly path: readonly (string | number)[] | undefined;
  /** Number of objects in it. */
  readonly objects: number;
}

/** Returns the list at the current path if it was printed ahead. */
export function findPrinted(shape: object, items: readonly unknown[], depth: number, run: PrintRun): PrintedList | undefined {
  const known = run.lists?.get(shape)?.get(items);
  if (known?.path === undefined) return known;
  const { path } = known;
  return path.length === depth && path.every((element, index) => element === run.path[index]) ? known : undefined;
}

/** State shared while one response is printed. */
export interface PrintRun extends FieldPrefixesInUse {
  /**
   * Current path of the printer in response keys of the compiled operation and list indices. Only the elements up to the passed depth are
   * valid.
   */
  readonly path: (string | number)[];
  readonly needsNoEscape: boolean;
  /** Texts of objects that can occur at several positions, by `ObjectShape.memo`. */
  readonly memos: (Map<DataObject, PrintedObject> | undefined)[];
  /** Long lists that were printed ahead, by shape and list. Undefined for small responses. */
  readonly lists: Map<object, Map<readonly unknown[], PrintedList>> | undefined;
  /** Texts of these lists. Undefined for small responses. */
  readonly longLists: LongLists | undefined;
  /** Coerced variables, for introspection. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether an error at this path or beneath it explains a null. */
  readonly isExplained: (path: readonly (string | number)[], depth: number) => boolean;
  readonly report: (error: ExecutionError) => void;
  /** Reports an authorization error and suppresses all other errors at its path and beneath it. */
  readonly deny: (error: ExecutionError & Required<Pick<ExecutionError, 'path'>>) => void;
  /** The caller. */
  readonly principal: Principal;
  /** Collects the paths of values that became null because of a value inside them. Only deferred fragments need them. */
  readonly removed: (string | number)[][] | undefined;
  /** Number of values that could not be printed so far, whether they were reported or not. */
  errorCount: number;
  /** Number of objects in the text so far, with the root. */
  objects: number;
}

/** Reports a null in a non-nullable field, unless an error at its path or beneath explains it. */
export function reportNull(owner: string, depth: number, run: PrintRun): undefined {
  run.errorCount += 1;
  if (run.isExplained(run.path, depth)) return;
  const path = run.path.slice(0, depth);
  run.report({ message: `Cannot return null for non-nullable field ${owner}.`, code: 'SUBGRAPH_INVALID_RESPONSE', path });
}

/** Reports a value that cannot be printed: a field failure or a value of the wrong type. */
export function reportUnusable(value: unknown, owner: string, depth: number, run: PrintRun): undefined {
  run.errorCount += 1;
  const path = run.path.slice(0, depth);
  if (!(value instanceof FieldFailure)) {
    run.report({ message: `A subgraph returned an invalid value for field ${owner}.`, code: 'SUBGRAPH_INVALID_RESPONSE', path });
  } else if (!value.isReported) {
    value.isShown = true;
    for (const cause of value.causes) run.report({ ...cause, path });
  }
}
