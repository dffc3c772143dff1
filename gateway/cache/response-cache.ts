import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { bytesOfAnswer, type CachedAnswer, createCachedAnswer } from './cached-response.ts';
import type { InvalidationLog, LogPosition } from './invalidation-log.ts';
import { createLabelledEntries } from './labelled-entries.ts';
import type { SharedEntries } from './shared-entries.ts';

/** Answers by key, the latest ones, bounded by entries and by what they hold. */
export interface ResponseCache {
  /** In the memory of this process, without a promise. Also one that is not fresh any more. */
  find(key: string): CachedAnswer | undefined;
  /**
   * Where other gateways keep theirs; what is found there is in memory from then on. Absent where nothing is shared.
   *
   * @param partition whom it is for
   */
  readonly lookUp?: (key: string, partition: string) => Promise<CachedAnswer | undefined>;
  /** Call it before an answer is made, and hand it to `store`. */
  begin(): Beginning;
  /** Keeps an answer, unless something of what it may be made of was invalidated while it was being made. */
  store(key: string, answer: CachedAnswer, made: { readonly begun: Beginning; readonly labels: readonly string[] }): void;
  /** Lets go of all answers with one of the labels in this process. @returns how many there were */
  invalidate(labels: readonly string[]): number;
  /** Lets go of everything in this process. */
  clear(): void;
}

/** When something was begun to be made, as invalidations see it. */
export interface Beginning {
  /** Of this process. */
  readonly epoch: number;
  /** Of the log that gateways share. Undefined where there is none, or it could not be read yet. */
  readonly position: LogPosition | undefined;
}

export interface ResponseCacheOptions {
  /** @unit entries */
  readonly maxEntries: number;
  /** @unit bytes */
  readonly maxBytes: number;
}

/** The memory twin: answers of this process. */
export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const entries = createLabelledEntries<CachedAnswer>({ ...options, bytesOf: bytesOfAnswer });
  return {
    find: entries.find,
    begin: () => ({ epoch: entries.epoch, position: undefined }),
    store: (key, answer, { begun, labels }) => entries.store(key, answer, { epoch: begun.epoch, labels }),
    invalidate: entries.invalidate,
    clear: entries.clear,
  };
}

export interface SharedResponseCacheParts {
  /** What this process has made, or found. */
  readonly memory: ResponseCache;
  readonly entries: SharedEntries;
  readonly log: InvalidationLog;
  /** How much longer than fresh an answer is of use. @unit milliseconds */
  readonly staleMs: number;
  /** By what else answers differ than their keys say: equal for gateways that may share them. */
  readonly settings: string;
  readonly clock: Clock;
}

/**
 * Redis counts the age of an entry from when it was stored, which is later than when it was made. An entry must never look younger than it is.
 *
 * @unit milliseconds
 */
export const STORING_MS = 100;

/** The Redis twin: memory in front of what all gateways of a graph keep together. A hit in memory asks nobody. */
export function createSharedResponseCache({ memory, entries, log, staleMs, settings, clock }: SharedResponseCacheParts): ResponseCache {
  /** Keys are long, and name callers. */
  const placeOf = (key: string): string => createHash('sha256').update(`${settings}\n${key}`).digest('hex');

  return {
    find: memory.find,
    async lookUp(key, partition) {
      const place = placeOf(key);
      // Both are sent at once. What was invalidated before this call is known after it.
      const [isKnown, [found]] = await Promise.all([log.read(), entries.find(place, [place])]);
      if (!isKnown || found === undefined || log.isInvalidated(found.labels, found.made)) return undefined;
      const madeAt = clock.monotonic() - found.ageMs - STORING_MS;
      const answer = createCachedAnswer({ body: found.text, policy: found.policy, labels: found.labels, madeAt, partition });
      memory.store(key, answer, { begun: memory.begin(), labels: found.labels });
      return answer;
    },
    begin: () => ({ ...memory.begin(), position: log.position }),
    store(key, answer, made) {
      memory.store(key, answer, made);
      const { position } = made.begun;
      if (position === undefined) return;
      const { body: text, policy, madeAt } = answer;
      const place = placeOf(key);
      const lifetimeMs = policy.maxAgeSeconds * 1_000 + staleMs;
      entries.store(place, place, { text, policy, labels: made.labels, made: position, lifetimeMs }, clock.monotonic() - madeAt);
    },
    invalidate: memory.invalidate,
    clear: memory.clear,
  };
}
