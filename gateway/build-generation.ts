import type { ResolvedGatewayConfig } from './config/resolve-gateway-config.ts';
import { compileOperation } from './execution/compile-operation.ts';
import { createGeneration } from './generation/create-generation.ts';
import type { Generation } from './generation/generation.ts';
import { withEnd } from './generation/with-end.ts';
import { createPlanner } from './planning/create-planner.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger } from './platform/logger.ts';
import { createSubgraphClient } from './subgraph-client/create-subgraph-client.ts';
import { type LoadedSupergraph, loadSupergraph, type SubgraphAddress } from './supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from './supergraph/subgraph-executor.ts';

/** What a generation is built with besides the supergraph and the configuration. */
export interface BuildDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** In place of our own HTTP client. */
  readonly subgraphExecutor?: ((subgraphs: ReadonlyMap<string, SubgraphAddress>) => SubgraphExecutor & AsyncDisposable) | undefined;
}

/** Picks the parts of a generation. @throws SupergraphInvalid, or an Error when a subgraph has no address */
export async function buildGeneration(sdl: string, config: ResolvedGatewayConfig, dependencies: BuildDependencies): Promise<Generation> {
  const { logger } = dependencies;
  const loaded = loadSupergraph(sdl, { unenforcedRules: config.supergraph.unenforcedRules, logger });
  const executor = withEnd(openExecutor(loaded, config, dependencies));
  try {
    // Loading and planning a supergraph each block for a while: those who wait are answered in between.
    await new Promise(setImmediate);
    return createGeneration({
      loaded,
      planner: createPlanner(loaded),
      executor,
      compile: compileOperation,
      settings: { ...config.graphql, isSchemaShown: config.graphql.introspection, limits: config.limits },
      logger,
    });
  } catch (error) {
    await executor[Symbol.asyncDispose]();
    throw error;
  }
}

function openExecutor({ subgraphs }: LoadedSupergraph, config: ResolvedGatewayConfig, dependencies: BuildDependencies) {
  const { clock, logger, subgraphExecutor } = dependencies;
  if (subgraphExecutor !== undefined) return subgraphExecutor(subgraphs);
  return createSubgraphClient({ subgraphs, settings: config.subgraphs, identitySecret: config.identity.secret, logger, clock });
}
