import type { DataObject } from '../../data/own-properties.ts';
import type { RunState } from '../../run/run-state.ts';
import type { ErrorList } from '../errors/error-list.ts';
import type { LocatedReport } from '../errors/error-locator.ts';
import { type ErrorPath, indexErrorPaths } from '../errors/error-paths.ts';
import type { ValueShape } from '../shape/response-shape.ts';
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
export interface Printed {
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
