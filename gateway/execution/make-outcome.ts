import type { PlanKeys } from '../planning/plan-keys.ts';
import { createErrorList } from './error-list.ts';
import { type ErrorPath, indexErrorPaths } from './error-paths.ts';
import type { ExecutionOutcome } from './executable-operation.ts';
import type { FieldFailure } from './field-failure.ts';
import { locateErrors } from './locate-errors.ts';
import type { PrintRun, ValuePrinter } from './print-run.ts';
import type { RunState } from './run-state.ts';

/** The answer's form, for one set of conditions. */
export interface ResponseShape {
  readonly printData: ValuePrinter;
  /** Whether conditions leave out what stands at a path of the client's. */
  readonly isLeftOut: (path: ErrorPath) => boolean;
}

/** How the answer to an operation is made. */
export interface OutcomeRules extends ResponseShape {
  readonly keys: PlanKeys;
  readonly maxErrors: number;
}

const neverExplained = (): boolean => false;

/**
 * Prints the data and lists the errors. First the subgraphs' errors in the order of the plan, then what the printer
 * found, in the order of the response; a failed fetch whose fields the client does not see is reported last, at its own path.
 */
export function makeOutcome(state: RunState, { printData, isLeftOut, keys, maxErrors }: OutcomeRules): ExecutionOutcome {
  const list = createErrorList(maxErrors);
  const reports = state.reports.sort((one, other) => one.fetch.index - other.fetch.index);
  const located = reports.map((report) => {
    const result = locateErrors(state.data, report, { limit: list.room(), keys, isLeftOut });
    for (const error of result.errors) list.add(error);
    return result;
  });
  const shown = new Set<FieldFailure>();
  const paths = located.flatMap(({ errors }) => errors.flatMap(({ path }) => (path === undefined ? [] : [path])));
  const run: PrintRun = {
    path: [],
    variables: state.run.variables,
    isExplained: paths.length === 0 ? neverExplained : indexErrorPaths(paths),
    report: (error) => list.add(error),
    shown,
  };
  const data = printData(state.data, 0, run) ?? 'null';
  for (const { report, path } of located) {
    if (report.failure === undefined || shown.has(report.failure)) continue;
    for (const cause of report.failure.causes) list.add({ ...cause, ...(path.length > 0 && { path }) });
  }
  return { data, errors: list.toArray() };
}
