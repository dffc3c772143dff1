import { LRUCache } from 'lru-cache';
import type { SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { LARGE_BODY_BYTES } from './large-responses.ts';

/** Lengths of the last responses to queries, as far as they matter: which fetches have small ones, and how long the large ones were. */
export interface ResponseLengths {
  /** Length of the last response to an equal query, if it was large. @unit bytes */
  expectedBytes(request: SubgraphRequest): number | undefined;
  /** Remembers the length of a response, or forgets that it was large. @unit bytes */
  note(request: SubgraphRequest, bytes: number): void;
  /** Tells whether a fetch has had a small response, and no large one since then. */
  isSmall(fetch: object): boolean;
  /** Remembers that a fetch has had a small response. */
  noteSmall(fetch: object): void;
}

/** Memory for lengths that are remembered. @unit bytes */
const MAX_REMEMBERED_BYTES = 1_048_576;

/** About what an entry takes besides its key. @unit bytes */
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

function keyOf({ subgraph, body }: SubgraphRequest): string {
  return `${subgraph} ${body}`;
}
