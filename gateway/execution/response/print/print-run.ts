import type { Principal } from '../../../platform/principal.ts';
import { FieldFailure } from '../../data/field-failure.ts';
import type { DataObject } from '../../data/own-properties.ts';
import type { ExecutionError } from '../../executable-operation.ts';
import type { OpeningsInUse } from './field-prefixes.ts';

/** What one printing of a response shares. */
export interface PrintRun extends OpeningsInUse {
  /** Response keys of the compiled operation and indices of where the printer is; valid up to the depth that is handed on. */
  readonly path: (string | number)[];
  readonly needsNoEscape: boolean;
  /** Printed texts of objects that may stand in several places, by `ObjectShape.memo`. */
  readonly memos: (Map<DataObject, string> | undefined)[];
  /** Coerced variables, for introspection. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether an error is known at this path or below it, so that a null there is explained. */
  readonly isExplained: (path: readonly (string | number)[], depth: number) => boolean;
  readonly report: (error: ExecutionError) => void;
  /** Reports what must not be shown; nothing else is told of that place, nor of what is inside. */
  readonly deny: (error: ExecutionError & Required<Pick<ExecutionError, 'path'>>) => void;
  /** Who asks. */
  readonly principal: Principal;
  /** Collects the paths of values that became null for something in them. Only what is deferred needs them. */
  readonly removed: (string | number)[][] | undefined;
  /** How many values could not be printed so far, whether they were reported or not. */
  faults: number;
}

/** Reports the null of a field that must not be null, unless an error at its path or below explains it. */
export function reportNull(owner: string, depth: number, run: PrintRun): undefined {
  run.faults += 1;
  if (run.isExplained(run.path, depth)) return;
  const path = run.path.slice(0, depth);
  run.report({ message: `Cannot return null for non-nullable field ${owner}.`, code: 'SUBGRAPH_INVALID_RESPONSE', path });
}

/** Reports a value that cannot be printed: the mark of a failure, or something of the wrong shape. */
export function reportUnusable(value: unknown, owner: string, depth: number, run: PrintRun): undefined {
  run.faults += 1;
  const path = run.path.slice(0, depth);
  if (!(value instanceof FieldFailure)) {
    run.report({ message: `A subgraph answered with an invalid value for field ${owner}.`, code: 'SUBGRAPH_INVALID_RESPONSE', path });
  } else if (!value.isTold) {
    value.isShown = true;
    for (const cause of value.causes) run.report({ ...cause, path });
  }
}
