import { LRUCache } from 'lru-cache';
import type { SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { LARGE_BODY_BYTES } from './large-responses.ts';

/** Lengths of the latest query responses: the fetches with small responses and the lengths of large ones. */
export interface ResponseLengths {
  /** Returns the length of the last response to an equal query if it was large. @unit bytes */
  expectedBytes(request: SubgraphRequest): number | undefined;
  /** Records the length of a response, or removes the entry when the response was small. @unit bytes */
  note(request: SubgraphRequest, bytes: number): void;
  /** Whether a fetch has had a small response and no large one since then. */
  isSmall(fetch: object): boolean;
  /** Records that a fetch has had a small response. */
  noteSmall(fetch: object): void;
}

/** Maximum memory for recorded lengths. @unit bytes */
const MAX_REMEMBERED_BYTES = 1_048_576;

/** Approximate size of an entry without its key. @unit bytes */
const ENTRY_BYTES = 200;

export function createResponseLengths(): ResponseLengths {
  const lengths = new LRUCache<string, number>({
    maxSize: MAX_REMEMBERED_BYTES,
    maxEntrySize: MAX_REMEMBERED_BYTES / 16,
    sizeCalculation: (_bytes, key) => ENTRY_BYTES + 2 * key.length,
  });
  const small = new WeakSet<object>();
  return {
    expectedBytes: (request) => (request.kind === 'query' && lengths.size > 0 ? lengths.get(keyOf(request)) : undefined),
    note(request, bytes) {
      if (request.kind !== 'query') return;
      if (bytes < LARGE_BODY_BYTES) {
        lengths.delete(keyOf(request));
        return;
      }
      lengths.set(keyOf(request), bytes);
      if (request.fetch !== undefined) small.delete(request.fetch);
    },
    isSmall: (fetch) => small.has(fetch),
    noteSmall: (fetch) => void small.add(fetch),
  };
}

function keyOf({ subgraph, body, http }: SubgraphRequest): string {
  return http === undefined ? `${subgraph} ${body}` : `${subgraph} ${http.source} ${http.method} ${http.target} ${body}`;
}
