import { setTimeout as delay } from 'node:timers/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { publicKeysOf, readIdentityKey } from '../config/identity-key.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { withCors } from '../http/server/cors.ts';
import { createGraphiqlHandler } from '../http/server/graphiql.ts';
import { createGraphiqlSession } from '../http/server/graphiql-session.ts';
import { writeStartingQuery } from '../http/server/starting-query.ts';
import { createHealthHandler, type HealthReport, type HealthState, reportReadiness } from '../http/internal/health.ts';
import { createInternalHandler } from '../http/internal/internal-handler.ts';
import { type Listeners, openListeners } from '../http/server/listeners.ts';
import { createMaintenance, createMaintenanceSwitch } from '../http/internal/maintenance.ts';
import { callNodeListener, createMounts, type MountedHandler } from '../http/server/mounts.ts';
import { createPublicHandler } from '../http/server/public-handler.ts';
import { createServicePathCheck, createTrustedPathCheck, withTransportSecurity } from '../http/server/transport-security.ts';
import { systemClock } from '../platform/clock.ts';
import { createEdgeLimits } from '../platform/http/limits/edge-limits.ts';
import { compileNetworks } from '../platform/http/request/client-address.ts';
import { createLogSampler } from '../platform/log-sampler.ts';
import type { Logger } from '../platform/logger.ts';
import { packageRoot } from '../platform/package-root.ts';

/** Listeners in front of an application, and their health. */
export interface StockListeners extends AsyncDisposable {
  readonly health: () => HealthReport;
  /**
   * Opens both listeners or neither.
   *
   * @param application handles `/graphql`
   * @param facade handles every path that the gateway does not serve itself, with the same application. @defaultValue none
   * @throws ListenFailure when a port cannot be used
   */
  listen(application: RequestListener, facade?: MountedHandler): Promise<Pick<Listeners, 'url' | 'internalUrl'>>;
}

/**
 * Creates the gateway's listeners for another application, with limits on connections and bytes, TLS, CORS, the guard of raw requests,
 * health, pages and maintenance. The internal listener has no endpoint for services and none for cache invalidation.
 */
export function createStockListeners(config: ResolvedGatewayConfig, schema: GraphQLSchema, logger: Logger): StockListeners {
  const { server, graphql } = config;
  // This engine enforces no rules of the supergraph, so it rejects no field.
  const startingQuery = (): string | undefined => writeStartingQuery(schema, () => true);
  const isProxy = compileNetworks(server.trustedProxies);
  const maintenance = createMaintenance(config.maintenance, logger);
  const mounts = createMounts();
  let isDraining = false;
  let listeners: Listeners | undefined;
  const state = (): HealthState => ({ hasSupergraph: true, isDraining });

  return {
    health: () => reportReadiness(state()),
    async listen(application, facade) {
      if (facade !== undefined) mounts.add(facade);
      const handler = createPublicHandler({
        maxUrlBytes: server.maxUrlBytes,
        async graphql(request, response) {
          callNodeListener(application, request, response);
        },
        health: createHealthHandler(state),
        ...(graphql.graphiql
          ? { pages: createGraphiqlHandler(join(packageRoot, 'dist', 'studio'), createGraphiqlSession({ config, startingQuery })) }
          : {}),
        mounts,
        maintenance,
        logger,
      });
      const sampler = createLogSampler({ logger, clock: systemClock });
      const secured = withTransportSecurity(withCors(handler, server.cors, sampler), server, isProxy, mounts.isHealth);
      const { key } = config.maintenance;
      listeners = await openListeners(
        server,
        {
          limits: createEdgeLimits({ settings: server, isProxy, logger, clock: systemClock }),
          public: Object.assign(secured, { toErrorResponse: handler.toErrorResponse }),
          internal: createInternalHandler({
            health: createHealthHandler(state),
            switchMaintenance: key === undefined ? undefined : createMaintenanceSwitch(maintenance, key),
            identityKeys: publicKeysOf(readIdentityKey(config.identity)),
            requireTrustedPath: createTrustedPathCheck(isProxy),
            requireServicePath: createServicePathCheck(isProxy),
            logger,
          }),
        },
        logger,
      );
      return listeners;
    },
    async [Symbol.asyncDispose]() {
      isDraining = true;
      const { lameDuckMs } = server.shutdown;
      if (listeners !== undefined && lameDuckMs > 0) {
        listeners.announceEnd();
        await delay(lameDuckMs);
      }
      await listeners?.drain(server.drainTimeoutMs);
      await maintenance[Symbol.asyncDispose]();
    },
  };
}
