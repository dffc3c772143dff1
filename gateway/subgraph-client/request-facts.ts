import type { SubgraphRequest } from '../supergraph/subgraph-executor.ts';

/** What a line of the log says of the request it is about. */
export function factsOf({ subgraph, context }: SubgraphRequest): Readonly<Record<string, string>> {
  return { subgraph, requestId: context.correlationId };
}
