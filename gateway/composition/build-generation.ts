import { setImmediate as nextIteration } from 'node:timers/promises';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { type CompiledRules, createAccessRules } from '../authorization/access-rules.ts';
import { compileRules, createCompiledRules } from '../authorization/compile-rules.ts';
import { describeUnclearRules } from '../authorization/interface-rules.ts';
import { type OperationAuthorization, compileAuthorization } from '../authorization/operation-authorization.ts';
import { type CachePolicyOf, createCachePolicyCompiler } from '../cache/compile-cache-policy.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { compileOperation } from '../execution/compile-operation.ts';
import { coalescingOf } from '../generation/coalescing-of.ts';
import { createGeneration } from '../generation/create-generation.ts';
import type { Generation } from '../generation/generation.ts';
import type { PlanningCaller } from '../generation/prepared-operation.ts';
import { decodeServingIndex, type EncodedIndexes } from '../planning/indexing/encode-indexes.ts';
import { selectOperation } from '../operation/select-operation.ts';
import { clientOf } from '../pipeline/stages/resolve-document.ts';
import { createPlannerHost } from '../planning/worker/create-planner-host.ts';
import type { PlannerHost } from '../planning/worker/planner-host.ts';
import { withPlanHook } from '../planning/worker/with-plan-hook.ts';
import { compileNetworks } from '../platform/http/request/client-address.ts';
import type { Logger } from '../platform/logger.ts';
import { runInTurns } from '../platform/run-in-turn.ts';
import { refuseRulesWithoutCallers } from '../supergraph/read-authorization-rules.ts';
import { type LoadedSupergraph, loadSupergraph, loadSupergraphInSteps, mayHaveConnectors } from '../supergraph/load-supergraph.ts';
import { type UsableSupergraph, serveIndexed } from '../supergraph/usable-supergraph.ts';
import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { BuildDependencies } from './build-dependencies.ts';
import { openExecutor } from './open-executor.ts';

/** Builds a generation. @throws SupergraphInvalid, or an Error when a subgraph has no address */
export async function buildGeneration(sdl: string, config: ResolvedGatewayConfig, dependencies: BuildDependencies): Promise<Generation> {
  const { logger, hasAuthentication = true, indexCache, spareThread } = dependencies;
  const isProxy = compileNetworks(config.server.trustedProxies);
  // Decoding a large supergraph takes milliseconds, and so does starting the planner's thread. Other requests are served between them.
  await nextIteration();
  // The planner's thread validates the supergraph and creates its indexes. Connectors have to be expanded before.
  const early = mayHaveConnectors(sdl) ? loadSupergraph(sdl, config.supergraph.file) : undefined;
  const key = early === undefined ? { sdl, hasAuthentication } : undefined;
  const stored = key && (await indexCache?.read(key));
  const indexing = { file: config.supergraph.file, hasAuthentication };
  const host = createPlannerHost({
    sdl: early?.sdl ?? sdl,
    logger,
    plannerOptions: { coalesce: coalescingOf(config, early?.connectors) },
    index: stored?.planning,
    indexing: (early ?? stored) ? undefined : indexing,
    spareThread,
  });
  const planner = withOwnPlanHook(host, dependencies);
  const opened: AsyncDisposable[] = [planner];
  try {
    const indexes = stored ?? (await readyPlanner(host));
    const { loaded, rules } = await readSupergraph({ sdl, early, indexes }, config, hasAuthentication);
    if (indexes !== undefined && indexes !== stored && key !== undefined) void indexCache?.write(key, indexes);
    reportUnclearRules(rules, config, logger);
    reportMissingSubgraphs(loaded, config, logger);
    const callerOf = (planningCaller: PlanningCaller): string => clientOf(planningCaller, isProxy);
    // Opening the clients of hundreds of subgraphs takes milliseconds.
    await nextIteration();
    const { executor, states, cacheHints } = openExecutor(loaded, config, callerOf, { ...dependencies, rules });
    opened.push(executor);
    await readyPlanner(host);
    await nextIteration();
    return createGeneration({
      loaded,
      planner,
      executor,
      compile: compileOperation,
      cachePolicyOf: cachePolicyOfAny({ ...loaded, cacheHints }, rules),
      authorizationOf: rules && authorizationOfAny(loaded.schema, rules),
      callerOf,
      subgraphStates: states,
      settings: { ...config.graphql, isSchemaShown: config.graphql.introspection, limits: config.limits },
      logger,
    });
  } catch (error) {
    for (const part of opened) await part[Symbol.asyncDispose]();
    throw error;
  }
}

/** Waits for the planner. @returns the indexes that its thread has created. @throws SupergraphInvalid */
async function readyPlanner({ ready }: PlannerHost): Promise<EncodedIndexes | undefined> {
  try {
    return await ready;
  } catch (error) {
    // Errors of the thread arrive as plain data.
    throw error instanceof Error && error.name === 'SupergraphInvalid' ? new SupergraphInvalid(error.message, { cause: error }) : error;
  }
}

interface SupergraphSource {
  readonly sdl: string;
  /** The supergraph, if it has been read to expand its connectors. */
  readonly early: LoadedSupergraph | undefined;
  readonly indexes: EncodedIndexes | undefined;
}

/**
 * Reads a validated supergraph with its index, or in steps if it has none, so that requests for the current generation are served meanwhile.
 *
 * @throws SupergraphInvalid with the position of the error
 */
async function readSupergraph(
  { sdl, early, indexes }: SupergraphSource,
  { supergraph, graphql }: ResolvedGatewayConfig,
  hasAuthentication: boolean,
): Promise<{ readonly loaded: UsableSupergraph; readonly rules: CompiledRules | undefined }> {
  if (indexes === undefined) {
    const loaded = early ?? (await runInTurns(loadSupergraphInSteps(sdl, supergraph.file)));
    return { loaded, rules: rulesFor(loaded, hasAuthentication) };
  }
  const index = decodeServingIndex(indexes);
  if (!hasAuthentication) refuseUnguarded(index);
  const loaded = await runInTurns(serveIndexed(sdl, index, graphql.introspection));
  return { loaded, rules: index.rules && createCompiledRules(index.rules) };
}

/** Writes a warning about rules of interfaces that may be incomplete. Subgraphs that the gateway composes cannot have such rules. */
function reportUnclearRules(rules: CompiledRules | undefined, { supergraph }: ResolvedGatewayConfig, logger: Logger): void {
  if (rules === undefined || supergraph.subgraphs !== undefined) return;
  const warning = describeUnclearRules(rules.unclear);
  if (warning !== undefined) logger.warn({ rules: rules.unclear }, warning);
}

/** Writes a warning about required subgraphs that the supergraph does not contain, because they do not affect the readiness. */
function reportMissingSubgraphs({ subgraphs, connectors }: UsableSupergraph, { server }: ResolvedGatewayConfig, logger: Logger): void {
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
  refuseUnguarded({ authorization });
  return undefined;
}

function refuseUnguarded({ authorization }: Pick<LoadedSupergraph, 'authorization'>): void {
  refuseRulesWithoutCallers(authorization, 'Set the option "principal".');
}

/** Returns the compiler of cache policies. Undefined when the schema has no cache hints: no response may be cached then. */
function cachePolicyOfAny(
  { schema, cacheHints: hints }: Pick<LoadedSupergraph, 'schema' | 'cacheHints'>,
  rules: CompiledRules | undefined,
): CachePolicyOf | undefined {
  return hints.size === 0 ? undefined : createCachePolicyCompiler({ schema, hints, authorization: rules ?? NO_RULES });
}

const NO_RULES = { has: () => false };

function authorizationOfAny(schema: GraphQLSchema, compiled: CompiledRules) {
  const rules = createAccessRules(schema, compiled);
  return (document: DocumentNode): OperationAuthorization | undefined => {
    return compileAuthorization(schema, rules, document, selectOperation(document));
  };
}

function withOwnPlanHook(planner: PlannerHost, { hooks }: BuildDependencies): PlannerHost {
  return hooks?.onPlan === undefined ? planner : withPlanHook(planner, hooks.onPlan);
}
