import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { GatewayError } from '../../platform/errors.ts';
import { refuseReservedConnection } from '../../platform/http/limits/edge-limits.ts';
import { readBody } from '../../platform/http/request/read-body.ts';
import { type HttpResponse, NO_STORE, sendResponse } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { toGatewayError, toJsonResponse, toPlainErrorResponse } from '../plain-response.ts';
import type { ListenerHandler } from '../server/listeners.ts';
import type { MergedMetrics } from './collect-metrics.ts';
import { forwardedHeaders, forwardRequest } from './forward-request.ts';
import { readHealthOfWorkers, readReportOfWorkers } from './health-of-workers.ts';
import type { MetricFamily } from './prometheus-text.ts';
import { noWorker, requestAllWorkers } from './request-all-workers.ts';
import { requestWorker, type WorkerEndpoint, type WorkerRequest, type WorkerResponse } from './request-worker.ts';

export interface PrimaryHandlerOptions {
  /** Workers that have internal listeners. */
  readonly workers: () => readonly WorkerEndpoint[];
  readonly isDraining: () => boolean;
  readonly metrics: MergedMetrics;
  /** Metrics of the primary. */
  readonly ownMetrics: () => readonly MetricFamily[];
  /** Called with each request that all workers have received, in the order in which they received them. */
  readonly onRequestToAll: (request: Omit<WorkerRequest, 'timeoutMs'>, response: WorkerResponse) => void;
  /** @throws GatewayError `TLS_REQUIRED` for a key that another machine sent without TLS */
  readonly requireTrustedPath: (request: IncomingMessage) => void;
  /** @throws GatewayError `TLS_REQUIRED` for a token that another machine sent without TLS through a proxy */
  readonly requireServicePath: (request: IncomingMessage) => void;
  readonly logger: Logger;
}

const HEALTH_METHODS = 'GET, HEAD, OPTIONS';
/** Maximum size of a body that is sent to all workers. @unit bytes */
const MAX_BODY_BYTES = 65_536;
/** Timeout for the metrics of a worker. @unit milliseconds */
const METRICS_TIMEOUT_MS = 5_000;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const READ_TIMEOUT_MS = 5_000;

/**
 * Creates the handler of the internal listener of the primary process. Health and metrics are combined from all workers. A request of a
 * service is forwarded to one worker. Every other request that changes something, such as maintenance, is sent to all workers.
 */
export function createPrimaryHandler(options: PrimaryHandlerOptions): ListenerHandler {
  const { workers, isDraining, metrics, ownMetrics, onRequestToAll, requireTrustedPath, requireServicePath, logger } = options;
  let turn = 0;
  /** Requests to all workers are sent one after another, so that all workers receive them in the same order. */
  let previous: Promise<unknown> = Promise.resolve();

  /** Selects the next worker that serves requests. @throws GatewayError `OVERLOADED` when no worker does */
  function nextWorker(): WorkerEndpoint {
    const serving = workers().filter(({ isServing }) => isServing);
    turn += 1;
    const worker = serving[turn % Math.max(1, serving.length)];
    if (worker === undefined) throw noWorker();
    return worker;
  }

  async function toHealth(path: string, { method }: IncomingMessage): Promise<HttpResponse> {
    if (method === 'OPTIONS') return { status: 204, headers: { ...NO_STORE, allow: HEALTH_METHODS }, body: '' };
    if (method !== 'GET' && method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Health paths support only GET and HEAD.', { headers: { allow: HEALTH_METHODS } });
    }
    if (path === '/health/live') return toJsonResponse(200, { status: 'ok', checks: {} });
    if (path === '/health' || path === '/health/ready') {
      const { httpStatus, report } = await readHealthOfWorkers(workers(), isDraining());
      return toJsonResponse(httpStatus, report);
    }
    const report = await readReportOfWorkers(workers(), path);
    if (report === undefined) throw notFound();
    return toJsonResponse(200, report);
  }

  async function toMetrics(): Promise<HttpResponse> {
    const sources = workers().map((worker) => toMetricsSource(worker));
    const body = await metrics.collect(sources, ownMetrics());
    if (body === undefined) throw notFound();
    return { status: 200, headers: { ...NO_STORE, 'content-type': METRICS_TYPE }, body };
  }

  async function readFromOne(request: IncomingMessage): Promise<HttpResponse> {
    const { method = 'GET', url = '/' } = request;
    const headers = forwardedHeaders(request.headers);
    const response = await requestWorker(nextWorker(), { method, target: url, headers, timeoutMs: READ_TIMEOUT_MS });
    if (response === undefined) throw noWorker();
    return toHttpResponse(response);
  }

  async function sendToAll(request: IncomingMessage): Promise<HttpResponse> {
    const { method = 'POST', url = '/' } = request;
    const { 'content-encoding': _coding, 'content-length': _length, ...headers } = forwardedHeaders(request.headers);
    const sent = { method, target: url, headers, body: await readBody(request, { maxBytes: MAX_BODY_BYTES }) };
    const sending = previous.then(async () => {
      const response = await requestAllWorkers(workers, sent);
      onRequestToAll(sent, response);
      return response;
    });
    previous = sending.catch(() => {});
    return toHttpResponse(await sending);
  }

  async function respond(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path === '/health' || path.startsWith('/health/')) return sendResponse(request, response, await toHealth(path, request));
    refuseReservedConnection(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/metrics' && isRead) return sendResponse(request, response, await toMetrics());
    if (path === '/graphql') {
      requireServicePath(request);
      return forwardRequest(request, response, nextWorker());
    }
    // The public keys are not secret, and every reader may fetch them.
    if (path !== '/identity/keys') requireTrustedPath(request);
    sendResponse(request, response, await (isRead ? readFromOne(request) : sendToAll(request)));
  }

  const handle: RequestListener = (request, response) => {
    const correlationId = readCorrelationId(request.headers);
    response.setHeader(CORRELATION_ID_HEADER, correlationId);
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    respond(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path, request, response).catch((error: unknown) => {
      sendResponse(request, response, toPlainErrorResponse(toGatewayError(error, logger, correlationId), correlationId));
    });
  };
  return Object.assign(handle, {
    toErrorResponse: (error: GatewayError, request: Pick<IncomingMessage, 'headers'>) =>
      toPlainErrorResponse(error, readCorrelationId(request.headers)),
  });
}

/** Reads the metrics of a worker from its internal listener. */
export function toMetricsSource(worker: WorkerEndpoint): { readonly number: number; collectMetrics(): Promise<string | undefined> } {
  return {
    number: worker.number,
    async collectMetrics() {
      const response = await requestWorker(worker, { method: 'GET', target: '/metrics', timeoutMs: METRICS_TIMEOUT_MS });
      return response?.status === 200 ? response.body : undefined;
    },
  };
}

/** Headers of a worker that are sent to the client. The correlation id is that of the primary. */
function toHttpResponse({ status, headers, body }: WorkerResponse): HttpResponse {
  const { 'content-type': type, 'cache-control': cacheControl = 'no-store', allow, 'www-authenticate': challenge } = headers;
  const sent = { 'cache-control': cacheControl, ...optional('content-type', type), ...optional('allow', allow) };
  return { status, headers: { ...sent, ...optional('www-authenticate', challenge) }, body };
}

function optional(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value };
}

function notFound(): GatewayError {
  return new GatewayError('NOT_FOUND', 'This path does not exist.');
}
