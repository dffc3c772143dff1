import type { SubgraphRequest } from '../supergraph/subgraph-executor.ts';

/**
 * Whether a response of this size exceeds the limit of the operation that requested it. A mutation has taken effect, so its response is
 * always received.
 *
 * @param maxBytes Maximum total size of the responses of one operation.
 * @unit bytes
 */
export function exceedsLimit({ kind, usage }: SubgraphRequest, bytes: number, maxBytes: number): boolean {
  return usage !== undefined && kind === 'query' && usage.responseBytes + bytes > maxBytes;
}

/** Adds the size of a response to the usage of the operation that requested it. @unit bytes */
export function addResponse({ usage }: SubgraphRequest, bytes: number): void {
  if (usage !== undefined) usage.responseBytes += bytes;
}
