import { join } from 'node:path';
import { challengesOf } from '../auth/authentication-errors.ts';
import { publicKeysOf } from '../config/identity-key.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { createCachedHttpResponse } from '../http/graphql/cached-http-response.ts';
import { createGraphqlHandler } from '../http/graphql/graphql-handler.ts';
import { createRequestMemos, NO_REQUEST_MEMOS } from '../http/graphql/request-memos.ts';
import { createCacheInvalidation } from '../http/internal/cache-invalidation.ts';
import { createHealthHandler } from '../http/internal/health.ts';
import { createInternalHandler } from '../http/internal/internal-handler.ts';
import type { PrintedMetrics } from '../http/internal/metrics.ts';
import { createMaintenanceSwitch } from '../http/internal/maintenance.ts';
import { createReloadableCors } from '../http/server/cors.ts';
import { createGraphiqlHandler } from '../http/server/graphiql.ts';
import { createGraphiqlSession, createStartingQuery } from '../http/server/graphiql-session.ts';
import type { RequestHandlers } from '../http/server/embedded-handler.ts';
import type { Mounts } from '../http/server/mounts.ts';
import { createPublicHandler } from '../http/server/public-handler.ts';
import { createServicePathCheck, createTrustedPathCheck, withTransportSecurity } from '../http/server/transport-security.ts';
import { createCodings, createCompress } from '../platform/http/response/compress.ts';
import { packageRoot } from '../platform/package-root.ts';
import { PROMETHEUS_TYPE, toPrometheusText } from '../telemetry/metrics/prometheus-text.ts';
import type { Recording } from '../telemetry/recording/recording.ts';
import { isServiceRequest, recordRequests } from '../telemetry/recording/record-requests.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import type { Readiness } from './readiness.ts';
import { buildServiceEndpoint } from './service-endpoint.ts';
import { maxJsonDepthOf, type StreamTransports } from './stream-transports.ts';

export interface RequestHandlersDependencies {
  readonly foundation: Foundation;
  readonly engine: Engine;
  readonly streams: StreamTransports;
  readonly mounts: Mounts;
  readonly readiness: Readiness;
  /** Reports of the internal listener in addition to its health, by name. */
  readonly reports: Readonly<Record<string, () => object>>;
}

/** Builds the handlers for requests and upgrades of both listeners. Called when they open, or when a server of the application is attached. */
export function buildRequestHandlers(config: ResolvedGatewayConfig, dependencies: RequestHandlersDependencies): RequestHandlers {
  const { server, cache, graphql } = config;
  const { foundation, engine, streams, mounts, readiness } = dependencies;
  const { caches, maintenance, isProxy, limits, clock, logger, hooks, recording } = foundation;
  const codings = createCodings(server.compression);
  const endpoint = {
    challenges: challengesOf(config.auth),
    compress: createCompress(codings),
    toCachedHttpResponse: createCachedHttpResponse({ ...cache, codings, varyingHeaders: foundation.varying, clock }),
    maxBodyBytes: server.maxBodyBytes,
    maxJsonDepth: maxJsonDepthOf(config),
    maxBatchedOperations: graphql.maxBatchedOperations,
    hasResponseHeaders: hooks?.onResponse !== undefined,
    logger,
  };
  const targets = caches?.responses === undefined || hooks?.onOperation !== undefined ? NO_REQUEST_MEMOS : createRequestMemos(cache);
  const handler = createPublicHandler({
    maxUrlBytes: server.maxUrlBytes,
    targets,
    graphql: createGraphqlHandler({
      ...endpoint,
      pipeline: engine.httpPipeline,
      authenticate: foundation.authenticate,
      budgets: foundation.budgets,
      targets,
      sender: streams.sender,
    }),
    health: createHealthHandler(readiness.state),
    ...(graphql.graphiql
      ? {
          pages: createGraphiqlHandler(
            join(packageRoot, 'dist', 'studio'),
            createGraphiqlSession({ config, startingQuery: createStartingQuery(foundation.generations) }),
          ),
        }
      : {}),
    mounts,
    maintenance,
    ...(server.overload.enabled ? { shedding: foundation.shedding } : {}),
    logger,
  });
  const cors = createReloadableCors(handler, server.cors, foundation.sampler);
  foundation.settings.onReload((reloaded) => cors.reload(reloaded.server.cors));
  const secured = withTransportSecurity(cors.listener, server, isProxy, mounts.isHealth);
  const internal = createInternalHandler({
    health: createHealthHandler(readiness.state, { details: readiness.details, reports: dependencies.reports }),
    services: buildServiceEndpoint(config, {
      endpoint,
      pipeline: engine.httpPipeline,
      budgets: foundation.budgets,
      senderOptions: streams.senderOptions,
      maintenance,
      clock,
    }),
    metrics: printMetricsOf(config, recording),
    switchMaintenance: config.maintenance.key === undefined ? undefined : createMaintenanceSwitch(maintenance, config.maintenance.key),
    identityKeys: publicKeysOf(foundation.identityKey),
    requireTrustedPath: createTrustedPathCheck(isProxy),
    requireServicePath: createServicePathCheck(isProxy),
    invalidateCache:
      caches === undefined || cache.invalidationKey === undefined
        ? undefined
        : createCacheInvalidation({ invalidate: caches.invalidate, key: cache.invalidationKey }),
    logger,
  });
  const respond = recording === undefined ? secured : recordRequests(secured, recording);
  const respondInternally = recording === undefined ? internal : recordRequests(internal, recording, isServiceRequest);
  return {
    limits,
    upgrade: streams.upgrade,
    public: Object.assign(respond, {
      toErrorResponse: handler.toErrorResponse,
      serves: handler.serves,
      plain: server.plainReader ? { serve: respond, isServed: handler.isServedPlain } : undefined,
    }),
    internal: Object.assign(respondInternally, { toErrorResponse: internal.toErrorResponse }),
  };
}

/** Returns the function that prints metrics for Prometheus. Undefined when they are not served. */
function printMetricsOf({ telemetry }: ResolvedGatewayConfig, recording: Recording | undefined): (() => PrintedMetrics) | undefined {
  const metrics = recording?.metrics;
  if (!telemetry.metrics.prometheus || metrics === undefined) return undefined;
  return () => ({ contentType: PROMETHEUS_TYPE, text: toPrometheusText(metrics.collect(), telemetry.serviceName) });
}
