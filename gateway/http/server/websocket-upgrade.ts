import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServerResponse as NodeResponse } from '../../platform/http/node-http.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { hangUp, type UpgradeHandler } from '../../platform/http/server/upgrades.ts';
import { expectReading, refuseReservedConnection } from '../../platform/http/limits/edge-limits.ts';
import { guardRawRequest, type RawRequestLimits, toOriginForm } from '../../platform/http/request/raw-request-guard.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';
import { logRejection } from '../../platform/log-rejection.ts';
import type { LogSampler } from '../../platform/log-sampler.ts';
import type { Logger } from '../../platform/logger.ts';
import type { AcceptSocket } from '../../subscriptions/transports/graphql-transport-ws.ts';
import { toHttpErrorResponse } from '../graphql/http-response.ts';
import { toGatewayError } from '../plain-response.ts';

export interface UpgradeHandlerOptions extends RawRequestLimits {
  readonly accept: AcceptSocket;
  /** Called when an upgrade arrives. @defaultValue upgrades are not recorded */
  readonly record?: RecordUpgrade | undefined;
  readonly logger: Logger;
  readonly sampler: LogSampler;
}

/** Begins the record of an upgrade. Returns the function that is called with the response if the upgrade is rejected. */
export type RecordUpgrade = (request: IncomingMessage) => (response: ServerResponse) => void;

/** Matches when WebSocket is one of the offered protocols (RFC 9110, section 7.8). */
const WEBSOCKET = /(?:^|,)[ \t]*websocket[ \t]*(?:,|$)/i;

/** Creates the handler of WebSocket upgrades on `/graphql`. Offers of other protocols are ignored, as HTTP allows. */
export function createUpgradeHandler({ accept, record, logger, sampler, ...limits }: UpgradeHandlerOptions): UpgradeHandler {
  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const correlationId = readCorrelationId(request.headers);
    const onRejected = record?.(request);
    try {
      refuseReservedConnection(request);
      guardRawRequest(request, limits);
      await accept(request, socket, head);
    } catch (error) {
      const { origin } = request.headers;
      logRejection(sampler, error, { caller: origin === undefined ? 'client' : 'web page', origin });
      if (socket.destroyed) return;
      const response = createResponse(request, socket);
      onRejected?.(response);
      const httpResponse = toHttpErrorResponse(
        toGatewayError(error, logger, correlationId),
        'application/graphql-response+json',
        correlationId,
      );
      response.setHeader(CORRELATION_ID_HEADER, correlationId);
      sendResponse(request, response, httpResponse);
    }
  }

  return {
    wants({ url, headers }) {
      return WEBSOCKET.test(headers.upgrade ?? '') && isGraphql(toOriginForm(url ?? '', headers.host));
    },
    take(request, socket, head) {
      // The WebSocket handshake accepts only the origin form and a lowercase `Upgrade` header.
      request.url = toOriginForm(request.url ?? '', request.headers.host);
      request.headers.upgrade = 'websocket';
      void open(request, socket, head);
    },
  };
}

function isGraphql(target: string): boolean {
  return target === '/graphql' || target.startsWith('/graphql?');
}

/** Creates a response over HTTP, which the connection uses until the handshake is complete. The connection is closed after it. */
function createResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new NodeResponse(request);
  response.assignSocket(socket as Socket);
  response.shouldKeepAlive = false;
  // The HTTP server no longer manages this connection, so its timeouts do not close it.
  const endDeadline = expectReading(request);
  socket.once('close', endDeadline);
  response.once('finish', () => {
    endDeadline();
    hangUp(socket);
  });
  return response;
}
