import type { SubgraphError, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { CompiledFetch } from './compile-fetch.ts';
import { FieldFailure, invalidAnswer, orFailure } from './field-failure.ts';
import { markFailed, mergeFields } from './merge-entities.ts';
import { type DataObject, isDataObject, readOwn } from './own-properties.ts';
import type { RunState } from './run-state.ts';

/** Objects of the response with what they are asked about with. */
export interface Batch {
  readonly targets: readonly DataObject[];
  /** For each target, the index of its representation; 0 in a fetch without any. */
  readonly indices: readonly number[];
  /** How many representations there are. */
  readonly size: number;
}

/** Explains nulls whose errors the subgraph reported itself. */
const REPORTED = new FieldFailure([]);

/** Puts a subgraph's answer into the response, or marks what it should have filled. */
export function receiveAnswer(fetch: CompiledFetch, batch: Batch, response: SubgraphResponse | FieldFailure, state: RunState): void {
  const failure = orFailure(() => receive(fetch, batch, response, state));
  if (failure !== undefined) fail(fetch, batch, failure, state);
}

function receive(fetch: CompiledFetch, batch: Batch, response: SubgraphResponse | FieldFailure, state: RunState): void {
  if (response instanceof FieldFailure) return fail(fetch, batch, response, state);
  const errors = response.errors ?? [];
  if (errors.length > 0) state.reports.push({ fetch, targets: indexed(batch), errors });
  const found = isDataObject(response.data) ? response.data : undefined;
  const data: unknown = fetch.entities === undefined ? found : found && readOwn(found, '_entities');
  if ((data === undefined || data === null) && errors.length > 0) return fail(fetch, batch, REPORTED, state);
  if (fetch.entities !== undefined) {
    if (!Array.isArray(data) || data.length !== batch.size) return fail(fetch, batch, invalidAnswer(), state);
    mergeEntities(fetch, batch, data, state);
    markFailedEntities(fetch, batch, data, errors);
  } else if (isDataObject(data)) {
    fetch.outputRewrites?.(data);
    for (const [index, target] of batch.targets.entries()) mergeFields(target, data, fetch.fields, index < batch.targets.length - 1);
  } else {
    fail(fetch, batch, invalidAnswer(), state);
  }
}

function mergeEntities(fetch: CompiledFetch, batch: Batch, entities: readonly unknown[], state: RunState): void {
  const isShared = fetch.entities?.isShared === true;
  const merged = new Set<number>();
  const wrong: DataObject[] = [];
  for (const [position, target] of batch.targets.entries()) {
    const index = batch.indices[position] ?? 0;
    const entity = entities[index];
    if (isDataObject(entity)) {
      const isFirst = !merged.has(index);
      merged.add(index);
      if (isFirst && fetch.outputRewrites !== undefined) {
        // Rewrites for some types only look at `__typename`, which the subgraph need not have been asked for.
        entity['__typename'] ??= target['__typename'];
        fetch.outputRewrites(entity);
      }
      mergeFields(target, entity, fetch.fields, !isShared && !isFirst);
    } else if (entity !== null && entity !== undefined) {
      wrong.push(target);
    }
  }
  if (wrong.length > 0) fail(fetch, { ...batch, targets: wrong, indices: [] }, invalidAnswer(), state);
}

/**
 * Marks entities that failed as a whole: their reference resolver did, so that an error stands at the entity itself, or the
 * null of one of their fields took them along, so that the error of that field explains the nulls of all others too.
 */
function markFailedEntities(fetch: CompiledFetch, batch: Batch, entities: readonly unknown[], errors: readonly SubgraphError[]): void {
  const failed = new Set<unknown>();
  for (const { path = [] } of errors) {
    const isNull = typeof path[1] === 'number' && (entities[path[1]] ?? null) === null;
    if (path.length === 2 || (path.length > 2 && isNull)) failed.add(path[1]);
  }
  if (failed.size === 0) return;
  for (const [position, target] of batch.targets.entries()) {
    if (failed.has(batch.indices[position] ?? 0)) markFailed(target, fetch.keys, REPORTED);
  }
}

function fail(fetch: CompiledFetch, batch: Batch, failure: FieldFailure, state: RunState): void {
  for (const target of batch.targets) markFailed(target, fetch.keys, failure);
  if (failure.causes.length > 0) state.reports.push({ fetch, targets: indexed(batch), errors: [], failure });
}

function indexed(batch: Batch): ReadonlyMap<DataObject, number> {
  return new Map(batch.targets.map((target, position) => [target, batch.indices[position] ?? 0]));
}
