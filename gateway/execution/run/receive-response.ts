import type { SubgraphError, SubgraphResponse } from '../../supergraph/subgraph-executor.ts';
import { FieldFailure, invalidResponse, orFailure } from '../data/field-failure.ts';
import { type DataObject, isDataObject, readOwn } from '../data/own-properties.ts';
import type { ResponsePlan, CompiledFetch, CompiledRequest, RootResponse } from '../plan/compiled-plan.ts';
import { applyMissingInputs } from './collect-representations.ts';
import { finishRun } from './finish-run.ts';
import { markFailed, mergeFields } from './merge-entity-fields.ts';
import { OBJECTS_OF_STEP, type RepresentationBatch, type RunState } from './run-state.ts';
import { shareObjects, shareObjectsInSteps } from './share-objects.ts';

/**
 * Finds the null that an error left in a response: the field itself, or an enclosing value when the field is non-nullable (GraphQL
 * specification, 6.4.4).
 *
 * @param path Path of the error.
 * @returns Number of path elements that lead to the null; undefined when the path leads to no null.
 */
function findNullDepth(data: unknown, path: readonly (string | number)[] = []): number | undefined {
  let value = data;
  for (const [depth, element] of path.entries()) {
    if (value === null) return depth;
    if (typeof value !== 'object') return undefined;
    value = readOwn(value, String(element));
  }
  return value === null ? path.length : undefined;
}

/** A request that was sent to a subgraph. */
export interface SentRequest {
  readonly fetch: CompiledFetch;
  readonly request: CompiledRequest;
  /** Number of requests of the run that were sent before. */
  readonly order: number;
  /** Objects that a result of the root type is merged into; empty when the request fetches entities. */
  readonly targets: readonly DataObject[];
  /** Batches of representations; empty when the request selects from the root type. */
  readonly batches: readonly RepresentationBatch[];
}

interface ReceivedResponse {
  readonly sent: SentRequest;
  readonly errors: readonly SubgraphError[];
  /** Failures in the tree, by the errors that explain them; undefined until the first one. */
  explained: Map<SubgraphError, FieldFailure> | undefined;
  /** Errors by the first element of their paths. */
  readonly byKey: ReadonlyMap<unknown, readonly SubgraphError[]>;
  /** Failure for each `_entities` field that is null without an error at its path. */
  whole: FieldFailure | undefined;
}

/**
 * Merges a subgraph response into the tree, or marks the fields that it should have filled as failed.
 *
 * @returns a promise if the response is so large that it is merged in several steps
 */
export function receiveResponse(sent: SentRequest, response: SubgraphResponse | FieldFailure, state: RunState): Promise<void> | undefined {
  if (response instanceof FieldFailure) {
    fail(sent, sent.batches, response, state);
    return undefined;
  }
  if (response.needsNoEscape !== true) state.needsNoEscape = false;
  const { errors: reported = NO_ERRORS } = response;
  if (response.isLarge === true) {
    state.isLarge = true;
    if (reported.length === 0 && isDataObject(response.data)) return finishRun(receiveInSteps(sent, response.data, state), state);
  }
  const httpResponse: ReceivedResponse = { sent, errors: reported, explained: undefined, byKey: indexByKey(reported), whole: undefined };
  // Merging changes the response data, so the nulls must be found first.
  const nullDepths = reported.length === 0 ? NO_DEPTHS : reported.map(({ path }) => findNullDepth(response.data, path));
  const failure = orFailure(() => receiveData(httpResponse, response.data ?? undefined, state));
  if (httpResponse.errors.length > 0) {
    const errors = httpResponse.errors.map((error, index) => ({
      error,
      failure: httpResponse.explained?.get(error),
      nullDepth: nullDepths[index],
    }));
    state.reports.push({ ...sent, errors, failure: undefined });
  }
  if (failure !== undefined) fail(sent, sent.batches, failure, state);
  return undefined;
}

/** Merges a large response without errors. */
function* receiveInSteps(sent: SentRequest, data: Readonly<DataObject>, state: RunState): Generator<undefined, void, undefined> {
  const { root } = sent.request;
  if (root !== undefined) {
    yield* shareInSteps(root, data, state);
    const failure = orFailure(() => mergeRoot(sent, root, data));
    if (failure !== undefined) fail(sent, sent.batches, failure, state);
    return;
  }
  for (const batch of sent.batches) {
    const entities = readOwn(data, batch.field.responseKey);
    if (isCompleteFor(batch, entities)) yield* mergeEntitiesInSteps(sent, batch, entities, state);
    else fail(sent, [batch], invalidResponse(), state);
  }
}

const NO_ERRORS: readonly SubgraphError[] = [];
const NO_DEPTHS: readonly (number | undefined)[] = [];
const NOTHING: ReadonlyMap<unknown, readonly SubgraphError[]> = new Map();

function indexByKey(errors: readonly SubgraphError[]): ReadonlyMap<unknown, readonly SubgraphError[]> {
  if (errors.length === 0) return NOTHING;
  const byKey = new Map<unknown, SubgraphError[]>();
  for (const error of errors) {
    const key = error.path?.[0];
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [error]);
    else known.push(error);
  }
  return byKey;
}

function receiveData(response: ReceivedResponse, data: unknown, state: RunState): void {
  const { sent } = response;
  if (!isDataObject(data)) {
    if (response.errors.length > 0) markTargets(sent, sent.batches, explain(response, response.errors));
    else fail(sent, sent.batches, invalidResponse(), state);
  } else if (sent.request.root !== undefined) {
    const { root } = sent.request;
    share(root, data, state);
    mergeRoot(sent, root, data);
  } else {
    for (const batch of sent.batches) receiveEntities(response, batch, readOwn(data, batch.field.responseKey), state);
  }
}

function mergeRoot({ targets }: SentRequest, root: RootResponse, data: Readonly<DataObject>): void {
  const isCopied = root.target?.isShareable === false;
  for (let index = 0; index < targets.length; index += 1) {
    mergeFields(targets[index] as DataObject, data, root.fields, isCopied && index > 0);
  }
}

/** Whether a response contains an entity for each representation. */
function isCompleteFor({ size }: RepresentationBatch, entities: unknown): entities is readonly unknown[] {
  return Array.isArray(entities) && entities.length === size;
}

function receiveEntities(response: ReceivedResponse, batch: RepresentationBatch, entities: unknown, state: RunState): void {
  const { sent, errors } = response;
  if ((entities === undefined || entities === null) && errors.length > 0) {
    const own = response.byKey.get(batch.field.responseKey);
    markTargets(sent, [batch], own === undefined ? (response.whole ??= explain(response, errors)) : explain(response, own));
  } else if (!isCompleteFor(batch, entities)) {
    fail(sent, [batch], invalidResponse(), state);
  } else {
    mergeEntities(sent, batch, entities, state);
    if (errors.length > 0) markFailedEntities(response, batch, entities);
  }
}

function mergeEntities(sent: SentRequest, batch: RepresentationBatch, entities: readonly unknown[], state: RunState): void {
  for (const entity of entities) if (isDataObject(entity)) share(batch.field, entity, state);
  const merge = beginMerge(batch, entities);
  mergeTargets(merge, 0, batch.targets.length);
  endMerge(merge, sent, state);
}

function* mergeEntitiesInSteps(
  sent: SentRequest,
  batch: RepresentationBatch,
  entities: readonly unknown[],
  state: RunState,
): Generator<undefined, void, undefined> {
  for (const [index, entity] of batch.field.shared.length === 0 ? [] : entities.entries()) {
    if (isDataObject(entity)) share(batch.field, entity, state);
    if (index % OBJECTS_OF_STEP === 0) yield;
  }
  const merge = beginMerge(batch, entities);
  for (let start = 0; start < batch.targets.length; start += OBJECTS_OF_STEP) {
    const failure = orFailure(() => mergeTargets(merge, start, Math.min(start + OBJECTS_OF_STEP, batch.targets.length)));
    if (failure !== undefined) {
      fail(sent, [batch], failure, state);
      return;
    }
    yield;
  }
  endMerge(merge, sent, state);
}

/** The entities of a response, which are merged into the targets of a batch. */
interface EntityMerge {
  readonly batch: RepresentationBatch;
  readonly entities: readonly unknown[];
  /** Indices of the entities that were merged into an object. Undefined if objects may share values. */
  readonly merged: Set<number> | undefined;
  /** Objects whose entity is no object. */
  readonly wrong: DataObject[];
}

function beginMerge(batch: RepresentationBatch, entities: readonly unknown[]): EntityMerge {
  return { batch, entities, merged: batch.field.isShareable ? undefined : new Set(), wrong: [] };
}

function mergeTargets({ batch, entities, merged, wrong }: EntityMerge, start: number, end: number): void {
  const { field, targets, indices } = batch;
  for (let position = start; position < end; position += 1) {
    const index = indices[position] as number;
    const target = targets[position] as DataObject;
    const entity = entities[index];
    if (isDataObject(entity)) {
      mergeFields(target, entity, field.fields, merged?.has(index) === true);
      merged?.add(index);
    } else if (entity !== null && entity !== undefined) {
      wrong.push(target);
    }
  }
}

function endMerge({ batch, wrong }: EntityMerge, sent: SentRequest, state: RunState): void {
  applyMissingInputs(batch);
  if (wrong.length > 0) fail(sent, [{ ...batch, targets: wrong }], invalidResponse(), state);
}

/**
 * Marks entities that failed as a whole. Either the reference resolver failed, and an error is located at the entity itself. Or a null in a
 * non-nullable field made the entity null, and the error of that field explains the nulls of all its fields.
 */
function markFailedEntities(
  response: ReceivedResponse,
  { field, targets, indices }: RepresentationBatch,
  entities: readonly unknown[],
): void {
  const failed = new Map<number, SubgraphError[]>();
  for (const error of response.byKey.get(field.responseKey) ?? []) {
    const [, index, ...rest] = error.path ?? [];
    if (typeof index !== 'number') continue;
    if (rest.length > 0 && (entities[index] ?? null) !== null) continue;
    const known = failed.get(index);
    if (known === undefined) failed.set(index, [error]);
    else known.push(error);
  }
  if (failed.size === 0) return;
  const failures = new Map([...failed].map(([index, errors]) => [index, explain(response, errors)]));
  for (const [position, target] of targets.entries()) {
    const failure = failures.get(indices[position] ?? -1);
    if (failure !== undefined) markFailed(target, field.keys, failure);
  }
}

/** Creates the failure that subgraph errors explain. */
function explain(response: ReceivedResponse, errors: readonly SubgraphError[]): FieldFailure {
  const failure = new FieldFailure(errors.map(({ path: _path, ...cause }) => cause));
  response.explained ??= new Map();
  for (const error of errors) response.explained.set(error, failure);
  return failure;
}

function* shareInSteps({ shared }: ResponsePlan, object: DataObject, state: RunState): Generator<undefined, void, undefined> {
  for (const index of shared) {
    const objects = state.shared[index.index];
    if (objects !== undefined) yield* shareObjectsInSteps(object, index, objects);
  }
}

function share({ shared }: ResponsePlan, object: DataObject, state: RunState): void {
  for (const index of shared) {
    const objects = state.shared[index.index];
    if (objects !== undefined) shareObjects(object, index, objects);
  }
}

/** Marks the fields that should have been filled as failed. */
function markTargets({ request: { root }, targets }: SentRequest, batches: readonly RepresentationBatch[], failure: FieldFailure): void {
  if (root !== undefined) for (const target of targets) markFailed(target, root.keys, failure);
  for (const { field, targets } of batches) for (const target of targets) markFailed(target, field.keys, failure);
}

/** Marks the fields that should have been filled as failed and reports the failure. */
function fail(sent: SentRequest, batches: readonly RepresentationBatch[], failure: FieldFailure, state: RunState): void {
  markTargets(sent, batches, failure);
  state.reports.push({ ...sent, batches, errors: [], failure });
}
