import type { GenerationHandle, PreparedDocument, Principal } from '../../gateway/index.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../../gateway/platform/errors.ts';
import { readLastEventId } from '../../gateway/platform/http/event-id.ts';
import { createNegotiator } from '../../gateway/platform/http/negotiate.ts';
import type { NamedReply } from '../../gateway/platform/http/send-reply.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { NO_FIELDS } from '../compile/result/field-mask.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { toRestError } from '../errors/operation-error.ts';
import type { LocatedResource } from '../request/negotiation/choose-version.ts';
import { asksForNothing } from '../request/negotiation/content-negotiation.ts';
import { type BindLimits, bindRequest, type BoundRequest } from '../request/parameters/bind-request.ts';
import type { AuthorizedRequest, IncomingRestRequest } from '../request/request-context.ts';
import { createEventFormat, EVENT_STREAM_TYPE } from '../response/event-format.ts';
import { readResult } from '../response/read-result.ts';
import { REST_VARY } from '../response/response-headers.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { executeRoute } from './execute-route.ts';

const acceptsEvents = createNegotiator([EVENT_STREAM_TYPE]);

export interface ResourceStreamOptions {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'stream'>;
  readonly logger: Logger;
}

/** @throws GatewayError `NOT_ACCEPTABLE` where the client takes no events */
function requireEventsAccepted(accept: string | undefined): void {
  if (asksForNothing(accept) || acceptsEvents(accept) !== undefined) return;
  throw new GatewayError('NOT_ACCEPTABLE', `Events come as ${EVENT_STREAM_TYPE}; the Accept header does not want it.`);
}

/** A request for events, understood. */
export interface StreamedRequest extends Pick<AuthorizedRequest, 'incoming' | 'route' | 'principal'> {
  readonly bound: BoundRequest;
  readonly document: PreparedDocument;
  /** The last event that the client has seen. @defaultValue none */
  readonly lastEventId: string | undefined;
}

/** Reads all that a request for events says. @throws GatewayError 4xx */
export function readStreamRequest(
  { incoming, resource, route, principal }: Omit<AuthorizedRequest, 'target' | 'generation'>,
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
export async function sendEvents(
  { gateway, logger }: ResourceStreamOptions,
  { incoming, route, principal, bound, document, lastEventId }: StreamedRequest,
): Promise<NamedReply | undefined> {
  const { request, response, correlationId, signal, replyHeaders } = incoming;
  const { headers } = request;
  const head = {
    'content-type': `${EVENT_STREAM_TYPE}; charset=utf-8`,
    'cache-control': 'no-store',
    vary: REST_VARY,
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
    throw error instanceof GatewayError ? toRestError(error, route.method) : error;
  }
}

function toStreamFailure(error: unknown, logger: Logger, correlationId: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'A stream of events broke off.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}

export interface CheckStreamParentOptions extends BindLimits {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'run'>;
}

interface StreamRequest {
  readonly incoming: IncomingRestRequest;
  readonly resource: LocatedResource;
  /** Reads the resource whose events the client wants. */
  readonly parent: RestRoute;
  readonly principal: Principal;
  readonly generation: GenerationHandle;
}

/**
 * Refuses a stream whose resource the caller cannot read, with the status that GET of the resource has: a client of server-sent
 * events reconnects for ever to a stream that answers 200 (HTML, section 9.2.3). Reads the state of the resource, and pays for that.
 *
 * @throws GatewayError as GET of the resource does: `UNAUTHENTICATED`, `FORBIDDEN`, `NOT_FOUND`, `RATE_LIMITED`, …
 */
export async function checkStreamParent(
  options: CheckStreamParentOptions,
  { incoming, resource, parent, principal, generation }: StreamRequest,
  table: Pick<RouteTable, 'documentOf'>,
): Promise<void> {
  const { headers } = incoming.request;
  const path = resource.match.parameters.slice(0, parent.bindings.path.length);
  const bound = bindRequest(parent, { path, query: new Map(), body: undefined, headers }, options);
  const document = table.documentOf(parent, { fields: NO_FIELDS });
  readResult(await executeRoute(options.gateway, { incoming, route: parent, principal, bound, generation, document }), parent, bound);
}
