import type { DocumentNode } from 'graphql';
import type { FederatedGraph, WholeGraph } from '../supergraph/federated-graph.ts';
import { createGraphOnDemand, type GraphIndex } from '../supergraph/graph-on-demand.ts';
import { createSuffixOf, createSuffixTable, type SuffixOf, type SuffixTable } from './data-key-registry.ts';
import { type DirectiveLocations, readDirectiveLocations } from './operation-variables.ts';

/** Everything that a planner needs to know of a supergraph, as data that can be sent between threads. */
export interface PlanningIndex {
  readonly graph: GraphIndex;
  readonly suffixes: SuffixTable;
  readonly locations: DirectiveLocations;
}

/** A supergraph for which operations are planned. */
export interface PlannedSupergraph {
  readonly graph: FederatedGraph;
  readonly suffixOf: SuffixOf;
  /** Locations of the directives, by name. */
  readonly locations: DirectiveLocations;
}

/** Creates the index of a supergraph that has been read. */
export function createPlanningIndex(graph: WholeGraph, document: DocumentNode, index: GraphIndex): PlanningIndex {
  return { graph: index, suffixes: createSuffixTable(graph), locations: readDirectiveLocations(document) };
}

/** Reads a supergraph on demand. */
export function planIndexed(sdl: string, { graph, suffixes, locations }: PlanningIndex): PlannedSupergraph {
  return { graph: createGraphOnDemand(sdl, graph), suffixOf: createSuffixOf(suffixes), locations };
}

/** Uses a supergraph that has been read as a whole. */
export function planWhole(graph: WholeGraph, document: DocumentNode): PlannedSupergraph {
  return { graph, suffixOf: createSuffixOf(createSuffixTable(graph)), locations: readDirectiveLocations(document) };
}
