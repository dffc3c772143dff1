import type { PlanKeys } from '../planning/plan-keys.ts';
import type { SubgraphError } from '../supergraph/subgraph-executor.ts';
import { type ErrorPath, commonPrefix, renameErrorPath } from './error-paths.ts';
import type { ExecutionError } from './executable-operation.ts';
import { visitTargets } from './flatten-path.ts';
import type { DataObject } from './own-properties.ts';
import type { FetchReport } from './run-state.ts';

/** A report with the places in the client's response that it is about. */
export interface LocatedReport {
  readonly report: FetchReport;
  /** The subgraph's errors at the client's paths. */
  readonly errors: readonly ExecutionError[];
  /** Where the fetch itself stands: the longest path that all objects it was to fill have in common. */
  readonly path: ErrorPath;
}

/** How errors are located. */
export interface LocationRules {
  /** How many errors are wanted at most. */
  readonly limit: number;
  /** Whether conditions leave out what stands at a path of the client's: an error there is none. */
  readonly isLeftOut: (path: ErrorPath) => boolean;
  /** What the plan calls the client's response keys. */
  readonly keys: PlanKeys;
}

/**
 * Finds the places of a fetch's errors in the response. An error of an entity stands at each place of its
 * representation; one whose path leads nowhere stands at the path of the fetch.
 *
 */
export function locateErrors(data: DataObject, report: FetchReport, { limit, keys, isLeftOut }: LocationRules): LocatedReport {
  const places: ErrorPath[][] = [];
  const all: ErrorPath[] = [];
  visitTargets(data, report.fetch.path, (target, position) => {
    const index = report.targets.get(target);
    if (index === undefined) return;
    const place = [...position];
    all.push(place);
    (places[index] ??= []).push(place);
  });
  const path = toClientPath(all.length > 0 ? commonPrefix(all) : fixedPath(report), keys);
  const errors: ExecutionError[] = [];
  for (const error of report.errors) {
    for (const found of placesOf(error, report, places)?.map((place) => toClientPath(place, keys)) ?? [path]) {
      if (errors.length >= limit) return { report, errors, path };
      if (isLeftOut(found)) continue;
      errors.push({ message: error.message, code: error.code, ...(found.length > 0 && { path: found }) });
    }
  }
  return { report, errors, path };
}

function placesOf(
  error: SubgraphError,
  { fetch }: FetchReport,
  places: readonly (readonly ErrorPath[])[],
): readonly ErrorPath[] | undefined {
  const { path } = error;
  if (path === undefined || path.length === 0) return undefined;
  const isEntityPath = fetch.entities !== undefined;
  const [first, second] = path;
  if (isEntityPath && (first !== '_entities' || typeof second !== 'number')) return undefined;
  const rest = renameErrorPath(isEntityPath ? path.slice(2) : path, fetch.keyRenames);
  if (rest.length > 0 && !fetch.keys.some(({ name }) => name === rest[0])) return undefined;
  return places[isEntityPath ? Number(second) : 0]?.map((place) => [...place, ...rest]);
}

function toClientPath(path: ErrorPath, { toClient }: PlanKeys): ErrorPath {
  return toClient.size === 0 ? path : path.map((element) => (typeof element === 'string' ? (toClient.get(element) ?? element) : element));
}

/** The path of a fetch up to the first list, for objects that are no longer in the response. */
function fixedPath({ fetch }: FetchReport): ErrorPath {
  const path: string[] = [];
  for (const step of fetch.path) {
    if (step.kind === 'items') break;
    if (step.kind === 'field') path.push(step.key.name);
  }
  return path;
}
