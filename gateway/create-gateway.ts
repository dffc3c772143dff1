import { createAuthentication } from './auth/authenticator.ts';
import { challengesOf } from './auth/authentication-errors.ts';
import { createBudgets } from './budget/budgets.ts';
import { chargeFailedLogins } from './budget/charge-failed-logins.ts';
import { buildRequestHandlers, maxJsonDepthOf } from './build-request-handlers.ts';
import { buildStreamDoors } from './build-stream-doors.ts';
import { checkTrustedDocuments } from './check-trusted-documents.ts';
import { openCaches } from './cache/open-caches.ts';
import { openWriteMarks } from './cache/open-write-marks.ts';
import { varyingHeaders } from './cache/cache-key-parts.ts';
import { publicKeysOf, readIdentityKey } from './config/identity-key.ts';
import { resolveGatewayConfig } from './config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from './config/sections.ts';
import { followConfiguredSupergraph } from './follow-configured-supergraph.ts';
import type { Gateway, GatewayDependencies, GenerationsReport } from './gateway.ts';
import { createGenerations } from './generation/generations.ts';
import { createAnswerOnce } from './http/answer-once.ts';
import { type HealthState, reportReadiness } from './http/health.ts';
import { type Listeners, openListeners } from './http/listeners.ts';
import { createMaintenance } from './http/maintenance.ts';
import { createMounts } from './http/mounts.ts';
import { openIdempotency } from './idempotency/open-idempotency.ts';
import { OperationRefused } from './operation/errors.ts';
import { modeOf } from './operation/limits/limit-mode.ts';
import { openManifests, openPersistedDocuments } from './persisted/open-persisted-documents.ts';
import { createAdmission } from './operation/limits/admit-document.ts';
import { clientOf } from './pipeline/client-of.ts';
import { createCostLimit } from './pipeline/limit-cost.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './pipeline/operation-request.ts';
import { createWriteTracking } from './pipeline/own-writes.ts';
import type { CachingSettings } from './pipeline/run-cacheable.ts';
import { createPipeline } from './pipeline/run-operation.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { createEdgeLimits, hasRoomFor } from './platform/http/limits/edge-limits.ts';
import { compileNetworks } from './platform/http/request/client-address.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createLargeResponses } from './subgraph-client/large-responses.ts';
import { createSubgraphStreams } from './subgraph-client/streams/create-subgraph-streams.ts';
import { requireOneSource } from './supergraph/sources/create-source.ts';

/**
 * Puts a gateway together. Nothing is opened or loaded yet: `listen` does that, or the first `run` of a gateway that is
 * embedded without listening.
 *
 * @throws ConfigurationInvalid with every mistake of the configuration
 */
export async function createGateway(input: GatewayConfigInput, dependencies: GatewayDependencies = {}): Promise<Gateway> {
  const config = resolveGatewayConfig(input);
  if (dependencies.supergraphSource === undefined) requireOneSource(config.supergraph);
  const { clock = systemClock, logger = createLogger({ level: config.logging.level }) } = dependencies;
  const isProxy = compileNetworks(config.server.trustedProxies);
  const identityKey = readIdentityKey(config.identity);
  const authentication = createAuthentication(config.auth, { clock, logger, isProxy });
  const manifests = openManifests(config.persisted, logger);
  const redis = await openRedis(config.redis.url, { clock, logger });
  const generations = createGenerations({ ...config.supergraph, logger, clock });
  const varying = varyingHeaders(config.subgraphs, config.cache.varyBy);
  const caches = openCaches(config.cache, { redis, varyingHeaders: varying, clock });
  const entities = caches?.entities && { cache: caches.entities, varyingHeaders: varying };
  const limits = createEdgeLimits({ settings: config.server, isProxy, events: dependencies.edgeEvents, logger, clock });
  const largeResponses = createLargeResponses({
    maxBytes: config.subgraphs.maxLargeResponseBytes,
    callerOf: (context) => clientOf(context, isProxy),
    hasRoom: (context, bytes) => hasRoomFor(limits, context, bytes),
  });
  const supergraphs = followConfiguredSupergraph(config, {
    ...dependencies,
    identityKey,
    largeResponses,
    entities,
    generations,
    clock,
    logger,
  });
  const budgets = createBudgets(config.budget, { isProxy, redis, clock, logger });
  const caching: CachingSettings = {
    cache: caches?.responses,
    staleMs: config.cache.staleWhileRevalidateSeconds * 1_000,
    varyingHeaders: varying,
    clock,
  };
  const marks = openWriteMarks(config.cache, { redis, clock });
  const { operationTimeoutMs } = config.graphql;
  const idempotency = openIdempotency(config.idempotency, { redis, operationTimeoutMs, clock, isProxy });
  const streams = createSubgraphStreams({ settings: config.subgraphs, identityKey, logger, clock });
  const pipeline = createPipeline({
    generations,
    budgets,
    documents: openPersistedDocuments(config.persisted, { manifests, redis, clock, logger }),
    isProxy,
    isIntrospectionAllowed: config.graphql.introspection,
    limitCost: createCostLimit({ maxCost: config.limits.maxCost, mode: modeOf(config.limits, 'cost'), logger }),
    tellsCost: config.limits.tellCost,
    neverKept: config.idempotency.neverKept,
    admit: createAdmission({ maxTokens: config.graphql.maxTokens, limits: config.limits }),
    operationTimeoutMs,
    ...(modeOf(config.limits, 'tokens') === 'enforce' ? { maxTokens: config.graphql.maxTokens } : {}),
    overrideLabels: dependencies.overrideLabels,
    policies: dependencies.policies,
    policyTimeoutMs: config.auth.policyTimeoutMs,
    logger,
    dedupe: config.graphql.dedupe ? {} : undefined,
    caching,
    writes: createWriteTracking({ marks, isProxy, clock }),
    streaming: {
      upstream: streams,
      sharing: {
        headers: varying,
        isIdentityTold: config.identity.secret !== undefined || dependencies.subgraphExecutor !== undefined,
      },
      ...config.subscriptions,
      clock,
    },
  });
  if (manifests !== undefined) checkTrustedDocuments(manifests, generations, logger);
  const authenticate = budgets === undefined ? authentication.authenticate : chargeFailedLogins(authentication.authenticate, budgets);
  const maintenance = createMaintenance(config.maintenance, logger);
  const answerOnce = createAnswerOnce({ pipeline, idempotency });
  const doors = buildStreamDoors(config, {
    pipeline,
    answerOnce,
    subscribe: dependencies.subscribe ?? pipeline.streaming?.subscribe ?? refuseStream,
    authenticate,
    authenticateAgain: authentication.authenticate,
    isProxy,
    maintenance,
    report: limits.report,
    maxJsonDepth: maxJsonDepthOf(config),
    clock,
    logger,
  });
  const mounts = createMounts();
  let isDraining = false;
  let opening: Promise<Listeners> | undefined;
  let closing: Promise<void> | undefined;

  function report(): GenerationsReport {
    const { current, alive } = generations.report();
    return { current: current?.id, alive, ...supergraphs.report() };
  }

  function healthState(): HealthState {
    return { hasSupergraph: generations.report().current !== undefined, isDraining };
  }

  async function open(): Promise<Listeners> {
    await supergraphs.start();
    const handlers = buildRequestHandlers(config, {
      pipeline,
      answerOnce,
      authenticate,
      budgets,
      caches,
      varyingHeaders: varying,
      streams: doors,
      mounts,
      maintenance,
      limits,
      isProxy,
      identityKeys: publicKeysOf(identityKey),
      health: healthState,
      reports: { supergraph: report, streams: () => ({ connections: doors.connections.size, ...pipeline.streaming?.report() }) },
      clock,
      logger,
    });
    return openListeners(config.server, handlers, logger);
  }

  async function close(): Promise<void> {
    isDraining = true;
    const stopped = supergraphs[Symbol.asyncDispose]();
    const endsAt = clock.monotonic() + config.server.drainTimeoutMs;
    const listeners = await opening?.catch(() => undefined);
    await Promise.all([doors.connections.drain(config.server.drainTimeoutMs), listeners?.drain(config.server.drainTimeoutMs)]);
    pipeline.streaming?.close();
    // A mutation whose client has left runs on without a connection, and so does what an embedding application runs.
    await generations.drain(Math.max(0, endsAt - clock.monotonic()));
    await stopped;
    await generations[Symbol.asyncDispose]();
    await manifests?.[Symbol.asyncDispose]();
    await streams[Symbol.asyncDispose]();
    caches?.[Symbol.dispose]();
    marks[Symbol.dispose]();
    await redis?.[Symbol.asyncDispose]();
    await authentication[Symbol.asyncDispose]();
    await maintenance[Symbol.asyncDispose]();
  }

  function run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  function run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  async function run(request: OperationRequest, output: 'bytes' | 'object'): Promise<BytesResult | ObjectResult> {
    maintenance.check();
    await supergraphs.first();
    return output === 'bytes' ? pipeline.run(request, output) : pipeline.run(request, output);
  }

  return {
    authenticate,
    challenges: challengesOf(config.auth),
    budgetOf: (caller) => budgets?.of(caller),
    idempotency,
    admitReplay: pipeline.admitReplay,
    run,
    async stream(request, delivery) {
      await supergraphs.first();
      await doors.openStream(request, delivery);
    },
    load: () => supergraphs.first(),
    health: () => reportReadiness(healthState()),
    generations: report,
    onGeneration: (build) => generations.onGeneration(build),
    mount: (handler, paths) => mounts.add(handler, paths),
    async listen() {
      if (closing !== undefined) throw new Error('A closed gateway does not listen again.');
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      const { url, internalUrl } = await opening;
      return { url, internalUrl };
    },
    [Symbol.asyncDispose]() {
      closing ??= close();
      return closing;
    },
  };
}

/** Where nothing runs subscriptions. */
function refuseStream(): Promise<never> {
  throw new OperationRefused('BAD_REQUEST', [{ message: 'Subscriptions are not served.' }]);
}

/** Its client is loaded where it is needed only: it is large. */
async function openRedis(urls: string | undefined, dependencies: { readonly clock: Clock; readonly logger: Logger }) {
  if (urls === undefined) return undefined;
  const { createSharedRedis } = await import('./redis/redis.ts');
  return createSharedRedis({ urls, ...dependencies });
}
