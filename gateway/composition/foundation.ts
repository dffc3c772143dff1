import { createAuthentication } from '../auth/authenticator.ts';
import { chargeFailedLogins, createReloadableBudgets } from '../budget/budgets.ts';
import { varyingHeaders } from '../cache/cache-key-parts.ts';
import { createVaryingHeaders } from '../cache/varying-headers.ts';
import { openCaches } from '../cache/open-caches.ts';
import { openRecentWrites } from '../cache/open-recent-writes.ts';
import { readIdentityKey } from '../config/identity-key.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { RedisConfig } from '../config/sections/redis.ts';
import type { GatewayDependencies } from '../gateway.ts';
import { createGenerations } from '../generation/generations.ts';
import { builtInHooks } from './built-in-hooks.ts';
import { createCurrentSettings } from './current-settings.ts';
import { openHooks } from '../hooks/open-hooks.ts';
import { createMaintenance } from '../http/internal/maintenance.ts';
import { openIdempotency } from '../idempotency/open-idempotency.ts';
import { openManifests, openPersistedDocuments } from '../persisted/open-persisted-documents.ts';
import { createSpareThread } from '../planning/worker/spare-thread.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { DisposalStack } from '../platform/disposal-stack.ts';
import { createEdgeLimits } from '../platform/http/limits/edge-limits.ts';
import { createLoadShedding } from '../platform/http/limits/load-shedding.ts';
import { compileNetworks } from '../platform/http/request/client-address.ts';
import { createLogSampler } from '../platform/log-sampler.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { requirePackages } from '../platform/require-packages.ts';
import { createShutdownCallbacks } from '../platform/shutdown-callbacks.ts';
import { createIdentitySigner } from '../subgraph-client/sign-identity.ts';
import { createSubgraphStreams } from '../subgraph-client/streams/create-subgraph-streams.ts';
import { countEdgeEvents } from '../telemetry/metrics/observe-gateway.ts';
import { openRecording } from '../telemetry/open-recording.ts';

/** Dependencies of the engine and the transports: credentials, state that requests share, and connections to other processes. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens the foundation. The stack closes its resources in the reverse order. */
export async function openFoundation(config: ResolvedGatewayConfig, dependencies: GatewayDependencies, resources: DisposalStack) {
  const { clock = systemClock, logger = createLogger(config.logging), primary } = dependencies;
  const settings = createCurrentSettings(config);
  const recording = await openRecording(config.telemetry, resources, {
    clock,
    writeAccessLog: dependencies.accessLog,
    exporters: dependencies.telemetryExporters,
  });
  const edgeEvents =
    recording?.metrics === undefined ? dependencies.edgeEvents : countEdgeEvents(recording.metrics, dependencies.edgeEvents);
  const sampler = createLogSampler({ logger, clock });
  const isProxy = compileNetworks(config.server.trustedProxies);
  const identityKey = readIdentityKey(config.identity);
  const identity = identityKey === undefined ? undefined : createIdentitySigner({ ...config.identity, key: identityKey, clock });
  const varyBy = createVaryingHeaders(varyingHeaders(config.subgraphs, config.cache.varyBy));
  const varying = varyBy.names;
  const maintenance = resources.use(createMaintenance(config.maintenance, logger));
  const authentication = resources.use(
    createAuthentication(config.auth, { clock, logger, isProxy, explainsRejections: config.profile === 'dev' }),
  );
  const hooks = resources.use(
    await openHooks(config.hooks, { builtIn: builtInHooks(settings, varying), embedded: dependencies.hooks, logger }),
  );
  const redis = resources.use(await openRedis(config.redis, { clock, logger }));
  const recentWrites = resources.use(openRecentWrites(config.cache, { redis, primary, clock }));
  const caches = resources.use(openCaches(config.cache, { redis, varyingHeaders: varying, clock }));
  const subgraphStreams = resources.use(createSubgraphStreams({ settings: config.subgraphs, identity, logger }));
  const manifests = resources.use(openManifests(config.persisted, logger));
  // Closed after the generations, which pass their threads to it.
  const spareThread = resources.use(createSpareThread({ logger }));
  const generations = resources.use(createGenerations({ ...config.supergraph, logger, clock }));
  const budgets = resources.use(createReloadableBudgets(config.budget, { isProxy, redis, primary, clock, sampler }));
  const documents = openPersistedDocuments(config.persisted, { manifests, redis, clock, logger });
  settings.onReload(({ budget, persisted, subgraphs, logging }) => {
    budgets.reload(budget);
    documents.reload(persisted.mode);
    subgraphStreams.reload(subgraphs);
    if ('level' in logger) logger.level = logging.level;
  });
  const shedding = resources.use(
    createLoadShedding({
      settings: config.server.overload,
      onRejected: () => edgeEvents?.requestShed?.(),
      logger,
    }),
  );
  generations.onReplaced(() => shedding.warmUp());
  const { operationTimeoutMs } = config.graphql;
  return {
    /** Configuration, which can be reloaded. */
    settings,
    clock,
    logger,
    /** Records requests for telemetry. Undefined when it is off. */
    recording,
    /** Logs rejected requests, at most one of each kind per minute. */
    sampler,
    isProxy,
    identityKey,
    /** Signer of the caller's identity. Undefined: subgraphs receive no identity. */
    identity,
    /** Request headers that select different responses. */
    varying,
    /** Adds to these headers. */
    varyBy,
    maintenance,
    shedding,
    /** Called after the last request has ended, and before connections of the foundation are closed. */
    callbacks: createShutdownCallbacks(logger),
    /** Authenticates, and charges for invalid credentials. */
    authenticate: chargeFailedLogins(authentication.authenticate, budgets),
    /** Checks credentials again that were valid before, without a charge. */
    authenticateAgain: authentication.authenticate,
    recentWrites,
    caches,
    subgraphStreams,
    manifests,
    generations,
    spareThread,
    budgets,
    limits: createEdgeLimits({ settings: config.server, isProxy, events: edgeEvents, logger, clock }),
    /** Hooks of the operator and of the gateway. Undefined: there are none, and the gateway is composed without them. */
    hooks: Object.keys(hooks.compiled).length === 0 ? undefined : hooks.compiled,
    idempotency: openIdempotency(config.idempotency, { redis, primary, operationTimeoutMs, clock, isProxy }),
    documents,
  };
}

/** Loads the Redis client only when it is needed, because it is large. */
async function openRedis(config: RedisConfig, dependencies: { readonly clock: Clock; readonly logger: Logger }) {
  const { url: urls } = config;
  if (urls === undefined) return undefined;
  requirePackages(['ioredis'], 'the setting redis.url');
  const { readRedisCredentials } = await import('../redis/redis-credentials.ts');
  const credentials = readRedisCredentials(config);
  const { createSharedRedis } = await import('../redis/redis.ts');
  return createSharedRedis({ urls, credentials, ...dependencies });
}
