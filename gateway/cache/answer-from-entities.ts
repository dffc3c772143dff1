import type { SubgraphError, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { KeptEntity } from './entity-cache.ts';
import type { EntityFetchField } from './read-entity-fetch.ts';

/** The entities that one field of a request asks for, and those that are there. */
export interface EntityBatch {
  readonly field: EntityFetchField;
  readonly group: string;
  /** Of each representation. */
  readonly keys: readonly string[];
  readonly representations: readonly unknown[];
  /** Of each representation; undefined where a subgraph is to be asked. */
  readonly found: readonly (KeptEntity | undefined)[];
}

/** The answer of a subgraph that did not have to be asked. */
export function answerFromEntities(batches: readonly EntityBatch[], now: number): SubgraphResponse {
  const data = Object.fromEntries(batches.map(({ field, found }) => [field.responseKey, found.map(readEntity)]));
  const kept = batches.flatMap(({ found }) => found).filter((entity) => entity !== undefined);
  return { data, needsNoEscape: kept.every(({ needsNoEscape }) => needsNoEscape), ...freshnessOf(kept, now) };
}

/** The answer about those that were not there, with the others in their places. */
export function mergeEntities(response: SubgraphResponse, batches: readonly EntityBatch[], now: number): SubgraphResponse {
  const kept = batches.flatMap(({ found }) => found).filter((entity) => entity !== undefined);
  if (kept.length === 0) return response;
  const { data, errors, needsNoEscape, cacheControl, cacheTags } = response;
  const freshness = freshnessOf(kept, now);
  return {
    ...response,
    ...(typeof data === 'object' && data !== null ? { data: mergeData(data, batches) } : {}),
    ...(errors === undefined ? {} : { errors: errors.map((error) => relocate(error, batches)) }),
    needsNoEscape: needsNoEscape === true && kept.every((entity) => entity.needsNoEscape),
    cacheControl: joined(cacheControl, freshness.cacheControl),
    cacheTags: joined(cacheTags, freshness.cacheTags),
  };
}

function mergeData(data: Readonly<Record<string, unknown>>, batches: readonly EntityBatch[]): Readonly<Record<string, unknown>> {
  const merged = { ...data };
  for (const { field, found } of batches) {
    const fetched = data[field.responseKey];
    const missing = found.filter((entity) => entity === undefined).length;
    // An answer of another length says of nobody which entity is which: it counts as none.
    merged[field.responseKey] = Array.isArray(fetched) && fetched.length === missing ? interleave(fetched, found) : null;
  }
  return merged;
}

function interleave(fetched: readonly unknown[], found: EntityBatch['found']): readonly unknown[] {
  let next = 0;
  return found.map((entity) => {
    if (entity !== undefined) return readEntity(entity);
    next += 1;
    return fetched[next - 1];
  });
}

/** New objects each time: whoever gets them writes into them. */
function readEntity(entity: KeptEntity | undefined): unknown {
  return entity === undefined ? null : (JSON.parse(entity.text) as unknown);
}

/** An error says which of the entities that were asked for it is about: here they stand in other places. */
function relocate(error: SubgraphError, batches: readonly EntityBatch[]): SubgraphError {
  const [responseKey, index, ...rest] = error.path ?? [];
  const batch = batches.find(({ field }) => field.responseKey === responseKey);
  if (batch === undefined || typeof index !== 'number') return error;
  const missing = batch.found.flatMap((entity, position) => (entity === undefined ? [position] : []));
  return { ...error, path: [batch.field.responseKey, missing[index] ?? index, ...rest] };
}

const TAG = 'tag ';

/** What is left of their time, and their tags, as a subgraph says it. */
function freshnessOf(kept: readonly KeptEntity[], now: number): Pick<SubgraphResponse, 'cacheControl' | 'cacheTags'> {
  const rest = Math.min(...kept.map(({ madeAt, policy }) => madeAt + policy.maxAgeSeconds * 1_000 - now));
  const isPrivate = kept.some(({ policy }) => policy.scope === 'PRIVATE');
  const tags = new Set(
    kept.flatMap(({ labels }) => labels.filter((label) => label.startsWith(TAG)).map((label) => label.slice(TAG.length))),
  );
  return {
    cacheControl: kept.length === 0 ? undefined : `${isPrivate ? 'private, ' : ''}max-age=${Math.max(0, Math.floor(rest / 1_000))}`,
    cacheTags: tags.size === 0 ? undefined : [...tags].join(),
  };
}

function joined(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || other === undefined ? (one ?? other) : `${one}, ${other}`;
}
