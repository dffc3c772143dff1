import type { DataObject } from '../../data/own-properties.ts';
import type { ExecutionOutcome } from '../../executable-operation.ts';
import type { FetchReport, RunState } from '../../run/run-state.ts';
import { createErrorList, type ErrorList } from '../errors/error-list.ts';
import { createDataErrorLocator, type LocatedReport } from '../errors/error-locator.ts';
import { type ErrorPath, indexErrorPaths } from '../errors/error-paths.ts';
import type { ValueShape } from '../shape/response-shape.ts';
import type { ResponsePlace } from '../shape/visit-places.ts';
import type { OpeningsCache } from './field-prefixes.ts';
import { printValue } from './print-value.ts';

/** How the answer to an operation is made. */
export interface OutcomeRules {
  readonly shape: ValueShape;
  readonly openings: OpeningsCache;
  readonly maxErrors: number;
  /** Whether something of the answer may come later. */
  readonly isDeferring: boolean;
}

/** What is printed: the first answer, or a fragment at one of the places where it stands. */
interface Printed {
  readonly value: DataObject;
  readonly shape: ValueShape;
  readonly path: ErrorPath;
}

/** What is known of the errors before anything is printed. */
export interface KnownErrors {
  /** Has those of the subgraphs, and takes those of the printer. */
  readonly list: ErrorList;
  /** Where those of the subgraphs are: they explain what is null there. */
  readonly paths: readonly ErrorPath[];
  /** Values that subgraphs have made null for their errors: these explain all nulls inside. */
  readonly nullPaths: readonly ErrorPath[];
}

/** What came of it. */
export interface PrintedPart {
  readonly data: string;
  /** Paths of values that became null for something in them. */
  readonly removed: readonly ErrorPath[];
}

const neverExplained = (): boolean => false;

/** Prints a part of the response, and adds the errors that the printer finds. */
export function printPart(printed: Printed, { list, paths, nullPaths }: KnownErrors, state: RunState, rules: OutcomeRules): PrintedPart {
  const { variables, aliases, isPassing } = state.run;
  const removed: (string | number)[][] | undefined = rules.isDeferring ? [] : undefined;
  const data = printValue(printed.shape, printed.value, printed.path.length, {
    path: [...printed.path],
    openings: rules.openings.of(aliases, isPassing),
    ownOpenings: rules.openings.of(undefined),
    aliases,
    needsNoEscape: state.needsNoEscape,
    memos: [],
    variables,
    isExplained: paths.length === 0 ? neverExplained : indexErrorPaths(paths, nullPaths),
    report: list.add,
    deny: list.deny,
    principal: state.run.context.principal,
    removed,
    faults: 0,
  });
  return { data: data ?? 'null', removed: removed ?? [] };
}

/** Adds the failure of a whole fetch of which nothing that was printed shows anything. */
export function addUnseen({ report: { failure }, path }: LocatedReport, list: ErrorList): void {
  if (failure === undefined || failure.isShown) return;
  if (list.isDenied(path)) return;
  for (const cause of failure.causes) list.add({ ...cause, ...(path.length > 0 && { path }) });
}

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
  const locator = createDataErrorLocator(rootOf(state, rules), reports);
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
