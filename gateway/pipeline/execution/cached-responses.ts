import { type CachedResponse, createCachedResponse } from '../../cache/cached-response.ts';
import { lowerPolicy, partitionOf, tagsIn } from '../../cache/cache-key-parts.ts';
import { labelOfTag, labelOfType } from '../../cache/labeled-entries.ts';
import type { ResponseCache } from '../../cache/response-cache.ts';
import type { ExecutionResult } from '../../execution/executable-operation.ts';
import type { Generation } from '../../generation/generation.ts';
import type { Generations } from '../../generation/generations.ts';
import type { OperationCaching } from '../../generation/prepared-operation.ts';
import type { CachePolicy, OwnWrites } from '../../platform/cache-policy.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SubgraphExecutor, SubgraphResponse } from '../../supergraph/subgraph-executor.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { CachedResult } from '../operation-result.ts';
import { createSingleFlight, type SingleFlight } from '../../platform/single-flight.ts';

/** Settings of response caching, shared by all operations. */
export interface CachingSettings {
  /** Cache for responses. With `NO_RESPONSE_CACHE`, clients still receive caching headers. */
  readonly cache: ResponseCache;
  /** Time for which an expired response is served while a new one is fetched. @unit milliseconds */
  readonly staleMs: number;
  /** Request headers that select different responses, in lower case. */
  readonly varyingHeaders: readonly string[];
  readonly clock: Clock;
}

/** A query whose response may be cached. */
export interface CacheableOperation {
  readonly generation: Generation;
  readonly caching: OperationCaching;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
}

/** Executes the operation with an executor for requests to subgraphs. */
export type Execute = (executor: SubgraphExecutor, signal: AbortSignal) => Promise<ExecutionResult>;

export interface CacheableRuns {
  /**
   * Returns the cached response, or executes the operation. Equal requests at the same time share one execution.
   *
   * @returns the result of the execution when the response must not be cached: it has errors, or a subgraph forbids caching
   */
  run(operation: CacheableOperation, request: OperationRequest, execute: Execute): Promise<CachedResult | ExecutionResult>;
  /** Returns the cache partition of a request. */
  partitionOf(request: Pick<OperationRequest, 'principal' | 'headers'>): string;
  /** Returns the response from the memory of this process when it is fresh. */
  findFresh(key: string, writes?: OwnWrites): CachedResponse | undefined;
}

export interface CacheableRunsOptions extends CachingSettings {
  readonly generations: Pick<Generations, 'pin'>;
  /** Maximum age of an execution that other requests can join. @unit milliseconds */
  readonly maxFlightMs: number;
  /** Whether equal requests at the same time share one execution. False when hooks can change an execution for one caller. @defaultValue true */
  readonly isShared?: boolean;
}

/** A cacheable response that is being fetched. */
interface Build extends CacheableOperation {
  readonly key: string;
  readonly partition: string;
  readonly request: OperationRequest;
  readonly execute: Execute;
}

const NEVER = new AbortController().signal;

export function createCacheableRuns(options: CacheableRunsOptions): CacheableRuns {
  const { cache, staleMs, varyingHeaders, clock, generations, maxFlightMs, isShared = true } = options;
  const flights: Pick<SingleFlight<CachedResult | ExecutionResult>, 'run'> = isShared
    ? createSingleFlight({ maxAgeMs: maxFlightMs, now: () => clock.monotonic() })
    : { run: (_key, signal, work) => work(signal) };
  const refreshing = new Set<string>();

  function partitionOfRequest({ principal, headers }: Pick<OperationRequest, 'principal' | 'headers'>): string {
    return partitionOf(principal, headers, varyingHeaders);
  }

  function refresh(build: Build): void {
    const { key } = build;
    if (refreshing.has(key)) return;
    refreshing.add(key);
    const end = (): boolean => refreshing.delete(key);
    // The result is not used: the cached response remains until it expires, and the next request after that reports an error.
    flights.run(key, NEVER, (signal) => make(build, signal)).then(end, end);
  }

  /** Returns the time since a response expired; negative while it is fresh. @unit milliseconds */
  function overdueMsOf({ madeAt, policy }: CachedResponse): number {
    return clock.monotonic() - madeAt - policy.maxAgeSeconds * 1_000;
  }

  async function make(build: Build, signal: AbortSignal): Promise<CachedResult | ExecutionResult> {
    const { caching, execute, generation, key, partition, request } = build;
    using pin = generations.pin(generation); // the request that started it may end earlier
    const shared = cache.lookUp && (await cache.lookUp(key, partition));
    if (shared !== undefined && overdueMsOf(shared) < 0 && !isOutdated(shared, request.writes))
      return { cached: shared, cacheLocation: { key, partition } };
    signal.throwIfAborted();
    const report = createReport(caching.policy);
    const madeAt = clock.monotonic();
    const begun = cache.begin();
    const result = await execute(report.watch(pin.generation.executor), signal);
    if (result.errors.length > 0 || report.policy === undefined || request.isStorable?.(result.data) === false) return result;
    const policy: CachePolicy = request.principal.kind === 'anonymous' ? report.policy : { ...report.policy, scope: 'PRIVATE' };
    const labels = [...caching.policy.types.map(labelOfType), ...report.tags.map(labelOfTag)];
    const cached = createCachedResponse({ body: `{"data":${result.data}}`, policy, labels, madeAt, partition });
    cache.store(key, cached, { begun, labels });
    return { cached, executed: result, cacheLocation: { key, partition } };
  }

  return {
    run(operation, request, execute) {
      const partition = partitionOfRequest(request);
      const key = keyOf(operation, partition);
      const { writes } = request;
      const found = cache.find(key);
      const cached = found === undefined || isOutdated(found, writes) ? undefined : found;
      const overdueMs = cached === undefined ? Infinity : overdueMsOf(cached);
      if (cached !== undefined && overdueMs < 0) return Promise.resolve({ cached, cacheLocation: { key, partition } });
      const build = { ...operation, key, partition, request, execute };
      if (cached === undefined || overdueMs >= staleMs) {
        const flight = writes === undefined ? key : `${writes.flight}\n${key}`;
        return flights.run(flight, request.signal, (signal) => make(build, signal));
      }
      refresh(build);
      return Promise.resolve({ cached, cacheLocation: { key, partition } });
    },
    partitionOf: partitionOfRequest,
    findFresh(key, writes) {
      const cached = cache.find(key);
      return cached !== undefined && overdueMsOf(cached) < 0 && !isOutdated(cached, writes) ? cached : undefined;
    },
  };
}

function isOutdated({ labels, madeAt }: CachedResponse, writes: OwnWrites | undefined): boolean {
  return writes?.isOutdated(labels, madeAt) === true;
}

/** Makes the cache key from everything that can change the response. Only the last segment may contain a line break. */
function keyOf({ generation, caching, variables, labels }: CacheableOperation, partition: string): string {
  const rest = labels.length === 0 ? variables : [variables, labels];
  return `${generation.id}\n${caching.id}\n${partition}\n${JSON.stringify(rest)}`;
}

/** Cache policy and tags that subgraphs report for the response of one operation. */
interface FreshnessReport {
  /** Undefined when a subgraph forbids caching. */
  readonly policy: CachePolicy | undefined;
  readonly tags: readonly string[];
  watch(executor: SubgraphExecutor): SubgraphExecutor;
}

function createReport(hinted: CachePolicy): FreshnessReport {
  let policy: CachePolicy | undefined = hinted;
  const tags: string[] = [];
  const read = (response: SubgraphResponse): SubgraphResponse => {
    const { cacheControl, cacheTags } = response;
    if (policy !== undefined) policy = lowerPolicy(policy, cacheControl);
    if (cacheTags !== undefined) tags.push(...tagsIn(cacheTags));
    return response;
  };
  return {
    get policy() {
      return policy;
    },
    tags,
    watch: (executor) => (request, signal) => executor({ ...request, wantsFreshness: true }, signal).then(read),
  };
}
