import type { DataObject } from '../../data/own-properties.ts';
import type { ExecutionResult } from '../../executable-operation.ts';
import type { FetchReport, RunState } from '../../run/run-state.ts';
import { createErrorList, type ErrorList } from '../errors/error-list.ts';
import { createDataErrorLocator, type LocatedReport } from '../errors/error-locator.ts';
import { type ErrorPath, indexErrorPaths } from '../errors/error-paths.ts';
import type { ValueShape } from '../shape/response-shape.ts';
import type { ResponsePosition } from '../shape/visit-positions.ts';
import type { FieldPrefixCache } from './field-prefixes.ts';
import { LongLists } from './long-lists.ts';
import { printLongLists } from './print-long-lists.ts';
import type { PrintRun } from './print-run.ts';

import { printValue } from './print-value.ts';

/** Settings for printing the response to an operation. */
export interface ResultRules {
  readonly shape: ValueShape;
  readonly fieldPrefixes: FieldPrefixCache;
  readonly maxErrors: number;
  /** Whether the operation has deferred fragments. */
  readonly isDeferring: boolean;
}

/** A value to print: the data of the initial response, or an object with the fields of a deferred fragment. */
interface Printed {
  readonly value: DataObject;
  readonly shape: ValueShape;
  readonly path: ErrorPath;
}

/** Errors that are known before printing starts. */
export interface KnownErrors {
  /** Contains the subgraph errors. The printer adds its own errors. */
  readonly list: ErrorList;
  /** Paths of the subgraph errors. Nulls at these paths need no further error. */
  readonly paths: readonly ErrorPath[];
  /** Paths of values that subgraphs made null because of their errors. They explain all nulls inside. */
  readonly nullPaths: readonly ErrorPath[];
}

/** Result of printing. */
export interface PrintedPayload {
  readonly data: string;
  /** Number of objects in it, without the root. */
  readonly objects: number;
  /** Paths of values that became null because of a value inside them. */
  readonly removed: readonly ErrorPath[];
}

const neverExplained = (): boolean => false;

/** Prints a value and adds the errors that the printer finds. */
export function printPayload(printed: Printed, known: KnownErrors, state: RunState, rules: ResultRules): PrintedPayload {
  return printWith(createPrintRun(printed, known, state, rules), printed);
}

function printWith(run: PrintRun, { value, shape, path }: Printed): PrintedPayload {
  const data = printValue(shape, value, path.length, run) ?? 'null';
  return { data, objects: data === 'null' ? 0 : run.objects - 1, removed: run.removed ?? [] };
}

function createPrintRun({ path }: Printed, { list, paths, nullPaths }: KnownErrors, state: RunState, rules: ResultRules): PrintRun {
  const { variables, aliases, isTransient } = state.run;
  return {
    path: [...path],
    fieldPrefixes: rules.fieldPrefixes.of(aliases, isTransient),
    ownFieldPrefixes: rules.fieldPrefixes.of(undefined),
    aliases,
    needsNoEscape: state.needsNoEscape,
    memos: [],
    lists: state.isLarge ? new Map() : undefined,
    longLists: state.isLarge ? new LongLists() : undefined,
    variables,
    isExplained: paths.length === 0 ? neverExplained : indexErrorPaths(paths, nullPaths),
    report: list.add,
    deny: list.deny,
    principal: state.run.context.principal,
    removed: rules.isDeferring ? [] : undefined,
    errorCount: 0,
    objects: 0,
  };
}

/** Adds the failure of a whole fetch when none of its fields is visible in the printed data. */
export function addUnseen({ report: { failure }, path }: LocatedReport, list: ErrorList): void {
  if (failure === undefined || failure.isShown) return;
  if (list.isDenied(path)) return;
  for (const cause of failure.causes) list.add({ ...cause, ...(path.length > 0 && { path }) });
}

/** The initial response and the paths in it that became null because of a value inside. */
export interface FirstResult extends ExecutionResult {
  readonly objects: number;
  readonly removed: readonly ErrorPath[];
}

/**
 * Prints the data and lists the errors. Subgraph errors come first, in plan order, followed by the errors of the printer, in response
 * order. A failed fetch without any field that is visible to the client is reported last, at its own path. Deferred fragments and their
 * errors are left out.
 */
export function makeResult(state: RunState, rules: ResultRules): FirstResult {
  const errors = locateErrors(state, rules);
  return endResult(errors, printPayload(whole(state, rules), errors, state, rules));
}

/** Makes the result of a large response in steps between which other requests are served. */
export function* makeResultInSteps(state: RunState, rules: ResultRules): Generator<undefined, FirstResult, undefined> {
  const errors = locateErrors(state, rules);
  const printed = whole(state, rules);
  const run = createPrintRun(printed, errors, state, rules);
  yield* printLongLists(printed.shape, printed.value, 0, run);
  const payload = printWith(run, printed);
  const longData = run.longLists && (yield* run.longLists.replacePlaceholders(payload.data));
  if (longData === undefined) return endResult(errors, payload);
  return { ...endResult(errors, { ...payload, data: longData.toString() }), longData };
}

/** Errors of the fetches of a response. */
interface LocatedErrors extends KnownErrors {
  readonly failed: readonly LocatedReport[];
}

function locateErrors(state: RunState, rules: ResultRules): LocatedErrors {
  const list = createErrorList(rules.maxErrors, state.run.aliases);
  if (state.reports.length === 0) return { list, paths: NO_PATHS, nullPaths: NO_PATHS, failed: NO_REPORTS };
  const paths: ErrorPath[] = [];
  const nullPaths: ErrorPath[] = [];
  const reports = inOrder(state.reports.filter(({ fetch }) => fetch.deferral === 0));
  const locator = createDataErrorLocator(rootOf(state, rules), reports);
  const failed: LocatedReport[] = [];
  for (const report of reports) {
    const located = locator.locate(report, list.remaining());
    failed.push(located);
    for (const { error, failure, part, nullPath } of located.errors) {
      if (part > 0) continue;
      if (failure !== undefined) failure.isReported = true;
      list.add(error);
      if (error.path !== undefined) paths.push(error.path);
      if (nullPath !== undefined) nullPaths.push(nullPath);
    }
  }
  return { list, paths, nullPaths, failed };
}

function endResult({ list, failed }: LocatedErrors, { data, objects, removed }: PrintedPayload): FirstResult {
  for (const located of failed) addUnseen(located, list);
  return { data, errors: list.toArray(), objects, removed };
}

const NO_REPORTS: readonly LocatedReport[] = [];
const NO_PATHS: readonly ErrorPath[] = [];

function whole({ data }: RunState, { shape }: ResultRules): Printed {
  return { value: data, shape, path: [] };
}

/** Returns the root position of the response. */
export function rootOf({ data }: RunState, { shape }: ResultRules): ResponsePosition {
  return { value: data, shape, path: [], part: 0 };
}

/** Sorts reports in plan order. */
export function inOrder(reports: FetchReport[]): readonly FetchReport[] {
  return reports.sort((one, other) => one.fetch.index - other.fetch.index || one.order - other.order);
}
