import { parse } from 'graphql';
import type { CompiledRules } from '../authorization/access-rules.ts';
import { compileEntityAccess } from '../authorization/entity-access.ts';
import { createEntityPolicyCompiler } from '../cache/compile-cache-policy.ts';
import { createEntityFetchReader } from '../cache/read-entity-fetch.ts';
import { withEntityCache } from '../cache/with-entity-cache.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { clientDependenceOf, openConnectors } from '../connector-client/open-connectors.ts';
import { type ResolvedConnectors, resolveConnectors } from '../connector-client/resolve-connectors.ts';
import type { PlanningCaller } from '../generation/prepared-operation.ts';
import { withEnd } from '../generation/with-end.ts';
import { createSubgraphClient, type SubgraphClient } from '../subgraph-client/create-subgraph-client.ts';
import { withSubgraphHooks } from '../subgraph-client/with-subgraph-hooks.ts';
import type { UsableSupergraph } from '../supergraph/usable-supergraph.ts';
import type { CacheHints } from '../supergraph/read-cache-hints.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import { recordFetches } from '../telemetry/recording/record-fetches.ts';
import type { Recording } from '../telemetry/recording/recording.ts';
import { type BuildDependencies, hasSubgraphHooks } from './build-dependencies.ts';

/** Executor of the requests of a generation, with all that the gateway adds to the client. */
export interface OpenedExecutor {
  readonly executor: SubgraphExecutor & AsyncDisposable;
  /** Returns the states of the subgraphs. Undefined if another client replaces that of the gateway. */
  readonly states: SubgraphClient['states'] | undefined;
  /** Cache hints of the supergraph. Values of connectors that depend on data that no cache key contains have no lifetime. */
  readonly cacheHints: CacheHints;
}

/**
 * Opens the connections of a generation, and composes its executor: client, connectors, entity cache, hooks.
 *
 * @throws SupergraphInvalid when a subgraph or a source has no address
 */
export function openExecutor(
  loaded: UsableSupergraph,
  config: ResolvedGatewayConfig,
  callerOf: (planningCaller: PlanningCaller) => string,
  dependencies: BuildDependencies & { readonly rules: CompiledRules | undefined },
): OpenedExecutor {
  const resolved =
    loaded.connectors === undefined ? undefined : resolveConnectors(loaded.connectors, config.connectors, dependencies.environment ?? {});
  const cacheHints = resolved === undefined ? loaded.cacheHints : adaptCaching(resolved, loaded.cacheHints, dependencies);
  warnOfUnusedUrls(loaded, config, dependencies);
  const client = openClient(loaded, resolved, config, { ...dependencies, callerOf });
  const recorded = withRecording(client, dependencies.recording);
  const sender =
    resolved === undefined ? recorded : withConnectors(recorded, resolved, loaded, { ...dependencies, settings: config.subgraphs });
  const cached = withCachedEntities(sender, { ...loaded, cacheHints }, dependencies);
  return {
    executor: disposing(withEnd(disposing(withOwnHooks(cached, sender, loaded, dependencies), client)), client),
    states: client.states,
    cacheHints,
  };
}

/** Warns of the URLs of servers that are set for subgraphs without a server, because their requests would go elsewhere without notice. */
function warnOfUnusedUrls({ connectors }: UsableSupergraph, { subgraphs }: ResolvedGatewayConfig, { logger }: BuildDependencies): void {
  const names = new Set([...(connectors?.values() ?? [])].map(({ connector }) => connector.subgraph));
  for (const subgraph of names) {
    if (subgraphs.override[subgraph]?.url === undefined) continue;
    logger.warn(
      { subgraph },
      `The setting subgraphs.override.${subgraph}.url has no effect: the subgraph has connectors and no server. Set connectors.subgraphs.${subgraph}.sources.<name>.baseUrl instead.`,
    );
  }
}

/** Adds the disposal of the client to an executor. */
function disposing(executor: SubgraphExecutor, client: AsyncDisposable): SubgraphExecutor & AsyncDisposable {
  if (Symbol.asyncDispose in executor) return executor as SubgraphExecutor & AsyncDisposable;
  return Object.assign(executor, { [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() });
}

interface ClientDependencies extends BuildDependencies {
  readonly callerOf: (planningCaller: PlanningCaller) => string;
}

type Client = SubgraphExecutor & AsyncDisposable & Partial<Pick<SubgraphClient, 'states'>>;

function openClient(
  { subgraphs, connectors }: UsableSupergraph,
  resolved: ResolvedConnectors | undefined,
  { subgraphs: settings }: ResolvedGatewayConfig,
  dependencies: ClientDependencies,
): Client {
  const { clock, logger, identity, largeResponses, subgraphExecutor, hooks, callerOf } = dependencies;
  const servers = connectors === undefined ? subgraphs : new Map([...subgraphs].filter(([name]) => !connectors.has(name)));
  const open = (own: typeof subgraphs): SubgraphClient =>
    createSubgraphClient({
      subgraphs: own,
      settings,
      sources: resolved?.sources,
      identity,
      callerOf,
      largeResponses,
      hasHooks: hasSubgraphHooks(hooks),
      logger,
      clock,
    });
  if (subgraphExecutor === undefined) return open(servers);
  const replaced = subgraphExecutor(servers);
  return resolved === undefined ? replaced : withOwnHttp(replaced, open(new Map()));
}

/** Sends HTTP requests of connectors with the client of the gateway, and all other requests with the client that replaces it. */
function withOwnHttp(replaced: SubgraphExecutor & AsyncDisposable, own: SubgraphClient): Client {
  const execute: SubgraphExecutor = (request, signal) => (request.http === undefined ? replaced : own)(request, signal);
  return Object.assign(execute, {
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await replaced[Symbol.asyncDispose]();
    },
  });
}

/** Records the requests to subgraphs. Returns the same executor when nothing is recorded. */
function withRecording(executor: SubgraphExecutor, recording: Recording | undefined): SubgraphExecutor {
  return recording === undefined ? executor : recordFetches(executor, recording);
}

interface ConnectorDependencies extends Pick<BuildDependencies, 'logger'> {
  readonly settings: ResolvedGatewayConfig['subgraphs'];
  readonly rules: CompiledRules | undefined;
}

function withConnectors(
  send: SubgraphExecutor,
  resolved: ResolvedConnectors,
  { sdl, creatorGrants }: UsableSupergraph,
  { logger, settings, rules }: ConnectorDependencies,
): SubgraphExecutor {
  const access = rules && compileEntityAccess(rules, creatorGrants, 'owners');
  return openConnectors(resolved, { document: parse(sdl, { noLocation: true }), settings, send, logger, access });
}

/** Makes all caches depend on the client headers that connectors read. Returns hints without values that no cache may store. */
function adaptCaching(resolved: ResolvedConnectors, hints: CacheHints, { varyBy }: BuildDependencies): CacheHints {
  const { headers, uncacheable } = clientDependenceOf(resolved);
  varyBy?.add(headers);
  if (uncacheable.length === 0) return hints;
  const adapted = new Map(hints);
  for (const coordinate of uncacheable) adapted.set(coordinate, { maxAge: 0 });
  return adapted;
}

/** Adds the entity cache. Returns the same executor when no entities are cached. */
function withCachedEntities(
  executor: SubgraphExecutor,
  loaded: UsableSupergraph,
  { entities, clock }: BuildDependencies,
): SubgraphExecutor {
  const { id: supergraphId, schema, cacheHints: hints, authorization } = loaded;
  if (entities === undefined || hints.size === 0) return executor;
  const read = createEntityFetchReader(createEntityPolicyCompiler({ schema, hints, authorization }));
  return withEntityCache(executor, { ...entities, read, supergraphId, clock });
}

function withOwnHooks(
  executor: SubgraphExecutor,
  direct: SubgraphExecutor,
  { connectors }: UsableSupergraph,
  { hooks }: BuildDependencies,
): SubgraphExecutor {
  return hooks === undefined || !hasSubgraphHooks(hooks) ? executor : withSubgraphHooks(executor, { hooks, direct, connectors });
}
