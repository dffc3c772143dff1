import type { Authenticator } from './auth/authenticator.ts';
import type { Authenticate } from './budget/charge-failed-logins.ts';
import type { ResolvedGatewayConfig } from './config/resolve-gateway-config.ts';
import type { AnswerOnce } from './http/answer-once.ts';
import { checkParameters } from './http/graphql-parameters.ts';
import type { Maintenance } from './http/maintenance.ts';
import type { StreamHandlerOptions } from './http/stream-handler.ts';
import { createIsSecure, tlsRequired } from './http/transport.ts';
import { createUpgradeHandler } from './http/upgrade-handler.ts';
import { type AnswerOrStream, createAnswerOrStream } from './pipeline/answer-or-stream.ts';
import type { Subscribe, SubscriptionRequest } from './pipeline/event-stream.ts';
import type { Pipeline } from './pipeline/run-operation.ts';
import type { Clock } from './platform/clock.ts';
import { clientAddressOf, networkOf } from './platform/http/request/client-address.ts';
import type { EdgeLimits } from './platform/http/limits/edge-limits.ts';
import { createWriteDeadlines } from './platform/http/limits/write-deadlines.ts';
import type { InNetworks } from './platform/http/request/client-address.ts';
import type { UpgradeHandler } from './platform/http/server/upgrades.ts';
import type { Logger } from './platform/logger.ts';
import type { RequestHeaders } from './platform/request-headers.ts';
import { createAdmission } from './subscriptions/admission.ts';
import { createRightsCheck } from './subscriptions/permissions.ts';
import { type Connections, createConnections } from './subscriptions/connections.ts';
import { createOriginCheck } from './subscriptions/origin-check.ts';
import { rightsOf } from './subscriptions/permissions.ts';
import { type StreamDelivery, type StreamSenderOptions, createStreamSender } from './subscriptions/stream-sender.ts';
import { createTransportWs } from './subscriptions/transports/graphql-transport-ws.ts';

/** The doors by which clients are sent events. */
export interface StreamDoors {
  /** Everything that is open, to be drained. */
  readonly connections: Connections;
  /** WebSockets; absent where they are switched off. */
  readonly upgrade: UpgradeHandler | undefined;
  /** A stream for a door of another part of the product. @throws GatewayError before anything of it is written */
  readonly openStream: (request: SubscriptionRequest, delivery: StreamDelivery) => Promise<void>;
  /** What streams over HTTP need beyond what all of `/graphql` does. */
  readonly overHttp: Pick<StreamHandlerOptions, 'answer' | 'sender'>;
  /** By which streams over HTTP are sent, for a door with places of its own. */
  readonly sending: Omit<StreamSenderOptions, 'admission'>;
}

export interface StreamDoorsParts {
  readonly pipeline: Pick<Pipeline, 'run' | 'kindOf'>;
  /** Runs what comes over HTTP: what has an idempotency key, once. */
  readonly answerOnce: AnswerOnce;
  readonly subscribe: Subscribe;
  /** Charges for credentials that are not good. */
  readonly authenticate: Authenticate;
  /** Does not: the client has not tried anything. */
  readonly authenticateAgain: Authenticator;
  readonly isProxy: InNetworks | undefined;
  readonly maintenance: Maintenance;
  /** Receives an event for each client that is cut because it does not read. */
  readonly report: EdgeLimits['report'];
  /** Deepest JSON of a request. @unit levels */
  readonly maxJsonDepth: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function buildStreamDoors({ server, subscriptions }: ResolvedGatewayConfig, parts: StreamDoorsParts): StreamDoors {
  const { pipeline, answerOnce, subscribe, authenticate, isProxy, maintenance, clock, logger } = parts;
  const { websocket, ...settings } = subscriptions;
  const connections = createConnections({ drainWindowMs: settings.drainWindowMs, clock });
  const admission = createAdmission({ ...settings, maxUnacknowledged: websocket.maxUnacknowledged });
  const answerOrStream = createAnswerOrStream(pipeline, subscribe);
  const checkRights = createRightsCheck(parts.authenticateAgain);
  const isSecure = createIsSecure(isProxy);
  const shared = { connections, checkRights, clock, ...settings };

  /** On sockets that were open before maintenance began. */
  const answerOnSocket: AnswerOrStream = (request, beforeStream) => {
    if (!maintenance.isOn) return answerOrStream(request, beforeStream);
    return Promise.resolve().then(() => {
      maintenance.check();
      return answerOrStream(request, beforeStream);
    });
  };

  function networkOfClient(remoteAddress: string, headers: RequestHeaders): string {
    return networkOf(clientAddressOf(remoteAddress, headers, isProxy));
  }

  function openWebSockets(): UpgradeHandler {
    const accept = createTransportWs({
      connections,
      admission,
      maxMessageBytes: websocket.maxMessageBytes,
      isOriginAllowed: createOriginCheck(server.cors.origins),
      networkOf: networkOfClient,
      sessions: {
        ...websocket,
        ...shared,
        answer: answerOnSocket,
        authenticate,
        readRequest: (parameters) => checkParameters(parameters),
        rate: { perSecond: websocket.messagesPerSecond, burst: websocket.messageBurst },
        maxMessageDepth: parts.maxJsonDepth + 1,
        logger,
      },
    });
    return createUpgradeHandler({
      maxUrlBytes: server.maxUrlBytes,
      accept(request, socket, head) {
        maintenance.check();
        if (server.requireTls && !isSecure(request)) throw tlsRequired();
        return accept(request, socket, head);
      },
      logger,
    });
  }

  const answer = createAnswerOrStream({ kindOf: pipeline.kindOf, run: answerOnce }, subscribe);
  const deadlines = createWriteDeadlines(Math.min(websocket.stallTimeoutMs, server.writeTimeoutMs), parts.report);
  const sending = { networkOf: networkOfClient, streams: { ...shared, deadlines } };
  const sender = createStreamSender({ ...sending, admission });

  async function openStream(request: SubscriptionRequest, delivery: StreamDelivery): Promise<void> {
    maintenance.check();
    const { principal, headers, remoteAddress = '', budget, correlationId: requestId } = request;
    const rights = rightsOf(principal, headers);
    const caller = { rights, remoteAddress, budget, requestId };
    sender.takePlace(caller, delivery.response);
    await sender.send(await subscribe({ ...request, expiresAt: () => rights.expiresAt }), caller, delivery);
  }

  return {
    connections,
    openStream,
    upgrade: websocket.enabled ? openWebSockets() : undefined,
    overHttp: { answer, sender },
    sending,
  };
}
