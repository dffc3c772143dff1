import type { SubgraphError, SubgraphResponse } from '../../supergraph/subgraph-executor.ts';
import { FieldFailure, invalidResponse, orFailure } from '../data/field-failure.ts';
import { type DataObject, isDataObject, readOwn } from '../data/own-properties.ts';
import type { ResponsePlan, CompiledFetch, CompiledRequest } from '../plan/compiled-plan.ts';
import { applyMissingInputs } from './collect-representations.ts';
import { markFailed, mergeFields } from './merge-entity-fields.ts';
import type { RepresentationBatch, RunState } from './run-state.ts';
import { shareObjects } from './share-objects.ts';

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

/** Merges a subgraph response into the tree, or marks the fields that it should have filled as failed. */
export function receiveResponse(sent: SentRequest, response: SubgraphResponse | FieldFailure, state: RunState): void {
  if (response instanceof FieldFailure) {
    fail(sent, sent.batches, response, state);
    return;
  }
  if (response.needsNoEscape !== true) state.needsNoEscape = false;
  const { errors: reported = NO_ERRORS } = response;
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
    const isCopied = root.target?.isShareable === false;
    for (let index = 0; index < sent.targets.length; index += 1) {
      mergeFields(sent.targets[index] as DataObject, data, root.fields, isCopied && index > 0);
    }
  } else {
    for (const batch of sent.batches) receiveEntities(response, batch, readOwn(data, batch.field.responseKey), state);
  }
}

function receiveEntities(response: ReceivedResponse, batch: RepresentationBatch, entities: unknown, state: RunState): void {
  const { sent, errors } = response;
  if ((entities === undefined || entities === null) && errors.length > 0) {
    const own = response.byKey.get(batch.field.responseKey);
    markTargets(sent, [batch], own === undefined ? (response.whole ??= explain(response, errors)) : explain(response, own));
  } else if (!Array.isArray(entities) || entities.length !== batch.size) {
    fail(sent, [batch], invalidResponse(), state);
  } else {
    mergeEntities(sent, batch, entities, state);
    if (errors.length > 0) markFailedEntities(response, batch, entities);
  }
}

function mergeEntities(sent: SentRequest, batch: RepresentationBatch, entities: readonly unknown[], state: RunState): void {
  const { field, targets, indices } = batch;
  for (const entity of entities) if (isDataObject(entity)) share(field, entity, state);
  const merged = field.isShareable ? undefined : new Set<number>();
  const wrong: DataObject[] = [];
  for (let position = 0; position < targets.length; position += 1) {
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
