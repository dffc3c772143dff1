import type { EntityCache } from '../cache/entity-cache.ts';
import type { VaryingHeaders } from '../cache/varying-headers.ts';
import type { CompiledHooks } from '../hooks/compile-hooks.ts';
import type { IndexCache } from '../generation/index-cache.ts';
import type { SpareThread } from '../planning/worker/spare-thread.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { LargeResponses } from '../subgraph-client/large-responses.ts';
import type { IdentitySigner } from '../subgraph-client/sign-identity.ts';
import type { SubgraphAddress } from '../supergraph/read-subgraphs.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { Recording } from '../telemetry/recording/recording.ts';

/** Dependencies for building a generation, in addition to the supergraph and the configuration. */
export interface BuildDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Signer of the identity of the caller. @defaultValue subgraphs receive no identity */
  readonly identity?: IdentitySigner | undefined;
  /** Limits the large responses of all generations together. @defaultValue each generation has a separate limit */
  readonly largeResponses?: LargeResponses | undefined;
  /** Whether the identity of callers is known. @defaultValue true */
  readonly hasAuthentication?: boolean | undefined;
  /** Hooks of plans and of requests to subgraphs. @defaultValue none */
  readonly hooks?: CompiledHooks | undefined;
  /** Records requests to subgraphs. @defaultValue they are not recorded */
  readonly recording?: Recording | undefined;
  /** Request headers that responses depend on. Connectors add those that they read. @defaultValue no cache needs them */
  readonly varyBy?: VaryingHeaders | undefined;
  /** Entity cache. @defaultValue entities are not cached */
  readonly entities?: CachedEntities | undefined;
  /** Environment variables, of which connectors read those of the setting `connectors.env`. @defaultValue none */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Stores the indexes of supergraphs for the next start. @defaultValue each start creates them */
  readonly indexCache?: IndexCache | undefined;
  /** Passes the planner's thread on from one generation to the next. @defaultValue each generation starts a thread and terminates it */
  readonly spareThread?: SpareThread | undefined;
  /** Replaces the HTTP client of the gateway. */
  readonly subgraphExecutor?: ((subgraphs: ReadonlyMap<string, SubgraphAddress>) => SubgraphExecutor & AsyncDisposable) | undefined;
}

/** Entity cache of all generations. */
export interface CachedEntities {
  readonly cache: EntityCache;
  /** Request headers that select different entities. */
  readonly varyingHeaders: readonly string[];
}

/** Whether a hook runs for each request to a subgraph. Callers then do not share executions, because a hook may change one of them. */
export function hasSubgraphHooks(hooks: CompiledHooks | undefined): boolean {
  return hooks?.onSubgraphRequest !== undefined || hooks?.onSubgraphResponse !== undefined;
}
