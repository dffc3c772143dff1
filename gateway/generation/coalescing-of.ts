import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { Coalescing } from '../planning/create-query-planner.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';

/**
 * Returns the subgraphs for which simultaneous fetches are combined into one request. Connectors have the setting of the subgraph that
 * declares them.
 */
export function coalescingOf(
  { subgraphs }: Pick<ResolvedGatewayConfig, 'subgraphs'>,
  connectors: LoadedSupergraph['connectors'],
): Coalescing {
  const overrides = Object.entries(subgraphs.override).map(([name, { coalesce }]) => [name, coalesce ?? subgraphs.coalesce] as const);
  const ofParents = new Map(overrides);
  for (const [name, { connector }] of connectors ?? []) {
    const ofParent = ofParents.get(connector.subgraph);
    if (ofParent !== undefined) overrides.push([name, ofParent]);
  }
  return { byDefault: subgraphs.coalesce, bySubgraph: Object.fromEntries(overrides) };
}
