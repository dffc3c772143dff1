import type { ExecutionOutcome } from '../../executable-operation.ts';
import type { FetchReport, RunState } from '../../run/run-state.ts';
import { createErrorList } from '../errors/error-list.ts';
import type { ErrorPath } from '../errors/error-paths.ts';
import { type LocatedReport, createErrorLocator } from '../errors/error-locator.ts';
import type { OutcomeRules } from './print-part.ts';
import { type Printed, addUnseen, printPart } from './print-part.ts';
import type { ResponsePlace } from '../shape/visit-places.ts';

/** The first answer, and what in it became null for something inside. */
export interface FirstOutcome extends ExecutionOutcome {
  readonly removed: readonly ErrorPath[];
}

/**
 * Prints the data and lists the errors. First the subgraphs' errors in the order of the plan, then what the printer
 * found, in the order of the response; a failed fetch whose fields the client does not see is reported last, at its own path.
 * What comes later is left out, with its errors.
 */
export function makeOutcome(state: RunState, rules: OutcomeRules): FirstOutcome {
  const list = createErrorList(rules.maxErrors, state.run.aliases);
  if (state.reports.length === 0) {
    const { data, removed } = printPart(whole(state, rules), { list, paths: NO_PATHS, nullPaths: NO_PATHS }, state, rules);
    return { data, errors: list.toArray(), removed };
  }
  const paths: ErrorPath[] = [];
  const nullPaths: ErrorPath[] = [];
  const reports = inOrder(state.reports.filter(({ fetch }) => fetch.deferral === 0));
  const locator = createErrorLocator(rootOf(state, rules), reports);
  const failed: LocatedReport[] = [];
  for (const report of reports) {
    const located = locator.locate(report, list.room());
    failed.push(located);
    for (const { error, failure, part, nullPath } of located.errors) {
      if (part > 0) continue;
      if (failure !== undefined) failure.isTold = true;
      list.add(error);
      if (error.path !== undefined) paths.push(error.path);
      if (nullPath !== undefined) nullPaths.push(nullPath);
    }
  }
  const { data, removed } = printPart(whole(state, rules), { list, paths, nullPaths }, state, rules);
  for (const located of failed) addUnseen(located, list);
  return { data, errors: list.toArray(), removed };
}

const NO_PATHS: readonly ErrorPath[] = [];

function whole({ data }: RunState, { shape }: OutcomeRules): Printed {
  return { value: data, shape, path: [] };
}

/** The whole response. */
export function rootOf({ data }: RunState, { shape }: OutcomeRules): ResponsePlace {
  return { value: data, shape, path: [], part: 0 };
}

/** Reports in the order of the plan. */
export function inOrder(reports: FetchReport[]): readonly FetchReport[] {
  return reports.sort((one, other) => one.fetch.index - other.fetch.index || one.order - other.order);
}
