import type { ExecutionError } from './executable-operation.ts';
import type { FieldFailure } from './field-failure.ts';

/** What one printing of a response shares among its printers. */
export interface PrintRun {
  /** Response keys and indices of where the printer is; valid up to the depth that the printer was called with. */
  readonly path: (string | number)[];
  /** Coerced variables, for introspection. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether an error is known at this path or below it, so that a null there is explained. */
  readonly isExplained: (path: readonly (string | number)[], depth: number) => boolean;
  readonly report: (error: ExecutionError) => void;
  /** Failures whose causes were reported at some place of the response. */
  readonly shown: Set<FieldFailure>;
}

/**
 * Prints one value as JSON text. Returns `undefined` when the value, or something in it that must not be null, is null:
 * the nearest place around it that may be null becomes `null`. Why was reported by then.
 *
 * @param depth how many elements of `run.path` lead to the value
 */
export type ValuePrinter = (value: unknown, depth: number, run: PrintRun) => string | undefined;

/** The path to the value that is being printed. */
export function currentPath(run: PrintRun, depth: number): readonly (string | number)[] {
  return run.path.slice(0, depth);
}
