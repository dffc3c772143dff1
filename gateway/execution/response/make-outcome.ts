import type { ExecutionOutcome } from '../executable-operation.ts';
import type { RunState } from '../run/run-state.ts';
import { createErrorList } from './error-list.ts';
import { indexErrorPaths } from './error-paths.ts';
import { locateErrors } from './locate-errors.ts';
import type { OpeningsCache } from './openings.ts';
import type { PrintRun } from './print-run.ts';
import { printValue } from './print-value.ts';
import type { ValueShape } from './response-shape.ts';

/** How the answer to an operation is made. */
export interface OutcomeRules {
  readonly shape: ValueShape;
  readonly openings: OpeningsCache;
  readonly maxErrors: number;
}

const neverExplained = (): boolean => false;

/**
 * Prints the data and lists the errors. First the subgraphs' errors in the order of the plan, then what the printer
 * found, in the order of the response; a failed fetch whose fields the client does not see is reported last, at its own path.
 */
export function makeOutcome(state: RunState, { shape, openings, maxErrors }: OutcomeRules): ExecutionOutcome {
  const { data, reports, needsNoEscape } = state;
  const { variables, aliases } = state.run;
  const list = createErrorList(maxErrors, aliases);
  const root = { value: data, shape, path: [] };
  reports.sort((one, other) => one.fetch.index - other.fetch.index || one.order - other.order);
  const located = reports.map((report) => {
    const result = locateErrors(root, report, list.room());
    for (const error of result.errors) list.add(error);
    return result;
  });
  const paths = located.flatMap(({ errors }) => errors.flatMap(({ path }) => (path === undefined ? [] : [path])));
  const run: PrintRun = {
    path: [],
    openings: openings.of(aliases),
    aliases,
    needsNoEscape,
    memos: [],
    variables,
    isExplained: paths.length === 0 ? neverExplained : indexErrorPaths(paths),
    report: list.add,
    faults: 0,
  };
  const text = printValue(shape, data, 0, run) ?? 'null';
  for (const { report, path } of located) {
    if (report.failure === undefined || report.failure.isShown) continue;
    for (const cause of report.failure.causes) list.add({ ...cause, ...(path.length > 0 && { path }) });
  }
  return { data: text, errors: list.toArray() };
}
