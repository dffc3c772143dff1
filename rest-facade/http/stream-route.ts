import type { PreparedDocument } from '../../gateway/index.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../../gateway/platform/errors.ts';
import { readLastEventId } from '../../gateway/platform/http/request/event-id.ts';
import { createNegotiator } from '../../gateway/platform/http/request/negotiate.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { toRefusal } from '../errors/execution-failure.ts';
import type { RouteTable } from '../mapping/compile-route-table.ts';
import { type BindLimits, type BoundRequest, bindRequest } from '../request/bind-request.ts';
import { asksForNothing } from '../request/read-accept.ts';
import { EVENT_STREAM_TYPE, createEventFormat } from '../response/event-format.ts';
import { VARY } from '../response/vary.ts';
import type { RestGateway } from '../rest-gateway.ts';
import type { AdmittedRequest } from './admitted-request.ts';

const acceptsEvents = createNegotiator([EVENT_STREAM_TYPE]);

export interface StreamRouteOptions {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'stream'>;
  readonly logger: Logger;
}

/** @throws GatewayError `NOT_ACCEPTABLE` where the client takes no events */
function requireEventsAccepted(accept: string | undefined): void {
  if (asksForNothing(accept) || acceptsEvents(accept) !== undefined) return;
  throw new GatewayError('NOT_ACCEPTABLE', `Events come as ${EVENT_STREAM_TYPE}; the Accept header does not want it.`);
}

/** A request for events, understood. */
export interface StreamedRequest extends Pick<AdmittedRequest, 'incoming' | 'route' | 'principal'> {
  readonly bound: BoundRequest;
  readonly document: PreparedDocument;
  /** The last event that the client has seen. @defaultValue none */
  readonly lastEventId: string | undefined;
}

/** Reads all that a request for events says. @throws GatewayError 4xx */
export function bindStream(
  { incoming, resource, route, principal }: Omit<AdmittedRequest, 'target' | 'generation'>,
  table: Pick<RouteTable, 'documentOf'>,
  limits: BindLimits,
): StreamedRequest {
  const { headers } = incoming.request;
  requireEventsAccepted(headers.accept);
  const bound = bindRequest(route, { path: resource.match.parameters, query: resource.query, body: undefined, headers }, limits);
  const document = table.documentOf(route, { fields: bound.fields });
  return { incoming, route, principal, bound, document, lastEventId: readLastEventId(headers) };
}

/**
 * Sends the events of a subscription, the resource in each. HEAD opens no stream: there is nothing that it could be spared.
 *
 * @returns what is sent in place of a stream; undefined where one was sent
 * @throws GatewayError where the stream is refused, before anything of it is written
 */
export async function streamRoute(
  { gateway, logger }: StreamRouteOptions,
  { incoming, route, principal, bound, document, lastEventId }: StreamedRequest,
): Promise<NamedReply | undefined> {
  const { request, response, correlationId, signal, replyHeaders } = incoming;
  const { headers } = request;
  const head = {
    'content-type': `${EVENT_STREAM_TYPE}; charset=utf-8`,
    'cache-control': 'no-store',
    vary: VARY,
    // Proxies that gather answers would keep events back.
    'x-accel-buffering': 'no',
  };
  if (request.method === 'HEAD') return { status: 200, headers: head, body: '', isEndless: true };
  const remoteAddress = request.socket.remoteAddress ?? '';
  const operation = {
    principal,
    headers,
    correlationId,
    remoteAddress,
    signal,
    wantsMarks: true,
    document: { prepared: document },
    variables: bound.variables,
    door: 'rest',
    budget: gateway.budgetOf?.({ principal, headers, remoteAddress }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
  } as const;
  const format = createEventFormat({ route, fields: bound.fields, traceId: correlationId });
  const told = Object.fromEntries(Object.entries(replyHeaders).map(([name, value]) => [name, String(value)]));
  try {
    await gateway.stream?.(operation, {
      response,
      format,
      headers: { ...told, ...head, 'x-content-type-options': 'nosniff' },
      toRefusal: (error) => toStreamFailure(error, logger, correlationId),
    });
    return undefined;
  } catch (error) {
    operation.budget?.tell(replyHeaders);
    throw error instanceof GatewayError ? toRefusal(error, route.method) : error;
  }
}

function toStreamFailure(error: unknown, logger: Logger, correlationId: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'A stream of events broke off.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}
