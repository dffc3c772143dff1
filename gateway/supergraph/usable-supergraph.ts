import type { FederatedGraph } from './federated-graph.ts';
import { createGraphOnDemand } from './graph-on-demand.ts';
import type { LoadedSupergraph } from './load-supergraph.ts';
import { SchemaOnDemand } from './schema-on-demand.ts';
import type { SupergraphIndex } from './supergraph-index.ts';

/** A supergraph that a gateway serves: read as a whole, or on demand. */
export interface UsableSupergraph extends Omit<LoadedSupergraph, 'graph'>, Partial<Pick<SupergraphIndex, 'listOwners' | 'overrideLabels'>> {
  readonly graph: FederatedGraph;
}

/** Reads a supergraph on demand. @param isWhole whether all types are created before it is served, in steps */
export function* serveIndexed(sdl: string, index: SupergraphIndex, isWhole: boolean): Generator<undefined, UsableSupergraph, undefined> {
  const schema = new SchemaOnDemand(sdl, index);
  yield;
  if (isWhole) yield* schema.createAll();
  const { id, subgraphs, authorization, creatorGrants, cacheHints, costRules, listOwners, overrideLabels } = index;
  return {
    id,
    sdl,
    schema,
    subgraphs,
    authorization,
    creatorGrants,
    cacheHints,
    costRules,
    listOwners,
    overrideLabels,
    graph: createGraphOnDemand(sdl, index.graph),
  };
}
