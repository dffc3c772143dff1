import { LRUCache } from 'lru-cache';
import { bytesOfValue } from '../../platform/bytes-of-value.ts';
import type { RequestMemo } from '../../pipeline/request-memo.ts';
import type { GraphqlParameters } from './parameters.ts';

/** A request target that was read before: its octets passed the guard, and say these parameters. */
export interface KnownTarget {
  readonly parameters: GraphqlParameters;
  /** What was found out about requests with it, by partition. */
  readonly memos: ReadonlyMap<string, RequestMemo>;
}

/**
 * Targets of GET whose answers are kept, as they stand in the request line: two ways to write one are two. Nothing is known here
 * of who may ask, or of what an answer is: that is decided for each request.
 */
export interface KnownTargets {
  find(target: string): KnownTarget | undefined;
  remember(target: string, parameters: GraphqlParameters, memo: RequestMemo): void;
}

/** The bounds of the cache that has the answers. */
export interface KnownTargetsOptions {
  /** @unit entries */
  readonly maxEntries: number;
  /** Targets take an eighth of that, beside the answers. @unit bytes */
  readonly maxBytes: number;
}

const BYTES_SHARE = 8;

/** Partitions that are remembered of one target, the latest ones. Others are prepared each time. @unit partitions */
const MAX_PARTITIONS = 32;

/** Of a target with its parameters, and of each memo, beside their texts. @unit bytes */
const FIXED_BYTES = 500;

interface Entry extends KnownTarget {
  readonly memos: Map<string, RequestMemo>;
  /** What the target and the parameters retain. @unit bytes */
  readonly bytes: number;
}

/** Remembers nothing, where responses are not cached. */
export const NO_KNOWN_TARGETS: KnownTargets = { find: () => undefined, remember: () => undefined };

export function createKnownTargets({ maxEntries, maxBytes }: KnownTargetsOptions): KnownTargets {
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: Math.ceil(maxBytes / BYTES_SHARE),
    sizeCalculation: ({ memos, bytes: ownBytes }) => {
      let bytes = FIXED_BYTES + ownBytes;
      for (const { key, partition, text } of memos.values()) {
        bytes += FIXED_BYTES + 2 * (key.length + partition.length + text.length);
      }
      return bytes;
    },
  });

  return {
    find: (target) => entries.get(target),
    remember(target, parameters, memo) {
      const known = entries.peek(target);
      const memos = new Map(known?.memos);
      memos.delete(memo.partition);
      memos.set(memo.partition, memo);
      if (memos.size > MAX_PARTITIONS) memos.delete(memos.keys().next().value ?? '');
      // Variables can retain 20 times their text.
      const bytes = known?.bytes ?? bytesOfValue([target, parameters]);
      entries.set(target, { parameters: known?.parameters ?? parameters, memos, bytes });
    },
  };
}
