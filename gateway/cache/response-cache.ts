import { bytesOfAnswer, type CachedAnswer } from './cached-answer.ts';
import type { LogPosition } from './invalidation-log.ts';
import { createLabelledEntries } from './labelled-entries.ts';

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
