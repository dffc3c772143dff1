import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../../gateway/platform/errors.ts';
import { readLastEventId } from '../../gateway/platform/http/request/event-id.ts';
import { createNegotiator } from '../../gateway/platform/http/request/negotiate.ts';
import type { NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { NO_FIELDS } from '../compile/result/field-mask.ts';
import { toRestError } from '../errors/operation-error.ts';
import { acceptsNothing } from '../request/negotiation/content-negotiation.ts';
import { type BindLimits, bindRequest } from '../request/parameters/bind-request.ts';
import type { AuthorizedRequest, RestRequest } from '../request/request-context.ts';
import { createEventFormat, EVENT_STREAM_TYPE } from '../response/event-format.ts';
import { readResult } from '../response/read-result.ts';
import { REST_VARY } from '../response/response-headers.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { rejectDeniedCaller } from './authorize-request.ts';
import { executeRoute } from './execute-route.ts';

const acceptsEvents = createNegotiator([EVENT_STREAM_TYPE]);

export interface ResourceStreamOptions {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'stream'>;
  readonly logger: Logger;
}

export interface ReadStreamOptions extends BindLimits {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'executeToObject'>;
}

/** Requires that the client accepts events. @throws GatewayError `NOT_ACCEPTABLE` */
function requireEventsAccepted(accept: string | undefined): void {
  if (acceptsNothing(accept) || acceptsEvents(accept) !== undefined) return;
  throw new GatewayError('NOT_ACCEPTABLE', `Events are available only as ${EVENT_STREAM_TYPE}, which the Accept header does not allow.`);
}

/** A validated request for an event stream. */
export interface StreamRequest extends Pick<RestRequest, 'incoming' | 'route' | 'principal' | 'bound' | 'document'> {
  /** Id of the last event that the client has received. @defaultValue none */
  readonly lastEventId: string | undefined;
}

/** Validates a request for events. The caller must also be able to read the resource that the events belong to. @throws GatewayError 4xx */
export async function readStreamRequest(authorized: AuthorizedRequest, options: ReadStreamOptions): Promise<StreamRequest> {
  const { resource, route, principal, table } = authorized;
  const parent = table.streamParents.get(route)?.get(resource.version);
  if (parent !== undefined) rejectDeniedCaller(parent, principal, table.accessOf(parent));
  const stream = bindStream(authorized, options);
  if (parent !== undefined) await checkParent(options, authorized, parent);
  return stream;
}

function bindStream({ incoming, resource, route, principal, table }: AuthorizedRequest, limits: BindLimits): StreamRequest {
  const { headers } = incoming.request;
  requireEventsAccepted(headers.accept);
  const bound = bindRequest(route, { path: resource.match.parameters, query: resource.query, body: undefined, headers }, limits);
  const document = table.documentOf(route, { fields: bound.fields });
  return { incoming, route, principal, bound, document, lastEventId: readLastEventId(headers) };
}

/**
 * Rejects a stream if the caller cannot read its resource, with the status of GET on the resource. A client of server-sent events otherwise
 * reconnects endlessly, because the stream responds with 200 (HTML, section 9.2.3). Reads the state of the resource and charges the caller
 * for it.
 *
 * @param parent GET route of the resource
 * @throws GatewayError as GET of the resource: `UNAUTHENTICATED`, `FORBIDDEN`, `NOT_FOUND`, `RATE_LIMITED`, …
 */
async function checkParent(
  options: ReadStreamOptions,
  { incoming, resource, principal, generation, table }: AuthorizedRequest,
  parent: RestRoute,
): Promise<void> {
  const { headers } = incoming.request;
  const path = resource.match.parameters.slice(0, parent.bindings.path.length);
  const bound = bindRequest(parent, { path, query: new Map(), body: undefined, headers }, options);
  const document = table.documentOf(parent, { fields: NO_FIELDS });
  readResult(await executeRoute(options.gateway, { incoming, route: parent, principal, bound, generation, document }), parent, bound);
}

/**
 * Sends the events of a subscription, each with the resource. HEAD opens no stream and returns only the headers.
 *
 * @returns the response that is sent instead of a stream; undefined if a stream was sent
 * @throws GatewayError if the stream is rejected before any byte is written
 */
export async function sendEvents(
  { gateway, logger }: ResourceStreamOptions,
  { incoming, route, principal, bound, document, lastEventId }: StreamRequest,
): Promise<NamedHttpResponse | undefined> {
  const { request, response, correlationId, signal, responseHeaders } = incoming;
  const { headers } = request;
  const head = {
    'content-type': `${EVENT_STREAM_TYPE}; charset=utf-8`,
    'cache-control': 'no-store',
    vary: REST_VARY,
    // Buffering proxies would delay events.
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
    wantsBookmarks: true,
    document: { prepared: document },
    variables: bound.variables,
    transport: 'rest',
    budget: gateway.budgetOf?.({ principal, headers, remoteAddress }),
    ...(lastEventId === undefined ? {} : { lastEventId }),
  } as const;
  const format = createEventFormat({ route, fields: bound.fields, traceId: correlationId });
  const reported = Object.fromEntries(Object.entries(responseHeaders).map(([name, value]) => [name, String(value)]));
  try {
    await gateway.stream?.(operation, {
      response,
      format,
      headers: { ...reported, ...head, 'x-content-type-options': 'nosniff' },
      toGatewayError: (error) => toStreamFailure(error, logger, correlationId),
    });
    return undefined;
  } catch (error) {
    operation.budget?.writeRateLimitHeaders(responseHeaders);
    throw error instanceof GatewayError ? toRestError(error, route.method) : error;
  }
}

function toStreamFailure(error: unknown, logger: Logger, correlationId: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'An event stream was aborted by an internal error.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}
