import { parse } from 'graphql';
import { compileRules } from '../authorization/compile-rules.ts';
import { compileEntityAccess } from '../authorization/entity-access.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { openConnectors } from '../connector-client/open-connectors.ts';
import { resolveConnectors } from '../connector-client/resolve-connectors.ts';
import { systemClock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { createSubgraphClient, type SubgraphClient } from '../subgraph-client/create-subgraph-client.ts';
import { openIdentitySigner } from '../subgraph-client/sign-identity.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';

export interface StockExecutorOptions {
  readonly config: Pick<ResolvedGatewayConfig, 'subgraphs' | 'connectors' | 'identity'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** Executor of the requests of the original gateway, and the client that must be disposed. */
export interface StockExecutor {
  /** Supergraph for the original gateway, in which each connector is a subgraph. */
  readonly supergraphSdl: string;
  readonly execute: SubgraphExecutor;
  readonly client: SubgraphClient;
}

/** Matches `@join__graph` of a subgraph without a server. */
const GRAPH_WITHOUT_URL = /(@join__graph\(name: "[^"]*", url: )""\)/g;

/** The original gateway logs an error for a subgraph without a URL, also if it has a data source. */
const UNUSED_URL = 'http://connectors.invalid/';

/**
 * Opens the subgraph client of the gateway for the original gateway, with connectors. The services behind connectors do not know the
 * caller, and the original gateway enforces no rules, so the executor denies fields of entities itself.
 *
 * @throws SupergraphInvalid when a subgraph or a source has no address, or when a rule cannot be enforced
 */
export function openStockExecutor(loaded: LoadedSupergraph, { config, environment, logger }: StockExecutorOptions): StockExecutor {
  const { sdl, graph, subgraphs, connectors, authorization, creatorGrants } = loaded;
  const resolved = connectors === undefined ? undefined : resolveConnectors(connectors, config.connectors, environment);
  const client = createSubgraphClient({
    subgraphs: new Map([...subgraphs].filter(([name]) => connectors?.has(name) !== true)),
    settings: config.subgraphs,
    sources: resolved?.sources,
    identity: openIdentitySigner(config.identity, systemClock),
    logger,
  });
  if (resolved === undefined) return { supergraphSdl: sdl, execute: client, client };
  const rules = compileRules(graph, authorization, creatorGrants, connectors);
  const execute = openConnectors(resolved, {
    document: parse(sdl, { noLocation: true }),
    settings: config.subgraphs,
    send: client,
    logger,
    access: rules && compileEntityAccess(rules, creatorGrants, 'all'),
  });
  return { supergraphSdl: sdl.replaceAll(GRAPH_WITHOUT_URL, `$1"${UNUSED_URL}")`), execute, client };
}
