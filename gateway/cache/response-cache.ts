import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { bytesOfResponse, type CachedResponse, createCachedResponse } from './cached-response.ts';
import type { InvalidationLog, LogPosition } from './invalidation-log.ts';
import { createLabeledEntries } from './labeled-entries.ts';
import type { SharedEntries } from './shared-entries.ts';

/** Cache of recent responses by key, with limits on entries and memory. */
export interface ResponseCache {
  /** Returns a response from the memory of this process, without a promise. The response may be stale. */
  find(key: string): CachedResponse | undefined;
  /**
   * Looks up a response in the cache that gateways share, and stores it in memory. Absent if there is no shared cache.
   *
   * @param partition callers that the response may be sent to
   */
  readonly lookUp?: (key: string, partition: string) => Promise<CachedResponse | undefined>;
  /** Returns the current state of invalidations. Call it before a response is created, and pass the result to `store`. */
  begin(): Beginning;
  /** Stores a response, unless data that it may contain was invalidated while it was being created. */
  store(key: string, response: CachedResponse, made: { readonly begun: Beginning; readonly labels: readonly string[] }): void;
  /** Evicts all responses with one of the labels from this process. @returns number of evicted responses */
  invalidate(labels: readonly string[]): number;
  /** Evicts all responses from this process. */
  clear(): void;
}

/** State of invalidations when the creation of an entry began. */
export interface Beginning {
  /** Number of invalidations in this process. */
  readonly epoch: number;
  /** Position in the shared invalidation log. Undefined if there is no log, or it could not be read yet. */
  readonly position: LogPosition | undefined;
}

export interface ResponseCacheOptions {
  /** Maximum number of responses. @unit entries */
  readonly maxEntries: number;
  /** Maximum memory. @unit bytes */
  readonly maxBytes: number;
}

/** Cache that stores nothing, for a disabled response cache. */
export const NO_RESPONSE_CACHE: ResponseCache = {
  find: () => undefined,
  begin: () => ({ epoch: 0, position: undefined }),
  store: () => undefined,
  invalidate: () => 0,
  clear: () => undefined,
};

/** Creates the in-memory cache of this process. */
export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const entries = createLabeledEntries<CachedResponse>({ ...options, bytesOf: bytesOfResponse });
  return {
    find: entries.find,
    begin: () => ({ epoch: entries.epoch, position: undefined }),
    store(key, response, { begun, labels }) {
      entries.store(key, response, { epoch: begun.epoch, labels });
      response.renditions.attach(() => entries.resize(key, response));
    },
    invalidate: entries.invalidate,
    clear: entries.clear,
  };
}

export interface SharedResponseCacheDependencies {
  /** Cache of the responses that this process has created or found. */
  readonly memory: ResponseCache;
  readonly entries: SharedEntries;
  readonly log: InvalidationLog;
  /** How long a stale response can be used. @unit milliseconds */
  readonly staleMs: number;
  /** Settings that affect responses but are not part of their keys. Equal for gateways that may share responses. */
  readonly settings: string;
  readonly clock: Clock;
}

/**
 * Maximum delay between the creation of an entry and its storage. Redis measures the age of an entry from its storage. An entry must never
 * appear younger than it is.
 *
 * @unit milliseconds
 */
export const STORING_MS = 100;

/**
 * Creates the Redis cache that gateways of a graph share, with the in-memory cache in front of it. A hit in memory sends no command to
 * Redis.
 */
export function createSharedResponseCache({
  memory,
  entries,
  log,
  staleMs,
  settings,
  clock,
}: SharedResponseCacheDependencies): ResponseCache {
  /** Hashes a key, because keys are long and contain the names of callers. */
  const storageKeyOf = (key: string): string => createHash('sha256').update(`${settings}\n${key}`).digest('hex');

  return {
    find: memory.find,
    async lookUp(key, partition) {
      const storageKey = storageKeyOf(key);
      // Both commands are sent concurrently. Invalidations before this call are known after it.
      const [isKnown, [found]] = await Promise.all([log.read(), entries.find(storageKey, [storageKey])]);
      if (!isKnown || found === undefined || log.isInvalidated(found.labels, found.made)) return undefined;
      const madeAt = clock.monotonic() - found.ageMs - STORING_MS;
      const response = createCachedResponse({ body: found.text, policy: found.policy, labels: found.labels, madeAt, partition });
      memory.store(key, response, { begun: memory.begin(), labels: found.labels });
      return response;
    },
    begin: () => ({ ...memory.begin(), position: log.position }),
    store(key, response, made) {
      memory.store(key, response, made);
      const { position } = made.begun;
      if (position === undefined) return;
      const { body: text, policy, madeAt } = response;
      const storageKey = storageKeyOf(key);
      const lifetimeMs = policy.maxAgeSeconds * 1_000 + staleMs;
      entries.store(storageKey, storageKey, { text, policy, labels: made.labels, made: position, lifetimeMs }, clock.monotonic() - madeAt);
    },
    invalidate: memory.invalidate,
    clear: memory.clear,
  };
}
