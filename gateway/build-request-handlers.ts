import { join } from 'node:path';
import { challengesOf } from './auth/authentication-errors.ts';
import type { Budgets } from './budget/budgets.ts';
import type { Authenticate } from './budget/charge-failed-logins.ts';
import { buildServiceDoor } from './build-service-door.ts';
import type { StreamDoors } from './build-stream-doors.ts';
import type { Caches } from './cache/open-caches.ts';
import type { ResolvedGatewayConfig } from './config/resolve-gateway-config.ts';
import type { AnswerOnce } from './http/answer-once.ts';
import { createCacheInvalidation } from './http/cache-invalidation.ts';
import { createCachedReply } from './http/cached-reply.ts';
import { withCors } from './http/cors.ts';
import { createGraphiqlHandler } from './http/graphiql.ts';
import { createGraphqlHandler } from './http/graphql-handler.ts';
import { createHealthHandler, type HealthState } from './http/health.ts';
import { createInternalHandler } from './http/internal-handler.ts';
import { createKnownTargets } from './http/known-targets.ts';
import type { ListenerHandlers } from './http/listeners.ts';
import type { Maintenance } from './http/maintenance.ts';
import { createMaintenanceSwitch } from './http/maintenance-switch.ts';
import type { Mounts } from './http/mounts.ts';
import { createPublicHandler } from './http/public-handler.ts';
import { createStreamHandler } from './http/stream-handler.ts';
import { createServicePathCheck, createTrustedPathCheck, withTransportSecurity } from './http/transport.ts';
import type { Pipeline } from './pipeline/run-operation.ts';
import type { Clock } from './platform/clock.ts';
import { createCodings, createCompress } from './platform/http/response/compress.ts';
import type { EdgeLimits } from './platform/http/limits/edge-limits.ts';
import type { InNetworks } from './platform/http/request/client-address.ts';
import type { Logger } from './platform/logger.ts';
import { packageRoot } from './platform/package-root.ts';

export interface RequestHandlersParts {
  readonly pipeline: Pipeline;
  /** Runs what comes over HTTP: what has an idempotency key, once. */
  readonly answerOnce: AnswerOnce;
  /** Charges for credentials that are not good. */
  readonly authenticate: Authenticate;
  readonly budgets: Budgets | undefined;
  readonly caches: Caches | undefined;
  /** Headers by which answers that are kept differ. */
  readonly varyingHeaders: readonly string[];
  readonly streams: StreamDoors;
  readonly mounts: Mounts;
  readonly maintenance: Maintenance;
  readonly limits: EdgeLimits;
  readonly isProxy: InNetworks | undefined;
  /** By which subgraphs check who asks; undefined where they share a key. */
  readonly identityKeys: object | undefined;
  readonly health: () => HealthState;
  /** What the internal listener tells of health beside it, by name. */
  readonly reports: Readonly<Record<string, () => object>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What both listeners do with requests and upgrades, made when they open. */
export function buildRequestHandlers(config: ResolvedGatewayConfig, parts: RequestHandlersParts): ListenerHandlers {
  const { server, cache, graphql } = config;
  const { pipeline, caches, streams, maintenance, health, clock, logger } = parts;
  const codings = createCodings(server.compression);
  const overHttp = {
    authenticate: parts.authenticate,
    challenges: challengesOf(config.auth),
    answerOnce: parts.answerOnce,
    budgets: parts.budgets,
    compress: createCompress(codings),
    toCachedReply: createCachedReply({ ...cache, codings, varyingHeaders: parts.varyingHeaders, clock }),
    logger,
    maxBodyBytes: server.maxBodyBytes,
    maxJsonDepth: maxJsonDepthOf(config),
  };
  const targets = caches?.responses && createKnownTargets(cache);
  const handler = createPublicHandler({
    maxUrlBytes: server.maxUrlBytes,
    targets,
    graphql: createGraphqlHandler({
      ...overHttp,
      maxBatchedOperations: graphql.maxBatchedOperations,
      pipeline,
      targets,
      stream: createStreamHandler({ ...overHttp, ...streams.overHttp, maxBatchedOperations: graphql.maxBatchedOperations }),
    }),
    health: createHealthHandler(health),
    ...(graphql.graphiql ? { pages: createGraphiqlHandler(join(packageRoot, 'dist', 'studio')) } : {}),
    mounts: parts.mounts,
    maintenance,
    logger,
  });
  const secured = withTransportSecurity(withCors(handler, server.cors), server, parts.isProxy, parts.mounts.isHealth);
  return {
    limits: parts.limits,
    upgrade: streams.upgrade,
    public: Object.assign(secured, { toRefusal: handler.toRefusal }),
    internal: createInternalHandler({
      health: createHealthHandler(health, parts.reports),
      services: buildServiceDoor(config, { overHttp, pipeline, streams, maintenance, clock }),
      switchMaintenance: config.maintenance.key === undefined ? undefined : createMaintenanceSwitch(maintenance, config.maintenance.key),
      identityKeys: parts.identityKeys,
      requireTrustedPath: createTrustedPathCheck(parts.isProxy),
      requireServicePath: createServicePathCheck(parts.isProxy),
      invalidateCache:
        caches === undefined || cache.invalidationKey === undefined
          ? undefined
          : createCacheInvalidation({ invalidate: caches.invalidate, key: cache.invalidationKey }),
      logger,
    }),
  };
}

/** The request object, its variables, and room for what else a request may carry. @unit levels */
export function maxJsonDepthOf({ graphql }: Pick<ResolvedGatewayConfig, 'graphql'>): number {
  return Math.max(MIN_JSON_DEPTH, graphql.maxVariableDepth + 2);
}

/** Deepest JSON of a request where the configuration asks for no more. @unit levels */
const MIN_JSON_DEPTH = 64;
