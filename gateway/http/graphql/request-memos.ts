import { LRUCache } from 'lru-cache';
import { bytesOfValue } from '../../platform/bytes-of-value.ts';
import type { RequestMemo } from '../../pipeline/request-memo.ts';
import type { GraphqlParameters } from './parameters.ts';

/** Memo of a request target that was parsed earlier: its octets passed the guard, and it has these parameters. */
export interface TargetMemos {
  readonly parameters: GraphqlParameters;
  /** Memos of requests with this target, by cache partition. */
  readonly memos: ReadonlyMap<string, RequestMemo>;
}

/**
 * Cache of GET request targets whose responses are cached. The key is the exact text of the request line, so two spellings of one target
 * are two entries. The entries contain neither permissions nor responses: both are determined for each request.
 */
export interface RequestMemoCache {
  find(target: string): TargetMemos | undefined;
  remember(target: string, parameters: GraphqlParameters, memo: RequestMemo): void;
}

/** Limits of the response cache. */
export interface RequestMemosOptions {
  /** @unit entries */
  readonly maxEntries: number;
  /** Limit of the response cache. Targets use up to an eighth of it, in addition to the responses. @unit bytes */
  readonly maxBytes: number;
}

const BYTES_SHARE = 8;

/** Maximum number of memos of one target; the oldest is removed. Other requests are prepared again. @unit partitions */
const MAX_PARTITIONS = 32;

/** Fixed size of a target with its parameters, and of each memo, in addition to their texts. @unit bytes */
const FIXED_BYTES = 500;

interface Entry extends TargetMemos {
  readonly memos: Map<string, RequestMemo>;
  /** Memory that the target and the parameters retain. @unit bytes */
  readonly bytes: number;
}

/** Stores nothing. Used when responses are not cached. */
export const NO_REQUEST_MEMOS: RequestMemoCache = { find: () => undefined, remember: () => undefined };

export function createRequestMemos({ maxEntries, maxBytes }: RequestMemosOptions): RequestMemoCache {
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
      // Parsed variables can retain 20 times the size of their text.
      const bytes = known?.bytes ?? bytesOfValue([target, parameters]);
      entries.set(target, { parameters: known?.parameters ?? parameters, memos, bytes });
    },
  };
}
