import type { DocumentNode, GraphQLSchema } from 'graphql';
import { type CompiledRules, createAccessRules } from '../authorization/access-rules.ts';
import { compileRules } from '../authorization/compile-rules.ts';
import { describeUnclearRules } from '../authorization/interface-rules.ts';
import { type OperationAuthorization, compileAuthorization } from '../authorization/operation-authorization.ts';
import { type CachePolicyOf, createCachePolicyCompiler, createEntityPolicyCompiler } from '../cache/compile-cache-policy.ts';
import type { EntityCache } from '../cache/entity-cache.ts';
import { createEntityFetchReader } from '../cache/read-entity-fetch.ts';
import { withEntityCache } from '../cache/with-entity-cache.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { compileOperation } from '../execution/compile-operation.ts';
import type { CompiledHooks } from '../hooks/compile-hooks.ts';
import { coalescingOf } from '../generation/coalescing-of.ts';
import { createGeneration } from '../generation/create-generation.ts';
import type { Generation } from '../generation/generation.ts';
import type { PlanningCaller } from '../generation/prepared-operation.ts';
import { withEnd } from '../generation/with-end.ts';
import { selectOperation } from '../operation/select-operation.ts';
import { clientOf } from '../pipeline/stages/resolve-document.ts';
import { createPlannerHost } from '../planning/worker/create-planner-host.ts';
import type { PlannerHost } from '../planning/worker/planner-host.ts';
import { withPlanHook } from '../planning/worker/with-plan-hook.ts';
import type { Clock } from '../platform/clock.ts';
import { compileNetworks } from '../platform/http/request/client-address.ts';
import type { Logger } from '../platform/logger.ts';
import { runInTurns } from '../platform/run-in-turn.ts';
import { withSubgraphHooks } from '../subgraph-client/with-subgraph-hooks.ts';
import { createSubgraphClient, type SubgraphClient } from '../subgraph-client/create-subgraph-client.ts';
import type { IdentitySigner } from '../subgraph-client/sign-identity.ts';
import type { LargeResponses } from '../subgraph-client/large-responses.ts';
import { refuseRulesWithoutCallers } from '../supergraph/read-authorization-rules.ts';
import { type LoadedSupergraph, loadSupergraph, loadSupergraphInSteps, mayHaveConnectors } from '../supergraph/load-supergraph.ts';
import type { SubgraphAddress } from '../supergraph/read-subgraphs.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import { recordFetches } from '../telemetry/recording/record-fetches.ts';
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
  /** Entity cache. @defaultValue entities are not cached */
  readonly entities?: CachedEntities | undefined;
  /** Replaces the HTTP client of the gateway. */
  readonly subgraphExecutor?: ((subgraphs: ReadonlyMap<string, SubgraphAddress>) => SubgraphExecutor & AsyncDisposable) | undefined;
}

/** Entity cache of all generations. */
export interface CachedEntities {
  readonly cache: EntityCache;
  /** Request headers that select different entities. */
  readonly varyingHeaders: readonly string[];
}

/** Builds a generation. @throws SupergraphInvalid, or an Error when a subgraph has no address */
export async function buildGeneration(sdl: string, config: ResolvedGatewayConfig, dependencies: BuildDependencies): Promise<Generation> {
  const { logger } = dependencies;
  const isProxy = compileNetworks(config.server.trustedProxies);
  // The planner's thread validates the supergraph while this thread reads it. Connectors have to be expanded before.
  const early = mayHaveConnectors(sdl) ? loadSupergraph(sdl, config.supergraph.file) : undefined;
  const plannerOptions = { coalesce: coalescingOf(config, early?.connectors), validates: early === undefined };
  const planner = withOwnPlanHook(createPlannerHost({ sdl: early?.sdl ?? sdl, logger, plannerOptions }), dependencies);
  const opened: AsyncDisposable[] = [planner];
  try {
    const loaded = early ?? (await loadChecked(sdl, config.supergraph.file, planner));
    const rules = rulesFor(loaded, dependencies.hasAuthentication);
    reportUnclearRules(rules, config, logger);
    reportMissingSubgraphs(loaded, config, logger);
    const callerOf = (planningCaller: PlanningCaller): string => clientOf(planningCaller, isProxy);
    const client = openExecutor(loaded, config, callerOf, dependencies);
    const sender = recorded(client, dependencies.recording);
    const executor = withEnd(withOwnSubgraphHooks(cacheEntities(sender, loaded, dependencies), sender, dependencies));
    opened.push(executor);
    await planner.ready;
    return createGeneration({
      loaded,
      planner,
      executor,
      compile: compileOperation,
      cachePolicyOf: cachePolicyOfAny(loaded, rules),
      authorizationOf: rules && authorizationOfAny(loaded.schema, rules),
      callerOf,
      subgraphStates: client.states,
      settings: { ...config.graphql, isSchemaShown: config.graphql.introspection, limits: config.limits },
      logger,
    });
  } catch (error) {
    for (const part of opened) await part[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Reads a supergraph in steps, so that requests for the current generation are served meanwhile.
 *
 * @throws SupergraphInvalid with the position of the error
 */
async function loadChecked(sdl: string, file: string | undefined, planner: PlannerHost): Promise<LoadedSupergraph> {
  try {
    const [loaded] = await Promise.all([runInTurns(loadSupergraphInSteps(sdl, file)), planner.ready]);
    return loaded;
  } catch (error) {
    loadSupergraph(sdl, file);
    throw error;
  }
}

/** Writes a warning about rules of interfaces that may be incomplete. Subgraphs that the gateway composes cannot have such rules. */
function reportUnclearRules(rules: CompiledRules | undefined, { supergraph }: ResolvedGatewayConfig, logger: Logger): void {
  if (rules === undefined || supergraph.subgraphs !== undefined) return;
  const warning = describeUnclearRules(rules.unclear);
  if (warning !== undefined) logger.warn({ rules: rules.unclear }, warning);
}

/** Writes a warning about required subgraphs that the supergraph does not contain, because they do not affect the readiness. */
function reportMissingSubgraphs({ subgraphs, connectors }: LoadedSupergraph, { server }: ResolvedGatewayConfig, logger: Logger): void {
  const named = new Set([...subgraphs.keys()].map((name) => connectors?.get(name)?.connector.subgraph ?? name));
  const missing = server.health.requiredSubgraphs.filter((name) => !named.has(name));
  if (missing.length === 0) return;
  const known = [...named].join(', ');
  logger.warn(
    { subgraphs: missing, setting: 'server.health.requiredSubgraphs' },
    `The supergraph does not contain all subgraphs that the setting requires. It contains: ${known}.`,
  );
}

type SupergraphRules = Pick<LoadedSupergraph, 'graph' | 'authorization' | 'creatorGrants' | 'connectors'>;

/**
 * Compiles the access rules that are enforced; undefined when the supergraph has no rules.
 *
 * @throws SupergraphInvalid when a rule cannot be enforced
 */
export function rulesFor(
  { graph, authorization, creatorGrants, connectors }: SupergraphRules,
  hasAuthentication = true,
): CompiledRules | undefined {
  if (hasAuthentication) return compileRules(graph, authorization, creatorGrants, connectors);
  refuseRulesWithoutCallers(authorization, 'Set the option "principal".');
  return undefined;
}

/** Returns the compiler of cache policies. Undefined when the schema has no cache hints: no response may be cached then. */
function cachePolicyOfAny({ schema, cacheHints: hints }: LoadedSupergraph, rules: CompiledRules | undefined): CachePolicyOf | undefined {
  return hints.size === 0 ? undefined : createCachePolicyCompiler({ schema, hints, authorization: rules ?? NO_RULES });
}

const NO_RULES = { has: () => false };

function authorizationOfAny(schema: GraphQLSchema, compiled: CompiledRules) {
  const rules = createAccessRules(schema, compiled);
  return (document: DocumentNode): OperationAuthorization | undefined => {
    return compileAuthorization(schema, rules, document, selectOperation(document));
  };
}

function openExecutor(
  { subgraphs }: LoadedSupergraph,
  config: ResolvedGatewayConfig,
  callerOf: (planningCaller: PlanningCaller) => string,
  dependencies: BuildDependencies,
): SubgraphExecutor & AsyncDisposable & Partial<Pick<SubgraphClient, 'states'>> {
  const { clock, logger, identity, largeResponses, subgraphExecutor, hooks } = dependencies;
  if (subgraphExecutor !== undefined) return subgraphExecutor(subgraphs);
  return createSubgraphClient({
    subgraphs,
    settings: config.subgraphs,
    identity,
    callerOf,
    largeResponses,
    hasHooks: hasSubgraphHooks(hooks),
    logger,
    clock,
  });
}

/** Records the requests to subgraphs. Returns the same executor when nothing is recorded. */
function recorded(executor: SubgraphExecutor & AsyncDisposable, recording: Recording | undefined): SubgraphExecutor & AsyncDisposable {
  if (recording === undefined) return executor;
  return Object.assign(recordFetches(executor, recording), { [Symbol.asyncDispose]: () => executor[Symbol.asyncDispose]() });
}

/** Adds the entity cache. Returns the same executor when no entities are cached. */
function cacheEntities(executor: SubgraphExecutor & AsyncDisposable, loaded: LoadedSupergraph, { entities, clock }: BuildDependencies) {
  const { id: supergraphId, schema, cacheHints: hints, authorization } = loaded;
  if (entities === undefined || hints.size === 0) return executor;
  const read = createEntityFetchReader(createEntityPolicyCompiler({ schema, hints, authorization }));
  const withCache = withEntityCache(executor, { ...entities, read, supergraphId, clock });
  return Object.assign(withCache, { [Symbol.asyncDispose]: () => executor[Symbol.asyncDispose]() });
}

function withOwnPlanHook(planner: PlannerHost, { hooks }: BuildDependencies): PlannerHost {
  return hooks?.onPlan === undefined ? planner : withPlanHook(planner, hooks.onPlan);
}

/** Whether a hook runs for each request to a subgraph. Callers then do not share executions, because a hook may change one of them. */
export function hasSubgraphHooks(hooks: CompiledHooks | undefined): boolean {
  return hooks?.onSubgraphRequest !== undefined || hooks?.onSubgraphResponse !== undefined;
}

function withOwnSubgraphHooks(
  executor: SubgraphExecutor & AsyncDisposable,
  direct: SubgraphExecutor,
  { hooks }: BuildDependencies,
): SubgraphExecutor & AsyncDisposable {
  if (hooks === undefined || !hasSubgraphHooks(hooks)) return executor;
  return Object.assign(withSubgraphHooks(executor, { hooks, direct }), {
    [Symbol.asyncDispose]: () => executor[Symbol.asyncDispose](),
  });
}
