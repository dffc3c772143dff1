import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';

/** Counts the requests of operations to one source. */
export interface RequestLimit {
  /** Whether the operation may send one more request, which is counted. */
  take(operation: SubgraphContext): boolean;
  /** Maximum number of requests of one operation. @unit requests */
  readonly max: number;
}

/** Creates the limit of one source. */
export function createRequestLimit(max: number): RequestLimit {
  const counts = new WeakMap<SubgraphContext, number>();
  return {
    max,
    take(operation) {
      const count = (counts.get(operation) ?? 0) + 1;
      if (count > max) return false;
      counts.set(operation, count);
      return true;
    },
  };
}
