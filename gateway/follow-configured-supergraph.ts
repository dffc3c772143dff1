import { type BuildDependencies, buildGeneration } from './build-generation.ts';
import type { ResolvedGatewayConfig } from './config/resolve-gateway-config.ts';
import { followSupergraph, type SupergraphFollower } from './generation/follow-supergraph.ts';
import type { Generations } from './generation/generations.ts';
import { ANONYMOUS } from './platform/principal.ts';
import { createIdentitySigner, IDENTITY_HEADER } from './subgraph-client/sign-identity.ts';
import { createSource, type SourceDependencies } from './supergraph/sources/create-source.ts';
import { createKeptSupergraph } from './supergraph/sources/supergraph-source.ts';
import type { SupergraphSource } from './supergraph/sources/supergraph-source.ts';

export interface FollowDependencies extends BuildDependencies {
  readonly generations: Generations;
  /** In place of the source that the configuration names. */
  readonly supergraphSource?: (() => SupergraphSource) | undefined;
}

/** Puts together what brings supergraphs into service, by the section `supergraph`. */
export function followConfiguredSupergraph(config: ResolvedGatewayConfig, dependencies: FollowDependencies): SupergraphFollower {
  const { generations, supergraphSource, logger, clock } = dependencies;
  const { cacheFile } = config.supergraph;
  return followSupergraph({
    openSource: supergraphSource ?? (() => createSource(config.supergraph, sourceDependencies(config, dependencies))),
    generations,
    build: (sdl) => buildGeneration(sdl, config, dependencies),
    keptFor: cacheFile === undefined ? undefined : (sourceName) => createKeptSupergraph(cacheFile, sourceName),
    logger,
    clock,
  });
}

/** Subgraphs are asked for their SDL where they are asked for data, and by somebody whom they know. */
function sourceDependencies({ subgraphs }: ResolvedGatewayConfig, { identityKey, clock }: FollowDependencies): SourceDependencies {
  const { override } = subgraphs;
  if (identityKey === undefined) return { override };
  const sign = createIdentitySigner({ key: identityKey, clock });
  return { override, headersFor: (subgraph, body) => ({ [IDENTITY_HEADER]: sign(subgraph, ANONYMOUS, body) }) };
}
