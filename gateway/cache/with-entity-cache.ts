import { createHash } from 'node:crypto';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { Clock } from '../platform/clock.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { respondFromEntities, type EntityBatch, mergeEntities } from './respond-from-entities.ts';
import type { EntityCache, CachedEntity } from './entity-cache.ts';
import { labelOfTag, labelOfType } from './labeled-entries.ts';
import { lowerPolicy, partitionOf, sharedPartitionOf, tagsIn } from './cache-key-parts.ts';
import type { EntityFetch, EntityFetchField, ReadEntityFetch } from './read-entity-fetch.ts';
import type { Beginning } from './response-cache.ts';

export interface EntityCachingOptions {
  readonly cache: EntityCache;
  readonly read: ReadEntityFetch;
  /** Id of the supergraph. Another supergraph may have other cache rules. */
  readonly supergraphId: string;
  /** Request headers that responses depend on, in lower case. */
  readonly varyingHeaders: readonly string[];
  readonly clock: Clock;
}

interface Body {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Fetches only entities that are not cached from a subgraph, and caches them if their policy allows it. The cache key of an entity consists
 * of the subgraph, the representation, the selection with its variables, the headers that are forwarded to subgraphs and, for private
 * entities, the caller.
 *
 * A response with errors, or one that the subgraph declares uncacheable, is returned but not cached.
 */
export function withEntityCache(next: SubgraphExecutor, options: EntityCachingOptions): SubgraphExecutor {
  const { cache, read, clock } = options;

  async function execute(request: SubgraphRequest, fetch: EntityFetch, signal: AbortSignal): Promise<SubgraphResponse> {
    const body = JSON.parse(request.body) as Body;
    const batches: EntityBatch[] = [];
    for (const field of fetch.fields) {
      const representations = body.variables[field.representations];
      if (!Array.isArray(representations)) return next(request, signal);
      const group = groupOf(field, body.variables, request, options);
      const keys = representations.map((representation) => JSON.stringify(representation));
      const finding = cache.find(group, keys);
      const found = finding instanceof Promise ? await finding : finding;
      batches.push({ field, group, keys, representations, found: usable(found, request) });
    }
    countFound(batches, request);
    signal.throwIfAborted();
    const now = clock.monotonic();
    if (!fetch.requestsMore && batches.every(({ found }) => !found.includes(undefined))) return respondFromEntities(batches, now);
    const begun = cache.begin();
    const remaining = { body: withoutFound(request.body, body, batches), entities: undefined };
    const response = await next({ ...request, ...remaining, wantsFreshness: true }, signal);
    store(response, batches, { begun, madeAt: now });
    return mergeEntities(response, batches, now);
  }

  /** Stores the fetched entities. Called before merging, because the executor modifies the merged response. */
  function store(response: SubgraphResponse, batches: readonly EntityBatch[], made: { begun: Beginning; madeAt: number }): void {
    const { data, errors = [], cacheControl, cacheTags, needsNoEscape = false } = response;
    if (errors.length > 0 || typeof data !== 'object' || data === null) return;
    const tags = tagsIn(cacheTags).map(labelOfTag);
    for (const { field, group, keys, found } of batches) {
      const policy = lowerPolicy(field.policy, cacheControl);
      const entities = data[field.responseKey];
      if (policy === undefined || isHidden(policy, field) || !Array.isArray(entities)) continue;
      const labels = [...field.policy.types.map(labelOfType), ...tags];
      const missing = keys.filter((_key, index) => found[index] === undefined);
      if (missing.length !== entities.length) continue;
      for (const [index, key] of missing.entries()) {
        const entity: unknown = entities[index];
        if (typeof entity !== 'object' || entity === null) continue;
        const { maxAgeSeconds, scope } = policy;
        const text = JSON.stringify(entity);
        cache.store(group, key, { text, policy: { maxAgeSeconds, scope }, labels, madeAt: made.madeAt, needsNoEscape }, made.begun);
      }
    }
  }

  return (request, signal) => {
    const fetch = request.kind === 'query' ? read(request.body) : undefined;
    return fetch === undefined ? next(request, signal) : execute(request, fetch, signal);
  };
}

/** Removes entities that are older than the last write of the caller. */
function usable(found: readonly (CachedEntity | undefined)[], { context: { writes } }: SubgraphRequest): EntityBatch['found'] {
  if (writes === undefined) return found;
  return found.map((entity) => (entity === undefined || writes.isOutdated(entity.labels, entity.madeAt) ? undefined : entity));
}

/** Adds the cached entities to the usage of the operation. Their length approximates their size. */
function countFound(batches: readonly EntityBatch[], { usage }: SubgraphRequest): void {
  if (usage === undefined) return;
  for (const { found } of batches) for (const entity of found) usage.responseBytes += entity?.text.length ?? 0;
}

/**
 * Whether a subgraph declares data private that the schema declares public. It cannot be cached, because the key does not contain the
 * caller.
 */
function isHidden(policy: CachePolicy, field: EntityFetchField): boolean {
  return policy.scope === 'PRIVATE' && field.policy.scope === 'PUBLIC';
}

/** Returns a hash of everything except the representation that responses depend on. */
function groupOf(
  field: EntityFetchField,
  variables: Readonly<Record<string, unknown>>,
  { subgraph, context }: SubgraphRequest,
  { supergraphId, varyingHeaders }: EntityCachingOptions,
): string {
  const { principal, headers } = context;
  const isPublic = field.policy.scope === 'PUBLIC';
  const partition = isPublic ? sharedPartitionOf(headers, varyingHeaders) : partitionOf(principal, headers, varyingHeaders);
  const values = field.variables.map((name) => (Object.hasOwn(variables, name) ? [variables[name]] : []));
  return createHash('sha256')
    .update(JSON.stringify([supergraphId, subgraph, field.text, values, varyingHeaders, field.policy.scope, partition]))
    .digest('hex');
}

/** Removes the representations of cached entities from a request body. A field without remaining representations returns an empty list. */
function withoutFound(text: string, body: Body, batches: readonly EntityBatch[]): string {
  if (batches.every(({ found }) => found.every((entity) => entity === undefined))) return text;
  const variables = { ...body.variables };
  for (const { field, representations, found } of batches) {
    variables[field.representations] = representations.filter((_one, index) => found[index] === undefined);
  }
  return JSON.stringify({ ...body, variables });
}
