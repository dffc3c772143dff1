import type { ExecutionError } from '../../executable-operation.ts';
import type { FieldFailure } from '../../data/field-failure.ts';
import type { DataObject } from '../../data/own-properties.ts';
import type { MergeField, PathStep } from '../../plan/compiled-plan.ts';
import type { Batch, FetchReport, ReportedError } from '../../run/run-state.ts';
import { type ErrorPath, commonPrefix } from './error-paths.ts';
import { type FoundPath, type ResponsePlace, findPlaces, fixedPath, visitPlaces } from '../shape/visit-places.ts';

/** An error of a subgraph at one of the client's paths. */
export interface LocatedError {
  readonly error: ExecutionError;
  /** Number of the `@defer` with which the client gets what failed; 0 in the first answer. */
  readonly part: number;
  /** Marks in the tree that it explains. */
  readonly failure: FieldFailure | undefined;
  /** The value that it made null in the response of its subgraph: it explains each null inside, too. Undefined where there is none. */
  readonly nullPath: ErrorPath | undefined;
}

/** A report with the places in the client's response that it is about. */
export interface LocatedReport {
  readonly report: FetchReport;
  /** The subgraph's errors at the client's paths. */
  readonly errors: readonly LocatedError[];
  /** Where the fetch itself stands: the longest path that all objects it was to fill have in common. */
  readonly path: ErrorPath;
}

/** Finds where the errors of reports stand in the response. */
export interface ErrorLocator {
  /** @param limit how many errors are wanted at most */
  locate(report: FetchReport, limit: number): LocatedReport;
}

/**
 * Prepares to find the places of the errors of some reports in the response: one walk of the tree finds the objects of all
 * of them. An error of an entity stands at each place of the entity, under each of the client's response keys; that of a
 * field which the client did not ask for stands nowhere. One whose path leads to nothing that the subgraph was asked for
 * stands at the path of the fetch.
 */
export function createErrorLocator(root: ResponsePlace, reports: readonly FetchReport[]): ErrorLocator {
  const placesOf = findObjects(root, reports);
  return { locate: (report, limit) => locateReport({ root, report, placesOf }, limit) };
}

/** The places of an object that was found at one of these paths. */
type PlacesOf = (paths: readonly (readonly PathStep[])[], object: DataObject) => readonly ResponsePlace[];

interface Located {
  readonly root: ResponsePlace;
  readonly report: FetchReport;
  readonly placesOf: PlacesOf;
}

function findObjects(root: ResponsePlace, reports: readonly FetchReport[]): PlacesOf {
  const wanted = new Map<readonly PathStep[], Map<unknown, ResponsePlace[]>>();
  const want = (path: readonly PathStep[], targets: readonly DataObject[]): void => {
    let objects = wanted.get(path);
    if (objects === undefined) wanted.set(path, (objects = new Map()));
    for (const target of targets) if (!objects.has(target)) objects.set(target, []);
  };
  for (const { request, targets, batches } of reports) {
    if (request.root?.target !== undefined) want(request.root.target.path, targets);
    for (const batch of batches) for (const path of batch.field.paths) want(path, batch.targets);
  }
  visitPlaces(root, [...wanted.keys()], (path, place) => wanted.get(path)?.get(place.value)?.push(place));
  return (paths, object) => paths.flatMap((path) => wanted.get(path)?.get(object) ?? []);
}

function locateReport({ root, report, placesOf }: Located, limit: number): LocatedReport {
  const batches = new Map(report.batches.map((batch) => [batch.field.responseKey, batchPlaces(batch, placesOf)]));
  const rootPlaces = rootPlacesOf(root, report, placesOf);
  const path = pathOf(root, report, [...rootPlaces, ...[...batches.values()].flatMap(({ places }) => [...places.values()].flat())]);
  const errors: LocatedError[] = [];
  for (const reported of report.errors) {
    const { error, failure } = reported;
    const { path: _path, ...cause } = error;
    const located = locate(reported, { report, rootPlaces, batches }) ?? [{ path, part: report.fetch.deferral, nullPath: undefined }];
    for (const { path: found, part, nullPath } of located) {
      const isListed = errors.length < limit;
      if (isListed) errors.push({ error: { ...cause, ...(found.length > 0 && { path: found }) }, part, failure, nullPath });
      else if (failure !== undefined) failure.isTold = true;
    }
  }
  return { report, errors, path };
}

/** An `_entities` field of a request. */
interface BatchPlaces {
  readonly batch: Batch;
  /** Where its objects stand, by index of the representation. */
  readonly places: ReadonlyMap<number, readonly ResponsePlace[]>;
  /** Names of the fields that fail whatever the response says, by index of the representation. */
  readonly lost: ReadonlyMap<number, ReadonlySet<unknown>>;
}

function batchPlaces(batch: Batch, placesOf: PlacesOf): BatchPlaces {
  const { field, targets, indices } = batch;
  const indexOf = new Map(targets.map((target, position) => [target, indices[position] ?? 0]));
  const places = new Map<number, ResponsePlace[]>();
  for (const [target, index] of indexOf) {
    const found = placesOf(field.paths, target);
    const known = places.get(index);
    if (known === undefined) places.set(index, [...found]);
    else for (const place of found) known.push(place);
  }
  const lost = new Map<number, Set<unknown>>();
  for (const { index, keys } of batch.lost) {
    const names = lost.get(index) ?? new Set();
    lost.set(index, names);
    for (const { name } of keys) names.add(name);
  }
  return { batch, places, lost };
}

/** Where the objects stand that an answer about the root type belongs to; none where entities were asked for. */
function rootPlacesOf(root: ResponsePlace, { request, targets }: FetchReport, placesOf: PlacesOf): readonly ResponsePlace[] {
  if (request.root === undefined) return [];
  const { target } = request.root;
  return target === undefined ? [root] : [...new Set(targets)].flatMap((object) => placesOf([target.path], object));
}

function pathOf(root: ResponsePlace, { request, batches }: FetchReport, places: readonly ResponsePlace[]): ErrorPath {
  if (places.length > 0) return commonPrefix(places.map(({ path }) => path));
  const paths = new Set(request.root === undefined ? batches.flatMap(({ field }) => field.paths) : [request.root.target?.path ?? []]);
  return commonPrefix([...paths].map((path) => fixedPath(root.shape, path)));
}

interface KnownPlaces {
  readonly report: FetchReport;
  readonly rootPlaces: readonly ResponsePlace[];
  /** By response key. */
  readonly batches: ReadonlyMap<unknown, BatchPlaces>;
}

interface LocatedPath extends FoundPath, Pick<LocatedError, 'nullPath'> {}

/** The client's paths of an error; undefined when its path leads to nothing that was asked for. */
function locate(
  { error: { path = [] }, nullDepth = Infinity }: ReportedError,
  { report, rootPlaces, batches }: KnownPlaces,
): readonly LocatedPath[] | undefined {
  if (report.request.root !== undefined) {
    const known = knownPart(path, report.request.root.fields);
    return known.length === 0 ? undefined : rootPlaces.flatMap((place) => findLocated(place, known, nullDepth));
  }
  const [responseKey, index, ...rest] = path;
  const found = batches.get(responseKey);
  if (found === undefined || typeof index !== 'number') return undefined;
  // What fails whatever is answered has its own cause.
  if (found.lost.get(index)?.has(rest[0]) === true) return [];
  const known = knownPart(rest, found.batch.field.fields);
  if (index >= found.batch.size || (known.length === 0 && rest.length > 0)) return undefined;
  return (found.places.get(index) ?? []).flatMap((place) => {
    return isLostInside(found.batch, place.value, rest) ? [] : findLocated(place, known, nullDepth - ENTITY_DEPTH);
  });
}

/** Elements of the path of an error that lead to an entity: the response key of `_entities`, and an index. */
const ENTITY_DEPTH = 2;

/** @param nullDepth how many elements of `rest` lead to a value that the error made null; less than 1 where the place itself is, Infinity where nothing is */
function findLocated(place: ResponsePlace, rest: ErrorPath, nullDepth: number): readonly LocatedPath[] {
  return findPlaces(place, rest, nullDepth).map(({ path, part }) => ({
    path,
    part,
    nullPath: nullDepth < 1 || nullDepth === Infinity ? undefined : path.slice(0, place.path.length + nullDepth),
  }));
}

/** Whether an error is that of a field which fails for a cause of its own. Where the error took the object along, it is the cause of that. */
function isLostInside({ lostInside }: Batch, entity: unknown, rest: ErrorPath): boolean {
  const names = rest.filter((element) => typeof element === 'string');
  return lostInside.some(({ path, failure }) => {
    if (!path.every(({ key }, position) => names[position] === key.name)) return false;
    const end = rest.indexOf(path.at(-1)?.key.name ?? '', path.length - 1) + 1;
    let value = entity;
    for (const element of rest.slice(0, end)) value = typeof value === 'object' && value !== null ? Reflect.get(value, element) : undefined;
    return value === failure;
  });
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
