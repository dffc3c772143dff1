import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { ExecutionError } from '../executable-operation.ts';
import type { FieldFailure } from '../data/field-failure.ts';
import type { MergeField } from '../plan/compiled-plan.ts';
import type { FetchReport } from '../run/run-state.ts';
import { type ErrorPath, commonPrefix } from './error-paths.ts';
import { type FoundPath, type ResponsePlace, findPlaces, fixedPath, visitPlaces } from './visit-places.ts';

/** An error of a subgraph at one of the client's paths. */
export interface LocatedError {
  readonly error: ExecutionError;
  /** Number of the `@defer` with which the client gets what failed; 0 in the first answer. */
  readonly part: number;
  /** Marks in the tree that it explains. */
  readonly failure: FieldFailure | undefined;
}

/** A report with the places in the client's response that it is about. */
export interface LocatedReport {
  readonly report: FetchReport;
  /** The subgraph's errors at the client's paths. */
  readonly errors: readonly LocatedError[];
  /** Where the fetch itself stands: the longest path that all objects it was to fill have in common. */
  readonly path: ErrorPath;
}

/**
 * Finds the places of a fetch's errors in the response. An error of an entity stands at each place of the entity, under
 * each of the client's response keys; that of a field which the client did not ask for stands nowhere. One whose path
 * leads to nothing that the subgraph was asked for stands at the path of the fetch.
 *
 * @param limit how many errors are wanted at most
 */
export function locateErrors(root: ResponsePlace, report: FetchReport, limit: number): LocatedReport {
  const places = placesOf(root, report);
  const rootPlaces = rootPlacesOf(root, report);
  const path = pathOf(root, report, [...rootPlaces, ...places.flat().flatMap((found) => found ?? [])]);
  const errors: LocatedError[] = [];
  for (const { error, failure } of report.errors) {
    const { message, code } = error;
    for (const { path: found, part } of locate(error, { report, rootPlaces, places }) ?? [{ path, part: report.fetch.deferral }]) {
      const isListed = errors.length < limit;
      if (isListed) errors.push({ error: { message, code, ...(found.length > 0 && { path: found }) }, part, failure });
      else if (failure !== undefined) failure.isTold = true;
    }
  }
  return { report, errors, path };
}

/** For each `_entities` field of a request, by index of the representation, where its objects stand. */
type Places = readonly (readonly (readonly ResponsePlace[] | undefined)[])[];

function placesOf(root: ResponsePlace, { batches }: FetchReport): Places {
  return batches.map(({ field, targets, indices }) => {
    const indexOf = new Map<unknown, number>(targets.map((target, position) => [target, indices[position] ?? 0]));
    const places: ResponsePlace[][] = [];
    for (const path of field.paths) {
      visitPlaces(root, path, (place) => {
        const index = indexOf.get(place.value);
        if (index !== undefined) (places[index] ??= []).push(place);
      });
    }
    return places;
  });
}

/** Where the objects stand that an answer about the root type belongs to; none where entities were asked for. */
function rootPlacesOf(root: ResponsePlace, { request, targets }: FetchReport): readonly ResponsePlace[] {
  if (request.root === undefined) return [];
  const { target } = request.root;
  if (target === undefined) return [root];
  const filled = new Set<unknown>(targets);
  const places: ResponsePlace[] = [];
  visitPlaces(root, target.path, (place) => {
    if (filled.has(place.value)) places.push(place);
  });
  return places;
}

function pathOf(root: ResponsePlace, { request, batches }: FetchReport, places: readonly ResponsePlace[]): ErrorPath {
  if (places.length > 0) return commonPrefix(places.map(({ path }) => path));
  const paths = request.root === undefined ? batches.flatMap(({ field }) => field.paths) : [request.root.target?.path ?? []];
  return commonPrefix(paths.map((path) => fixedPath(root.shape, path)));
}

/** The client's paths of an error; undefined when its path leads to nothing that was asked for. */
function locate(
  { path = [] }: SubgraphError,
  { report, rootPlaces, places }: { readonly report: FetchReport; readonly rootPlaces: readonly ResponsePlace[]; readonly places: Places },
): readonly FoundPath[] | undefined {
  if (report.request.root !== undefined) {
    const known = knownPart(path, report.request.root.fields);
    return known.length === 0 ? undefined : rootPlaces.flatMap((place) => findPlaces(place, known));
  }
  const [responseKey, index, ...rest] = path;
  const position = report.batches.findIndex(({ field }) => field.responseKey === responseKey);
  const batch = report.batches[position];
  if (batch === undefined || typeof index !== 'number') return undefined;
  // What fails whatever is answered has its own cause.
  if (batch.lost.some((lost) => lost.index === index && lost.keys.some((key) => key.name === rest[0]))) return [];
  const known = knownPart(rest, batch.field.fields);
  if (index >= batch.size || (known.length === 0 && rest.length > 0)) return undefined;
  return (places[position]?.[index] ?? []).flatMap((place) => findPlaces(place, known));
}

/** The beginning of a path that leads through what was asked for. */
function knownPart(path: ErrorPath, fields: readonly MergeField[]): ErrorPath {
  let inside: readonly MergeField[] | undefined = fields;
  const known: (string | number)[] = [];
  for (const element of path) {
    if (typeof element === 'string') {
      const field: MergeField | undefined = inside?.find(({ key }) => key.name === element);
      if (field === undefined) break;
      inside = field.fields;
    }
    known.push(element);
  }
  return known;
}
