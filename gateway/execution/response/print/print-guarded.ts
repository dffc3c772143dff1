import { ownerIdOf, type Principal } from '../../../platform/principal.ts';
import { type FailureCause, FieldFailure } from '../../data/field-failure.ts';
import { type DataKey, type DataObject, readKey } from '../../data/own-properties.ts';
import { type PrintRun, reportUnusable } from './print-run.ts';

/** Errors for fields that the client is not permitted to see. They do not depend on the value. */
const SIGN_IN: FailureCause = { code: 'UNAUTHENTICATED', message: 'Authentication is required to access this field.' };
const FORBIDDEN: FailureCause = { code: 'FORBIDDEN', message: 'You do not have permission to access this field.' };
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
    if (isCaller(value, run.principal)) continue;
    // The owner could not be fetched, so the gateway reports that failure instead of denying access.
    if (value instanceof FieldFailure) reportUnusable(new FieldFailure(value.causes), owner, depth, run);
    else reportDenied(false, depth, run);
    return false;
  }
  return true;
}

/**
 * Whether an ID belongs to the caller. A number counts only when it is a safe integer. JSON rounds larger numbers, so the rounded value can
 * be the ID of another user.
 */
function isCaller(value: unknown, principal: Principal): boolean {
  const id = ownerIdOf(principal);
  if (id === undefined) return false;
  return value === id || (Number.isSafeInteger(value) && String(value) === id);
}

/** Reports a position that the caller is not permitted to see. */
export function reportDenied(isUndecided: boolean, depth: number, run: PrintRun): undefined {
  run.errorCount += 1;
  const cause = isUndecided ? UNDECIDED : run.principal.kind === 'anonymous' ? SIGN_IN : FORBIDDEN;
  run.deny({ ...cause, path: run.path.slice(0, depth) });
}

/** Prints a position that the caller is not permitted to see: null, or undefined when the field is non-nullable. */
export function printDenied(isNonNull: boolean, depth: number, run: PrintRun): string | undefined {
  if (isNonNull) return undefined;
  run.removed?.push(run.path.slice(0, depth));
  return 'null';
}
