import type { ExecutionError } from '../../executable-operation.ts';
import type { FieldFailure } from '../../data/field-failure.ts';
import type { DataObject } from '../../data/own-properties.ts';
import type { MergeField, PathStep } from '../../plan/compiled-plan.ts';
import type { RepresentationBatch, FetchReport, ReportedError } from '../../run/run-state.ts';
import { type ErrorPath, commonPrefix } from './error-paths.ts';
import { type FoundPath, type ResponsePosition, findPositions, fixedPath, visitPositions } from '../shape/visit-positions.ts';

/** A subgraph error at a path of the client's response. */
export interface LocatedError {
  readonly error: ExecutionError;
  /** Number of the `@defer` that delivers the failed field; 0 for the initial response. */
  readonly part: number;
  /** Failure in the tree that this error explains. */
  readonly failure: FieldFailure | undefined;
  /**
   * Path of the value that the error made null in the subgraph response. The error also explains all nulls inside it. Undefined when there
   * is no such value.
   */
  readonly nullPath: ErrorPath | undefined;
}

/** A fetch report and its paths in the client's response. */
export interface LocatedReport {
  readonly report: FetchReport;
  /** Subgraph errors at paths of the client's response. */
  readonly errors: readonly LocatedError[];
  /** Path of the fetch: the longest common prefix of the paths of its target objects. */
  readonly path: ErrorPath;
}

/** Locates the errors of fetch reports in the response. */
export interface DataErrorLocator {
  /** @param limit Maximum number of errors to locate. */
  locate(report: FetchReport, limit: number): LocatedReport;
}

/**
 * Prepares to locate the errors of fetch reports in the response. One walk of the tree finds the target objects of all reports. An error of
 * an entity is reported at each position of the entity and under each response key of the field. An error of a field that the client did
 * not select is not reported at a path. An error whose path matches nothing in the request is reported at the path of the fetch. When
 * several fetches failed to resolve the same field, only the error of the first one is reported (GraphQL specification, 6.4.4: "only one
 * error should be added to the errors list per field").
 */
export function createDataErrorLocator(root: ResponsePosition, reports: readonly FetchReport[]): DataErrorLocator {
  const positionsOf = findObjects(root, reports);
  const failedFields = new Map<string, FetchReport>();
  const isFirstOf = (report: FetchReport, path: ErrorPath): boolean => {
    const identity = JSON.stringify(path);
    const first = failedFields.get(identity);
    if (first === undefined) failedFields.set(identity, report);
    return first === undefined || first === report;
  };
  return { locate: (report, limit) => locateReport({ root, report, positionsOf, isFirstOf }, limit) };
}

/** Returns the positions of an object that was found at one of these paths. */
type PositionsOf = (paths: readonly (readonly PathStep[])[], object: DataObject) => readonly ResponsePosition[];

interface Located {
  readonly root: ResponsePosition;
  readonly report: FetchReport;
  readonly positionsOf: PositionsOf;
  /** Whether no fetch before this one failed to resolve the field at a path. */
  readonly isFirstOf: (report: FetchReport, path: ErrorPath) => boolean;
}

function findObjects(root: ResponsePosition, reports: readonly FetchReport[]): PositionsOf {
  const wanted = new Map<readonly PathStep[], Map<unknown, ResponsePosition[]>>();
  const want = (path: readonly PathStep[], targets: readonly DataObject[]): void => {
    let objects = wanted.get(path);
    if (objects === undefined) wanted.set(path, (objects = new Map()));
    for (const target of targets) if (!objects.has(target)) objects.set(target, []);
  };
  for (const { request, targets, batches } of reports) {
    if (request.root?.target !== undefined) want(request.root.target.path, targets);
    for (const batch of batches) for (const path of batch.field.paths) want(path, batch.targets);
  }
  visitPositions(root, [...wanted.keys()], (path, position) => wanted.get(path)?.get(position.value)?.push(position));
  return (paths, object) => paths.flatMap((path) => wanted.get(path)?.get(object) ?? []);
}

function locateReport({ root, report, positionsOf, isFirstOf }: Located, limit: number): LocatedReport {
  const batches = new Map(report.batches.map((batch) => [batch.field.responseKey, batchPositions(batch, positionsOf)]));
  const rootPositions = rootPositionsOf(root, report, positionsOf);
  const path = pathOf(root, report, [
    ...rootPositions,
    ...[...batches.values()].flatMap(({ positions }) => [...positions.values()].flat()),
  ]);
  const errors: LocatedError[] = [];
  for (const reported of report.errors) {
    const { error, failure } = reported;
    const { path: _path, ...cause } = error;
    const located = locate(reported, { report, rootPositions, batches }) ?? [{ path, part: report.fetch.deferral, nullPath: undefined }];
    for (const { path: found, part, nullPath } of located) {
      const isListed = errors.length < limit && (found.length !== nullPath?.length || isFirstOf(report, found));
      if (isListed) errors.push({ error: { ...cause, ...(found.length > 0 && { path: found }) }, part, failure, nullPath });
      else if (failure !== undefined) failure.isReported = true;
    }
  }
  return { report, errors, path };
}

/** An `_entities` field of a request and the positions of its objects. */
interface BatchPositions {
  readonly batch: RepresentationBatch;
  /** Positions of the objects, by index of their representation. */
  readonly positions: ReadonlyMap<number, readonly ResponsePosition[]>;
  /** Names of the fields that fail regardless of the response, by index of the representation. */
  readonly missingInputs: ReadonlyMap<number, ReadonlySet<unknown>>;
}

function batchPositions(batch: RepresentationBatch, positionsOf: PositionsOf): BatchPositions {
  const { field, targets, indices } = batch;
  const indexOf = new Map(targets.map((target, position) => [target, indices[position] ?? 0]));
  const positions = new Map<number, ResponsePosition[]>();
  for (const [target, index] of indexOf) {
    const found = positionsOf(field.paths, target);
    const known = positions.get(index);
    if (known === undefined) positions.set(index, [...found]);
    else for (const position of found) known.push(position);
  }
  const missingInputs = new Map<number, Set<unknown>>();
  for (const { index, keys } of batch.missingInputs) {
    const names = missingInputs.get(index) ?? new Set();
    missingInputs.set(index, names);
    for (const { name } of keys) names.add(name);
  }
  return { batch, positions, missingInputs };
}

/** Returns the positions of the objects that a selection on the root type is merged into; empty when the request fetched entities. */
function rootPositionsOf(root: ResponsePosition, { request, targets }: FetchReport, positionsOf: PositionsOf): readonly ResponsePosition[] {
  if (request.root === undefined) return [];
  const { target } = request.root;
  return target === undefined ? [root] : [...new Set(targets)].flatMap((object) => positionsOf([target.path], object));
}

function pathOf(root: ResponsePosition, { request, batches }: FetchReport, positions: readonly ResponsePosition[]): ErrorPath {
  if (positions.length > 0) return commonPrefix(positions.map(({ path }) => path));
  const paths = new Set(request.root === undefined ? batches.flatMap(({ field }) => field.paths) : [request.root.target?.path ?? []]);
  return commonPrefix([...paths].map((path) => fixedPath(root.shape, path)));
}

interface KnownPositions {
  readonly report: FetchReport;
  readonly rootPositions: readonly ResponsePosition[];
  /** Batches by response key. */
  readonly batches: ReadonlyMap<unknown, BatchPositions>;
}

interface LocatedPath extends FoundPath, Pick<LocatedError, 'nullPath'> {}

/** Returns the client paths of an error; undefined when its path matches nothing in the request. */
function locate(
  { error: { path = [] }, nullDepth = Infinity }: ReportedError,
  { report, rootPositions, batches }: KnownPositions,
): readonly LocatedPath[] | undefined {
  if (report.request.root !== undefined) {
    const known = knownPart(path, report.request.root.fields);
    return known.length === 0 ? undefined : rootPositions.flatMap((position) => findLocated(position, known, nullDepth));
  }
  const [responseKey, index, ...rest] = path;
  const found = batches.get(responseKey);
  if (found === undefined || typeof index !== 'number') return undefined;
  // A field that fails regardless of the response has its own cause.
  if (found.missingInputs.get(index)?.has(rest[0]) === true) return [];
  const known = knownPart(rest, found.batch.field.fields);
  if (index >= found.batch.size || (known.length === 0 && rest.length > 0)) return undefined;
  return (found.positions.get(index) ?? []).flatMap((position) => {
    return isMissingInside(found.batch, position.value, rest) ? [] : findLocated(position, known, nullDepth - ENTITY_DEPTH);
  });
}

/** Number of path elements that lead to an entity: the response key of `_entities` and an index. */
const ENTITY_DEPTH = 2;

/**
 * @param nullDepth Number of elements of `rest` that lead to the value that the error made null. It is less than 1 when the position itself
 * is null and Infinity when the error made no value null.
 */
function findLocated(position: ResponsePosition, rest: ErrorPath, nullDepth: number): readonly LocatedPath[] {
  return findPositions(position, rest, nullDepth).map(({ path, part }) => ({
    path,
    part,
    nullPath: nullDepth < 1 || nullDepth === Infinity ? undefined : path.slice(0, position.path.length + nullDepth),
  }));
}

/**
 * Whether an error belongs to a field that fails for another reason. When the error also made the enclosing object null, the error is the
 * cause of that null.
 */
function isMissingInside({ missingInside }: RepresentationBatch, entity: unknown, rest: ErrorPath): boolean {
  const names = rest.filter((element) => typeof element === 'string');
  return missingInside.some(({ path, failure }) => {
    if (!path.every(({ key }, position) => names[position] === key.name)) return false;
    const end = rest.indexOf(path.at(-1)?.key.name ?? '', path.length - 1) + 1;
    let value = entity;
    for (const element of rest.slice(0, end)) value = typeof value === 'object' && value !== null ? Reflect.get(value, element) : undefined;
    return value === failure;
  });
}

/** Returns the longest prefix of a path that leads through selected fields. */
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
