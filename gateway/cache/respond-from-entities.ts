import type { SubgraphError, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { CachedEntity } from './entity-cache.ts';
import type { EntityFetchField } from './read-entity-fetch.ts';

/** Entities that one field of a request selects, and those that are cached. */
export interface EntityBatch {
  readonly field: EntityFetchField;
  readonly group: string;
  /** Cache keys by position of the representation. */
  readonly keys: readonly string[];
  readonly representations: readonly unknown[];
  /** Cached entities by position of the representation; undefined if the entity must be fetched. */
  readonly found: readonly (CachedEntity | undefined)[];
}

/** Creates a subgraph response from cached entities alone, without a request to the subgraph. */
export function respondFromEntities(batches: readonly EntityBatch[], now: number): SubgraphResponse {
  const data = Object.fromEntries(batches.map(({ field, found }) => [field.responseKey, found.map(readEntity)]));
  const stored = batches.flatMap(({ found }) => found).filter((entity) => entity !== undefined);
  return { data, needsNoEscape: stored.every(({ needsNoEscape }) => needsNoEscape), ...freshnessOf(stored, now) };
}

/** Merges cached entities into a response for the missing ones, in the original order. */
export function mergeEntities(response: SubgraphResponse, batches: readonly EntityBatch[], now: number): SubgraphResponse {
  const stored = batches.flatMap(({ found }) => found).filter((entity) => entity !== undefined);
  if (stored.length === 0) return response;
  const { data, errors, needsNoEscape, cacheControl, cacheTags } = response;
  const freshness = freshnessOf(stored, now);
  return {
    ...response,
    ...(typeof data === 'object' && data !== null ? { data: mergeData(data, batches) } : {}),
    ...(errors === undefined ? {} : { errors: errors.map((error) => relocate(error, batches)) }),
    needsNoEscape: needsNoEscape === true && stored.every((entity) => entity.needsNoEscape),
    cacheControl: joined(cacheControl, freshness.cacheControl),
    cacheTags: joined(cacheTags, freshness.cacheTags),
  };
}

function mergeData(data: Readonly<Record<string, unknown>>, batches: readonly EntityBatch[]): Readonly<Record<string, unknown>> {
  const merged = { ...data };
  for (const { field, found } of batches) {
    const fetched = data[field.responseKey];
    const missing = found.filter((entity) => entity === undefined).length;
    // If the number of entities does not match, they cannot be assigned to representations, and the field is null.
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

/** Parses an entity into new objects, because the executor modifies them. */
function readEntity(entity: CachedEntity | undefined): unknown {
  return entity === undefined ? null : (JSON.parse(entity.text) as unknown);
}

/** Adjusts the path of an error. The index in the subgraph request differs from the index in the original request. */
function relocate(error: SubgraphError, batches: readonly EntityBatch[]): SubgraphError {
  const [responseKey, index, ...rest] = error.path ?? [];
  const batch = batches.find(({ field }) => field.responseKey === responseKey);
  if (batch === undefined || typeof index !== 'number') return error;
  const missing = batch.found.flatMap((entity, position) => (entity === undefined ? [position] : []));
  return { ...error, path: [batch.field.responseKey, missing[index] ?? index, ...rest] };
}

const TAG = 'tag ';

/** Returns remaining lifetime and tags in the format of subgraph headers. */
function freshnessOf(stored: readonly CachedEntity[], now: number): Pick<SubgraphResponse, 'cacheControl' | 'cacheTags'> {
  const rest = Math.min(...stored.map(({ madeAt, policy }) => madeAt + policy.maxAgeSeconds * 1_000 - now));
  const isPrivate = stored.some(({ policy }) => policy.scope === 'PRIVATE');
  const tags = new Set(
    stored.flatMap(({ labels }) => labels.filter((label) => label.startsWith(TAG)).map((label) => label.slice(TAG.length))),
  );
  return {
    cacheControl: stored.length === 0 ? undefined : `${isPrivate ? 'private, ' : ''}max-age=${Math.max(0, Math.floor(rest / 1_000))}`,
    cacheTags: tags.size === 0 ? undefined : [...tags].join(),
  };
}

function joined(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || other === undefined ? (one ?? other) : `${one}, ${other}`;
}
