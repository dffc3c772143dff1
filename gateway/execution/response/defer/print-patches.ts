import type { FieldFailure } from '../../data/field-failure.ts';
import type { ExecutionError } from '../../executable-operation.ts';
import type { FetchReport, RunState } from '../../run/run-state.ts';
import { type ErrorList, createErrorList } from '../errors/error-list.ts';
import type { ErrorPath } from '../errors/error-paths.ts';
import { type DeferredPosition, findDeferredPositions } from './find-deferred-positions.ts';
import { type LocatedReport, createDataErrorLocator } from '../errors/error-locator.ts';
import { addUnseen, inOrder, type ResultRules, printPayload, rootOf } from '../print/print-response.ts';

/** A deferred fragment and all objects that it applies to. */
export interface PatchInput {
  readonly deferral: number;
  readonly positions: readonly DeferredPosition[];
  /** Whether a report can contain errors that belong to the fragment. */
  readonly concerns: (report: FetchReport) => boolean;
}

/** The fragment printed for one object. */
export interface PrintedPatch {
  readonly path: ErrorPath;
  readonly data: string;
  readonly errors: readonly ExecutionError[];
  /** Nested deferred fragments that are delivered later. */
  readonly inner: readonly DeferredPosition[];
}

/** Errors collected for one patch. */
interface Draft {
  readonly position: DeferredPosition;
  readonly list: ErrorList;
  readonly paths: ErrorPath[];
  readonly nullPaths: ErrorPath[];
  readonly failed: LocatedReport[];
}

/**
 * Prints a deferred fragment for each of its objects. An error is added to the patches that contain the failed field. An error of a fetch
 * that only this fragment needs can have a path outside all patches. It is then added to the patches inside that path, or to the first
 * patch when no patch is inside.
 */
export function printPatches({ deferral, positions, concerns }: PatchInput, state: RunState, rules: ResultRules): readonly PrintedPatch[] {
  const drafts = positions.map((position): Draft => {
    return { position, list: createErrorList(rules.maxErrors, state.run.aliases), paths: [], nullPaths: [], failed: [] };
  });
  const reports = inOrder(state.reports.filter(concerns));
  const locator = createDataErrorLocator(rootOf(state, rules), reports);
  const located = reports.map((report) => locator.locate(report, rules.maxErrors + 1));
  for (const report of located) {
    for (const failure of failuresOf(report.report)) failure.isReported = failure.isShown = false;
  }
  for (const { report, path, errors } of located) {
    const isOwn = report.fetch.deferral === deferral;
    for (const { error, failure, part, nullPath } of errors) {
      if (part !== deferral && !isOwn) continue;
      if (failure !== undefined) failure.isReported = true;
      for (const draft of draftsAt(drafts, error.path ?? [], part === deferral)) {
        draft.list.add(error);
        if (error.path !== undefined) draft.paths.push(error.path);
        if (nullPath !== undefined) draft.nullPaths.push(nullPath);
      }
    }
    if (isOwn) draftsAt(drafts, path, false)[0]?.failed.push({ report, path, errors });
  }
  const patches = drafts.map(({ position, ...known }) => {
    const printed = { value: position.object, shape: position.shape, path: position.path };
    const { data, removed } = printPayload(printed, known, state, rules);
    return { path: position.path, data, inner: findDeferredPositions(printed, removed) };
  });
  for (const { failed, list } of drafts) for (const report of failed) addUnseen(report, list);
  return patches.map(({ path, data, inner }, index) => ({ path, data, inner, errors: drafts[index]?.list.toArray() ?? [] }));
}

function failuresOf({ errors, failure }: FetchReport): readonly FieldFailure[] {
  return [...errors.map((error) => error.failure), failure].filter((found) => found !== undefined);
}

function draftsAt(drafts: readonly Draft[], path: ErrorPath, isInside: boolean): readonly Draft[] {
  const inside = drafts.filter(({ position }) => startsWith(path, position.path));
  if (isInside || inside.length > 0) return inside;
  const beneath = drafts.filter(({ position }) => startsWith(position.path, path));
  return beneath.length > 0 ? beneath : drafts.slice(0, 1);
}

function startsWith(path: ErrorPath, beginning: ErrorPath): boolean {
  return beginning.length <= path.length && beginning.every((element, index) => path[index] === element);
}
