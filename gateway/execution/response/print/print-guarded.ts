import { ownerIdOf, type Principal } from '../../../platform/principal.ts';
import { type FailureCause, FieldFailure } from '../../data/field-failure.ts';
import { type DataKey, type DataObject, readKey } from '../../data/own-properties.ts';
import { type PrintRun, reportUnusable } from './print-run.ts';

/** What a client is told of a place that it may not see, whatever stands there. */
const SIGN_IN: FailureCause = { code: 'UNAUTHENTICATED', message: 'Sign in for this.' };
const FORBIDDEN: FailureCause = { code: 'FORBIDDEN', message: 'You may not see or do this.' };
const UNDECIDED: FailureCause = { code: 'AUTH_UNAVAILABLE', message: 'Nobody can tell at the moment whether you may see or do this.' };

/** A place of the response, and what stands there. */
export interface GuardedPlace {
  /** The field as `Type.field`. */
  readonly owner: string;
  /** How many elements of the path lead there. */
  readonly depth: number;
}

/** Whether an object belongs to the caller. Where it does not, that is reported for the place. */
export function mayOwnerSee(keys: readonly DataKey[], object: DataObject, { owner, depth }: GuardedPlace, run: PrintRun): boolean {
  for (const key of keys) {
    const value = readKey(object, key);
    if (isCaller(value, run.principal)) continue;
    // Who cannot be told to be the owner is not told to be none.
    if (value instanceof FieldFailure) reportUnusable(new FieldFailure(value.causes), owner, depth, run);
    else reportDenied(false, depth, run);
    return false;
  }
  return true;
}

/** A number counts where it is surely the one that was sent: of larger ones JSON keeps what is near, which may be somebody else. */
function isCaller(value: unknown, principal: Principal): boolean {
  const id = ownerIdOf(principal);
  if (id === undefined) return false;
  return value === id || (Number.isSafeInteger(value) && String(value) === id);
}

/** Reports a place that must not be seen. */
export function reportDenied(isUndecided: boolean, depth: number, run: PrintRun): undefined {
  run.faults += 1;
  const cause = isUndecided ? UNDECIDED : run.principal.kind === 'anonymous' ? SIGN_IN : FORBIDDEN;
  run.deny({ ...cause, path: run.path.slice(0, depth) });
}

/** What is printed of a place that must not be seen: null, or where that may not be, nothing. */
export function printDenied(isNonNull: boolean, depth: number, run: PrintRun): string | undefined {
  if (isNonNull) return undefined;
  run.removed?.push(run.path.slice(0, depth));
  return 'null';
}
