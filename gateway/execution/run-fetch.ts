import { GatewayError } from '../platform/errors.ts';
import type { SubgraphError, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { CompiledFetch, EntityFetch } from './compile-fetch.ts';
import { FieldFailure } from './field-failure.ts';
import { collectTargets } from './flatten-path.ts';
import { markFailed, mergeFields } from './merge-entities.ts';
import { type DataKey, type DataObject, isDataObject, readKey, readOwn } from './own-properties.ts';
import type { RunState } from './run-state.ts';

/** Objects of the response with what they are asked about with. */
interface Batch {
  readonly targets: readonly DataObject[];
  /** For each target, the index of its representation. */
  readonly indices: readonly number[];
  /** How many representations there are. */
  readonly size: number;
}

/** Explains nulls whose errors the subgraph reported itself. */
const REPORTED = new FieldFailure([]);

/** Sends one fetch for all objects that are there for it, and merges what comes. Nothing to ask, nothing sent. */
export async function runFetch(fetch: CompiledFetch, state: RunState): Promise<void> {
  const reached = collectTargets(state.data, fetch.path);
  const found = fetch.mayMeetTwice ? [...new Set(reached)] : reached;
  if (found.length === 0) return;
  if (fetch.entities === undefined) {
    const response = await ask(fetch, `${printVariables(fetch, state)}}}`, state);
    receiveRoot(fetch, { targets: found, indices: found.map(() => 0), size: 1 }, response, state);
    return;
  }
  const texts = new Map<string, number>();
  const batch = gather(fetch, fetch.entities, found, texts);
  if (batch.size === 0) return;
  const variables = printVariables(fetch, state);
  const separator = variables.endsWith('{') ? '' : ',';
  const body = `${variables}${separator}${fetch.entities.variable}${[...texts.keys()].join(',')}]}}`;
  receiveEntities(fetch, batch, await ask(fetch, body, state), state);
}

/** Prints the representations; equal ones once. An entity without something required is left out. */
function gather(
  fetch: CompiledFetch,
  { print, requiredKeys }: EntityFetch,
  found: readonly DataObject[],
  texts: Map<string, number>,
): Batch {
  const targets: DataObject[] = [];
  const indices: number[] = [];
  for (const target of found) {
    const text = print(target);
    if (text === undefined) {
      passFailureOn(target, requiredKeys, fetch.keys);
      continue;
    }
    let index = texts.get(text);
    if (index === undefined) {
      index = texts.size;
      texts.set(text, index);
    }
    targets.push(target);
    indices.push(index);
  }
  return { targets, indices, size: texts.size };
}

/** What a failed fetch should have given, and this one needs, makes this one's fields fail for the same cause. */
function passFailureOn(target: DataObject, requiredKeys: readonly DataKey[], keys: readonly DataKey[]): void {
  for (const key of requiredKeys) {
    const value = readKey(target, key);
    if (value instanceof FieldFailure) {
      markFailed(target, keys, value);
      return;
    }
  }
}

function printVariables(fetch: CompiledFetch, { run }: RunState): string {
  let text = fetch.opening;
  for (const name of fetch.variables) {
    const value = Object.hasOwn(run.variables, name) ? run.variables[name] : undefined;
    if (value === undefined) continue;
    text += `${text.endsWith('{') ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return text;
}

async function ask(fetch: CompiledFetch, body: string, { run }: RunState): Promise<SubgraphResponse | FieldFailure> {
  try {
    run.signal.throwIfAborted();
    return await run.executor({ subgraph: fetch.subgraph, kind: fetch.kind, body, context: run.context }, run.signal);
  } catch (error) {
    const reason: unknown = run.signal.aborted ? run.signal.reason : error;
    if (reason instanceof GatewayError) return new FieldFailure([{ message: reason.message, code: reason.code }]);
    throw reason;
  }
}

function receiveRoot(fetch: CompiledFetch, batch: Batch, response: SubgraphResponse | FieldFailure, state: RunState): void {
  if (response instanceof FieldFailure) return fail(fetch, batch, response, state);
  const { data, errors = [] } = response;
  if (errors.length > 0) report(fetch, batch, errors, state);
  if (!isDataObject(data)) return fail(fetch, batch, errors.length > 0 ? REPORTED : invalidResponse(), state);
  fetch.outputRewrites?.(data);
  for (const [index, target] of batch.targets.entries()) mergeFields(target, data, fetch.keys, index < batch.targets.length - 1);
}

function receiveEntities(fetch: CompiledFetch, batch: Batch, response: SubgraphResponse | FieldFailure, state: RunState): void {
  if (response instanceof FieldFailure) return fail(fetch, batch, response, state);
  const { data, errors = [] } = response;
  if (errors.length > 0) report(fetch, batch, errors, state);
  const entities = isDataObject(data) ? readOwn(data, '_entities') : undefined;
  if ((entities === undefined || entities === null) && errors.length > 0) return fail(fetch, batch, REPORTED, state);
  if (!Array.isArray(entities) || entities.length !== batch.size) return fail(fetch, batch, invalidResponse(), state);
  const failed = failedEntities(errors);
  const wrong: { targets: DataObject[]; indices: number[] } = { targets: [], indices: [] };
  const merged = new Set<number>();
  const isShared = fetch.entities?.isShared === true;
  for (const [position, target] of batch.targets.entries()) {
    const index = batch.indices[position] ?? 0;
    const entity: unknown = entities[index];
    if (isDataObject(entity)) {
      if (fetch.outputRewrites !== undefined && !merged.has(index)) {
        // Rewrites for some types only look at `__typename`, which the subgraph need not have been asked for.
        entity['__typename'] ??= target['__typename'];
        fetch.outputRewrites(entity);
      }
      mergeFields(target, entity, fetch.keys, !isShared && merged.has(index));
      merged.add(index);
    } else if (entity !== null && entity !== undefined) {
      wrong.targets.push(target);
      wrong.indices.push(index);
    }
    if (failed.has(index)) markFailed(target, fetch.keys, REPORTED);
  }
  if (wrong.targets.length > 0) fail(fetch, { ...wrong, size: batch.size }, invalidResponse(), state);
}

/** Indices of the entities that failed as a whole: their reference resolver did, or all of them did. */
function failedEntities(errors: readonly SubgraphError[]): ReadonlySet<unknown> {
  return new Set(errors.flatMap(({ path }) => (path?.length === 2 ? [path[1]] : [])));
}

function invalidResponse(): FieldFailure {
  return new FieldFailure([
    { message: 'A subgraph sent an answer that does not fit what it was asked.', code: 'SUBGRAPH_INVALID_RESPONSE' },
  ]);
}

function fail(fetch: CompiledFetch, batch: Batch, failure: FieldFailure, state: RunState): void {
  for (const target of batch.targets) markFailed(target, fetch.keys, failure);
  if (failure.causes.length > 0) state.reports.push({ fetch, targets: indexed(batch), errors: [], failure });
}

function report(fetch: CompiledFetch, batch: Batch, errors: readonly SubgraphError[], state: RunState): void {
  state.reports.push({ fetch, targets: indexed(batch), errors });
}

function indexed(batch: Batch): ReadonlyMap<DataObject, number> {
  return new Map(batch.targets.map((target, position) => [target, batch.indices[position] ?? 0]));
}
