import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { followSupergraph, type SupergraphFollower } from '../generation/follow-supergraph.ts';
import type { Generations } from '../generation/generations.ts';
import type { FollowedManifests } from '../persisted/follow-manifests.ts';
import { checkDocuments } from '../persisted/trusted-documents.ts';
import type { Logger } from '../platform/logger.ts';
import { ANONYMOUS } from '../platform/principal.ts';
import { createSource, type SourceDependencies } from '../supergraph/sources/create-source.ts';
import { createStoredSupergraph, type SupergraphSource } from '../supergraph/sources/supergraph-source.ts';
import type { Recording } from '../telemetry/recording/recording.ts';
import type { BuildDependencies } from './build-dependencies.ts';
import { buildGeneration } from './build-generation.ts';
import type { CurrentSettings } from './current-settings.ts';
import type { MeasuredLimitsReport } from './report-measured-limits.ts';

export interface FollowDependencies extends BuildDependencies {
  readonly generations: Generations;
  readonly measuredLimits: MeasuredLimitsReport;
  /** Replaces the source of the configuration. */
  readonly supergraphSource?: ((dependencies: SourceDependencies) => SupergraphSource) | undefined;
}

/** Creates the follower that loads supergraphs as configured in the section `supergraph`. */
export function followConfiguredSupergraph(settings: CurrentSettings, dependencies: FollowDependencies): SupergraphFollower {
  const { generations, measuredLimits, recording, logger, clock } = dependencies;
  const config = settings.current;
  const { cacheFile } = config.supergraph;
  const { supergraphSource: openSource = (sources) => createSource(config.supergraph, sources) } = dependencies;
  return followSupergraph({
    openSource: () => openSource(sourceDependencies(config, dependencies)),
    generations,
    async build(sdl) {
      const generation = await countLoads(buildGeneration(sdl, settings.current, dependencies), recording);
      measuredLimits.report(generation);
      return generation;
    },
    storedFor: cacheFile === undefined ? undefined : (sourceName) => createStoredSupergraph(cacheFile, sourceName),
    logger,
    clock,
  });
}

/** Counts supergraphs that were accepted or rejected. */
async function countLoads<Built>(building: Promise<Built>, recording: Recording | undefined): Promise<Built> {
  try {
    const built = await building;
    recording?.metrics?.metrics.generationLoads.add(1, 'accepted');
    return built;
  } catch (error) {
    recording?.metrics?.metrics.generationLoads.add(1, 'rejected');
    throw error;
  }
}

/** Makes the settings for fetching the SDL of subgraphs: from their data address, with a signed anonymous identity. */
function sourceDependencies({ subgraphs }: ResolvedGatewayConfig, { identity }: FollowDependencies): SourceDependencies {
  const { override } = subgraphs;
  if (identity === undefined) return { override };
  return { override, headersFor: (subgraph, body) => ({ [identity.header]: identity.headerValue(subgraph, ANONYMOUS, body) }) };
}

/** Validates trusted documents against each supergraph before it is served, and changed documents against the current supergraph. */
export function checkTrustedDocuments(manifests: FollowedManifests, generations: Generations, logger: Logger): void {
  generations.onGeneration((view) => checkDocuments(manifests.all(), { prepare: (text) => view.prepare(text), logger }));
  manifests.onChange(async (documents) => {
    if (generations.report().current === undefined) return;
    using pin = generations.pin();
    await checkDocuments(documents, { prepare: (text) => pin.generation.prepare(text), logger });
  });
}
