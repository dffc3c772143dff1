import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { checkParameters } from '../http/graphql/parameters.ts';
import { createIsSecure, tlsRequired } from '../http/server/transport-security.ts';
import { createUpgradeHandler } from '../http/server/websocket-upgrade.ts';
import type { ExecuteOrSubscribe } from '../pipeline/pipeline.ts';
import type { SubscriptionRequest } from '../pipeline/streams/event-stream.ts';
import { createWriteDeadlines } from '../platform/http/limits/write-deadlines.ts';
import { clientAddressOf, networkOf } from '../platform/http/request/client-address.ts';
import type { UpgradeHandler } from '../platform/http/server/upgrades.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { createConnectionAdmission } from '../subscriptions/admission.ts';
import { type ClientConnections, createClientConnections } from '../subscriptions/client-connections.ts';
import { createOriginCheck } from '../subscriptions/origin-check.ts';
import { createPermissionCheck, permissionsOf } from '../subscriptions/permissions.ts';
import { createStreamSender, type StreamDelivery, type StreamSender, type StreamSenderOptions } from '../subscriptions/stream-sender.ts';
import { createTransportWs } from '../subscriptions/transports/graphql-transport-ws.ts';
import { recordUpgrades } from '../telemetry/recording/record-requests.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';

/** Transports for streams of events. */
export interface StreamTransports {
  /** All open connections, which are drained at shutdown. */
  readonly connections: ClientConnections;
  /** Handler of WebSocket upgrades; absent when WebSockets are disabled. */
  readonly upgrade: UpgradeHandler | undefined;
  /** Sends a stream for a transport of another component. @throws GatewayError before any part of it is written */
  readonly openStream: (request: SubscriptionRequest, delivery: StreamDelivery) => Promise<void>;
  /** Sends streams of `/graphql`. */
  readonly sender: StreamSender;
  /** Settings of the sender, for an endpoint with separate limits. */
  readonly senderOptions: Omit<StreamSenderOptions, 'admission'>;
}

export interface StreamTransportsDependencies extends Foundation {
  readonly engine: Pick<Engine, 'pipeline'>;
}

export function buildStreamTransports(config: ResolvedGatewayConfig, dependencies: StreamTransportsDependencies): StreamTransports {
  const { server, subscriptions } = config;
  const { engine, authenticate, isProxy, maintenance, shedding, limits, clock, logger, sampler, recording } = dependencies;
  const { pipeline } = engine;
  const { websocket, ...settings } = subscriptions;
  const connections = createClientConnections({ drainWindowMs: settings.drainWindowMs, clock });
  const admission = createConnectionAdmission({ ...settings, maxUnacknowledged: websocket.maxUnacknowledged });
  // This check is not an attempt of the client, so expired credentials are not charged.
  const checkPermissions = createPermissionCheck(dependencies.authenticateAgain);
  const isSecure = createIsSecure(isProxy);
  const shared = { connections, checkPermissions, clock, ...settings };

  /** Rejects operations on sockets that were open before maintenance or overload began. */
  const executeOrSubscribe: ExecuteOrSubscribe = async (request, toSubscription) => {
    maintenance.check();
    const leave = await shedding.admitOperation();
    try {
      return await pipeline.executeOrSubscribe(request, toSubscription);
    } finally {
      leave();
    }
  };

  let isOriginAllowed = createOriginCheck(server.cors);
  dependencies.settings.onReload((reloaded) => {
    isOriginAllowed = createOriginCheck(reloaded.server.cors);
  });

  function networkOfClient(remoteAddress: string, headers: RequestHeaders): string {
    return networkOf(clientAddressOf(remoteAddress, headers, isProxy));
  }

  function openWebSockets(): UpgradeHandler {
    const accept = createTransportWs({
      connections,
      admission,
      maxMessageBytes: websocket.maxMessageBytes,
      isOriginAllowed: (origin, headers) => isOriginAllowed(origin, headers),
      networkOf: networkOfClient,
      sessions: {
        ...websocket,
        ...shared,
        executeOrSubscribe,
        authenticate,
        readRequest: (parameters) => checkParameters(parameters),
        rate: { perSecond: websocket.messagesPerSecond, burst: websocket.messageBurst },
        maxMessageDepth: maxJsonDepthOf(config) + 1,
        logger,
      },
    });
    return createUpgradeHandler({
      maxUrlBytes: server.maxUrlBytes,
      accept(request, socket, head) {
        maintenance.check();
        shedding.check();
        if (server.requireTls && !isSecure(request)) throw tlsRequired();
        return accept(request, socket, head);
      },
      record: recording && recordUpgrades(recording),
      logger,
      sampler,
    });
  }

  const deadlines = createWriteDeadlines(Math.min(websocket.stallTimeoutMs, server.writeTimeoutMs), limits.report);
  const senderOptions = {
    networkOf: networkOfClient,
    streams: { ...shared, deadlines, onBegin: shedding.exempt },
  };
  const sender = createStreamSender({ ...senderOptions, admission });

  async function openStream(request: SubscriptionRequest, delivery: StreamDelivery): Promise<void> {
    maintenance.check();
    const { principal, headers, remoteAddress = '', budget, correlationId: requestId } = request;
    const permissions = permissionsOf(principal, headers);
    const caller = { permissions, remoteAddress, budget, requestId };
    sender.reserveSlot(caller, delivery.response);
    await sender.send(await pipeline.subscribe({ ...request, expiresAt: () => permissions.expiresAt }), caller, delivery);
  }

  return { connections, openStream, upgrade: websocket.enabled ? openWebSockets() : undefined, sender, senderOptions };
}

/** Returns the maximum nesting depth of a request: the request object, its variables, and other members. @unit levels */
export function maxJsonDepthOf({ graphql }: Pick<ResolvedGatewayConfig, 'graphql'>): number {
  return Math.max(MIN_JSON_DEPTH, graphql.maxVariableDepth + 2);
}

/** Minimum of that depth. @unit levels */
const MIN_JSON_DEPTH = 64;
