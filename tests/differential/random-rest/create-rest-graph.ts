import type { QueryPlannerOptions } from '../../../gateway/planning/create-query-planner.ts';
import { generateSubgraphs } from '../random-federation/generate-subgraphs.ts';
import { type Graph, toGraph } from '../random-federation/run-case.ts';
import { buildRestFederation, type RestFederation } from './build-rest-federation.ts';
import { decide } from './decisions.ts';
import { DIRECT, type RestTransport } from './rest-transport.ts';

/** A graph in which connectors resolve some subgraphs. */
export interface RestGraph extends Graph {
  readonly federation: RestFederation;
}

/** Share of the graphs whose requests use connections, if there is a server. */
const WITH_CONNECTIONS = 0.25;

/**
 * Creates the graph of a seed with some subgraphs as REST services, or returns the reasons why it does not compose.
 *
 * @param http transport for a part of the graphs. The others have no connections.
 * @throws ConnectorsRefused
 */
export function createRestGraph(
  seed: number,
  http: RestTransport,
  planning?: QueryPlannerOptions,
): RestGraph | { readonly reasons: readonly string[] } {
  const transport = decide(seed, 'transport').chance(WITH_CONNECTIONS) ? http : DIRECT;
  const rebuild = (subgraphs: Parameters<typeof buildRestFederation>[0]) => buildRestFederation(subgraphs, seed, transport);
  const federation = rebuild(generateSubgraphs(seed));
  return 'reasons' in federation ? federation : { ...toGraph(federation, planning, rebuild), federation };
}
