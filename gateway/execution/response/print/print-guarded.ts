import { accessDenied, isIdOfCaller } from '../../../authorization/entity-access.ts';
import { type FailureCause, FieldFailure } from '../../data/field-failure.ts';
import { type DataKey, type DataObject, readKey } from '../../data/own-properties.ts';
import { type PrintRun, reportUnusable } from './print-run.ts';

/** Error for a field whose rule could not be decided. */
const UNDECIDED: FailureCause = {
  code: 'AUTH_UNAVAILABLE',
  message: 'The gateway cannot check at the moment whether you have permission to access this field. Try again later.',
};

/** A position of the response and the field at that position. */
export interface GuardedPosition {
  /** The field as `Type.field`. */
  readonly owner: string;
  /** Number of path elements that lead to the position. */
  readonly depth: number;
}

/** Whether the object belongs to the caller. When it does not, reports an error at this position. */
export function mayOwnerSee(keys: readonly DataKey[], object: DataObject, { owner, depth }: GuardedPosition, run: PrintRun): boolean {
  for (const key of keys) {
    const value = readKey(object, key);
    if (isIdOfCaller(value, run.principal)) continue;
    // The owner could not be fetched, so the gateway reports that failure instead of denying access.
    if (value instanceof FieldFailure) reportUnusable(new FieldFailure(value.causes), owner, depth, run);
    else reportDenied(false, depth, run);
    return false;
  }
  return true;
}

/** Reports a position that the caller is not permitted to see. */
export function reportDenied(isUndecided: boolean, depth: number, run: PrintRun): undefined {
  run.errorCount += 1;
  const cause = isUndecided ? UNDECIDED : accessDenied(run.principal);
  run.deny({ ...cause, path: run.path.slice(0, depth) });
}

/** Prints a position that the caller is not permitted to see: null, or undefined when the field is non-nullable. */
export function printDenied(isNonNull: boolean, depth: number, run: PrintRun): string | undefined {
  if (isNonNull) return undefined;
  run.removed?.push(run.path.slice(0, depth));
  return 'null';
}
