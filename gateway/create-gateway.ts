import { join } from 'node:path';
import { createAuthentication } from './auth/authenticator.ts';
import { challengesOf } from './auth/challenges.ts';
import { type Caller, createBudgets } from './budget/budgets.ts';
import type { CallerBudget } from './budget/caller-budget.ts';
import { chargeFailedLogins } from './budget/charge-failed-logins.ts';
import { buildServiceDoor } from './build-service-door.ts';
import { buildStreamDoors } from './build-stream-doors.ts';
import { checkTrustedDocuments } from './check-trusted-documents.ts';
import { openCaches } from './cache/open-caches.ts';
import { varyingHeaders } from './cache/varying-headers.ts';
import { resolveGatewayConfig } from './config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from './config/sections.ts';
import { followConfiguredSupergraph } from './follow-configured-supergraph.ts';
import type { SupergraphReport } from './generation/follow-supergraph.ts';
import type { GenerationBound, GenerationView } from './generation/generation.ts';
import { createGenerations } from './generation/generations.ts';
import { createAnswerOnce } from './http/answer-once.ts';
import { createCacheInvalidation } from './http/cache-invalidation.ts';
import { createCachedReply } from './http/cached-reply.ts';
import { withCors } from './http/cors.ts';
import { createGraphiqlHandler } from './http/graphiql.ts';
import { createGraphqlHandler } from './http/graphql-handler.ts';
import { createHealthHandler, type HealthState } from './http/health.ts';
import { createInternalHandler } from './http/internal-handler.ts';
import { createKnownTargets } from './http/known-targets.ts';
import { type Listeners, openListeners } from './http/listeners.ts';
import { createMaintenance } from './http/maintenance.ts';
import { createMaintenanceSwitch } from './http/maintenance-switch.ts';
import { type MountedHandler, createMounts } from './http/mounts.ts';
import { createPublicHandler } from './http/public-handler.ts';
import { createStreamHandler } from './http/stream-handler.ts';
import { withTransportSecurity } from './http/transport.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import { openIdempotency } from './idempotency/open-idempotency.ts';
import { OperationRefused } from './operation/errors.ts';
import { modeOf } from './operation/limit-mode.ts';
import { openManifests, openPersistedDocuments } from './persisted/open-persisted-documents.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './pipeline/operation-request.ts';
import type { Subscribe, SubscriptionRequest } from './pipeline/event-stream.ts';
import { createCostLimit } from './pipeline/limit-cost.ts';
import type { PoliciesHook } from './pipeline/decide-access.ts';
import type { OverrideLabels } from './pipeline/override-labels.ts';
import type { CachingSettings } from './pipeline/run-cacheable.ts';
import { createPipeline } from './pipeline/run-operation.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { createCodings, createCompress } from './platform/http/compress.ts';
import { compileNetworks } from './platform/http/networks.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { packageRoot } from './platform/package-root.ts';
import type { Principal } from './platform/principal.ts';
import type { RequestHeaders } from './platform/request-headers.ts';
import { publicKeysOf, readIdentityKey } from './config/identity-key.ts';
import { createSubgraphStreams } from './subgraph-client/streams/create-subgraph-streams.ts';
import type { StreamDelivery } from './subscriptions/stream-sender.ts';
import type { SubgraphAddress } from './supergraph/read-subgraphs.ts';
import { requireOneSource } from './supergraph/sources/create-source.ts';
import type { SupergraphSource } from './supergraph/sources/supergraph-source.ts';
import type { SubgraphExecutor } from './supergraph/subgraph-executor.ts';

/** One graph, served. Every door goes through `run`. */
export interface Gateway extends AsyncDisposable {
  /**
   * Credentials to principal. Knows no operation.
   *
   * @param remoteAddress who pays for credentials that are not good; nobody where it is absent
   * @throws GatewayError `UNAUTHENTICATED`; `RATE_LIMITED` in its place to an address whose budget is used up
   */
  authenticate(headers: RequestHeaders, remoteAddress?: string): Promise<Principal>;
  /** How callers may prove who they are: a value of `WWW-Authenticate` for those who have not tried to. */
  readonly challenges: string;
  /** What the caller may spend, to be handed to `run` and told in the answer; undefined where there is no end to it. */
  budgetOf(caller: Caller): CallerBudget | undefined;
  /** What is known of requests that came with an idempotency key, at all doors of this graph. */
  readonly idempotency: Idempotency;
  /** One operation, all stages; answers in JSON text. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  /** One operation, all stages; answers in values. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  /**
   * Runs a subscription and sends its events as they come, with the limits, the checks of credentials, and the end of `/graphql`.
   * Resolves when the stream is over.
   *
   * @throws GatewayError when it is refused; nothing is written by then
   */
  stream(request: SubscriptionRequest, delivery: StreamDelivery): Promise<void>;
  /**
   * Called with each generation while it is being built; may refuse it (throw), and returns what belongs to it. Where one
   * is served already, it is called for that one first, and `ready` tells when that is done.
   */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T>;
  /** A handler for paths that are not ours: the longest path wins; one handler without paths owns the rest and its 404. */
  mount(handler: MountedHandler, paths?: readonly string[]): void;
  /**
   * Loads the supergraph and compiles, as `listen` and the first `run` do by themselves. Of a source on the network the
   * first look is waited for; when it fails the gateway refuses everything with `NO_SUPERGRAPH` until one succeeds.
   *
   * @throws Error when the supergraph is on this machine and cannot be served
   */
  load(): Promise<void>;
  /** What is served, and what became of the supergraphs before. */
  generations(): GenerationsReport;
  /** Loads the supergraph, compiles, then opens both listeners; without waiting for a source on the network. @throws as `load`, and ListenFailure */
  listen(): Promise<{ readonly url: string; readonly internalUrl: string }>;
}

/** The supergraphs in memory, and what became of those that were offered. */
export interface GenerationsReport extends SupergraphReport {
  /** Of the supergraph that is served; undefined while there is none. */
  readonly current: string | undefined;
  /** Those in memory: the one that is served, and those before it whose last request has not ended. */
  readonly alive: number;
}

/** What a test, or an embedding application, may put in place of the real thing. */
export interface GatewayDependencies {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** What asks the subgraphs in place of our own HTTP client; made for each supergraph that is loaded, and disposed with it. */
  readonly subgraphExecutor?: (subgraphs: ReadonlyMap<string, SubgraphAddress>) => SubgraphExecutor & AsyncDisposable;
  /** Where supergraphs come from in place of what the configuration names. */
  readonly supergraphSource?: () => SupergraphSource;
  /** Runs subscriptions in place of our own engine. */
  readonly subscribe?: Subscribe;
  /** Decides labels of `@override`. @defaultValue all are off but those of the form `percent(x)` */
  readonly overrideLabels?: OverrideLabels;
  /** Decides policies of `@policy`. @defaultValue no caller fulfils any */
  readonly policies?: PoliciesHook;
  /**
   * Whether anybody tells who the callers are. Where nobody does, a supergraph that the gateway must guard is refused, and `@auth` is
   * left to the subgraphs.
   *
   * @defaultValue true
   */
  readonly knowsCallers?: boolean;
}

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
  const supergraphs = followConfiguredSupergraph(config, { ...dependencies, identityKey, entities, generations, clock, logger });
  const budgets = createBudgets(config.budget, { isProxy, redis, clock, logger });
  const caching: CachingSettings = {
    cache: caches?.responses,
    staleMs: config.cache.staleWhileRevalidateSeconds * 1_000,
    varyingHeaders: varying,
    clock,
  };
  const { operationTimeoutMs } = config.graphql;
  const idempotency = openIdempotency(config.idempotency, { redis, operationTimeoutMs, clock });
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
    operationTimeoutMs,
    ...(modeOf(config.limits, 'tokens') === 'enforce' ? { maxTokens: config.graphql.maxTokens } : {}),
    overrideLabels: dependencies.overrideLabels,
    policies: dependencies.policies,
    policyTimeoutMs: config.auth.policyTimeoutMs,
    logger,
    dedupe: config.graphql.dedupe ? {} : undefined,
    caching,
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
  // The request object, its variables, and room for what else a request may carry.
  const maxJsonDepth = Math.max(MIN_JSON_DEPTH, config.graphql.maxVariableDepth + 2);
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
    maxJsonDepth,
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

  function reportStreams(): object {
    return { connections: doors.connections.size, ...pipeline.streaming?.report() };
  }

  function health(): HealthState {
    return { hasSupergraph: generations.report().current !== undefined, isDraining };
  }

  async function open(): Promise<Listeners> {
    await supergraphs.start();
    const codings = createCodings(config.server.compression);
    const overHttp = {
      authenticate,
      answerOnce,
      budgets,
      compress: createCompress(codings),
      toCachedReply: createCachedReply({
        codings,
        staleWhileRevalidateSeconds: config.cache.staleWhileRevalidateSeconds,
        varyingHeaders: caching.varyingHeaders,
        clock,
      }),
      logger,
      maxBodyBytes: config.server.maxBodyBytes,
      maxJsonDepth,
    };
    const targets = caches?.responses && createKnownTargets(config.cache);
    const handler = createPublicHandler({
      maxUrlBytes: config.server.maxUrlBytes,
      targets,
      graphql: createGraphqlHandler({ ...overHttp, pipeline, targets, stream: createStreamHandler({ ...overHttp, ...doors.overHttp }) }),
      health: createHealthHandler(health),
      ...(config.graphql.graphiql ? { pages: createGraphiqlHandler(join(packageRoot, 'dist', 'studio')) } : {}),
      mounts,
      maintenance,
      logger,
    });
    const handlers = {
      upgrade: doors.upgrade,
      public: withTransportSecurity(withCors(handler, config.server.cors), config.server, isProxy),
      internal: createInternalHandler({
        health: createHealthHandler(health, { supergraph: report, streams: reportStreams }),
        services: buildServiceDoor(config, { overHttp, pipeline, streams: doors, maintenance, clock }),
        switchMaintenance: config.maintenance.key === undefined ? undefined : createMaintenanceSwitch(maintenance, config.maintenance.key),
        identityKeys: publicKeysOf(identityKey),
        invalidateCache:
          caches === undefined || config.cache.invalidationKey === undefined
            ? undefined
            : createCacheInvalidation({ invalidate: caches.invalidate, key: config.cache.invalidationKey }),
        logger,
      }),
    };
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
    run,
    async stream(request, delivery) {
      await supergraphs.first();
      await doors.openStream(request, delivery);
    },
    load: () => supergraphs.first(),
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

/** Deepest JSON of a request where the configuration asks for no more. @unit levels */
const MIN_JSON_DEPTH = 64;

/** Its client is loaded where it is needed only: it is large. */
async function openRedis(urls: string | undefined, dependencies: { readonly clock: Clock; readonly logger: Logger }) {
  if (urls === undefined) return undefined;
  const { createSharedRedis } = await import('./redis/redis.ts');
  return createSharedRedis({ urls, ...dependencies });
}
