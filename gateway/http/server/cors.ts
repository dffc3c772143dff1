import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse, ServeRequest } from '../../platform/http/response/outgoing-response.ts';
import type { CorsConfig } from '../../config/sections/cors.ts';
import type { LogSampler } from '../../platform/log-sampler.ts';
import { compileAllowedOrigins, isOwnOrigin, shortOrigin } from '../../platform/http/request/allowed-origins.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { onHead } from '../../platform/http/response/on-head.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';

type Headers = Readonly<Record<string, string>>;

/** Methods that preflight responses allow, by kind of path. */
const GRAPHQL_METHODS = 'GET, HEAD, POST';
const RESOURCE_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** Configured origins and headers, with resolved defaults. */
export type CorsSettings = CorsConfig & { readonly localPages: boolean };

/**
 * Allows web pages of the configured origins to read responses (Fetch standard, section 3.3). Origins are compared exactly, except those of
 * local pages, and pages of other origins get no CORS headers. The gateway never sends `*`, only the origin of the request. Pages of other
 * origins are logged, because only their browsers know why a request failed.
 */
export function withCors(handler: ServeRequest, config: CorsSettings, sampler: LogSampler): ServeRequest {
  const isAllowed = compileAllowedOrigins(config);
  // Shared caches are in front of gateways with listed origins, not of a gateway for local pages on the machine of a developer.
  const isVarying = config.origins.length > 0;
  const listed = new Set(config.origins);
  const credentials: Headers = config.credentials ? { 'access-control-allow-credentials': 'true' } : {};
  const exposed: Headers = config.exposedHeaders.length === 0 ? {} : { 'access-control-expose-headers': config.exposedHeaders.join(', ') };
  const preflight: Headers = {
    'access-control-allow-headers': config.allowedHeaders.join(', '),
    'access-control-max-age': String(config.maxAgeSeconds),
  };
  const exposedEntries = Object.entries(exposed);

  /** A local page can be of any program on the machine, so browsers send credentials only for listed origins. */
  function credentialsFor(origin: string): Headers {
    return listed.has(origin) ? credentials : NO_HEADERS;
  }

  function allow(response: OutgoingResponse, origin: string): void {
    response.setHeader('access-control-allow-origin', origin);
    for (const [name, value] of Object.entries(credentialsFor(origin))) response.setHeader(name, value);
    for (const [name, value] of exposedEntries) response.setHeader(name, value);
  }

  function respondToPreflight(request: ReceivedRequest, response: OutgoingResponse, origin: string): void {
    const headers = {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': (request.url ?? '').startsWith('/graphql') ? GRAPHQL_METHODS : RESOURCE_METHODS,
      ...preflight,
      ...credentialsFor(origin),
      vary: 'Origin',
      [CORRELATION_ID_HEADER]: readCorrelationId(request.headers),
    };
    sendResponse(request, response, { status: 204, headers, body: '' });
  }

  function logForeign({ method }: ReceivedRequest, origin: string): void {
    const message = 'A web page of another origin cannot read the response. The setting server.cors.origins decides.';
    sampler.warn('server.cors.origins', message, () => ({
      setting: 'server.cors.origins',
      caller: 'web page',
      origin: shortOrigin(origin),
      method,
    }));
  }

  return (request, response) => {
    const { origin, host } = request.headers;
    if (origin === undefined) {
      if (isVarying) onHead(response, addVary);
    } else if (isAllowed(origin)) {
      if (isPreflight(request)) return respondToPreflight(request, response, origin);
      onHead(response, addVary);
      allow(response, origin);
    } else {
      // Other origins get `Vary` too: a cache must not serve them a response with CORS headers, or serve an allowed origin one without.
      if (isVarying) onHead(response, addVary);
      if (!isOwnOrigin(origin, host)) logForeign(request, origin);
    }
    handler(request, response);
  };
}

/** CORS whose settings can be reloaded. Each request is handled with the settings of its beginning. */
export interface ReloadableCors {
  readonly listener: ServeRequest;
  reload(config: CorsSettings): void;
}

export function createReloadableCors(handler: ServeRequest, config: CorsSettings, sampler: LogSampler): ReloadableCors {
  let listener = withCors(handler, config, sampler);
  return {
    listener: (request, response) => listener(request, response),
    reload(next) {
      listener = withCors(handler, next, sampler);
    },
  };
}

const NO_HEADERS: Headers = {};

/** Whether a request is a CORS preflight request (Fetch standard, section 3.3.2). */
function isPreflight({ method, headers }: ReceivedRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function addVary(response: OutgoingResponse): void {
  const vary = String(response.getHeader('vary') ?? '');
  if (vary === '*' || /(?:^|,)\s*origin\s*(?:,|$)/i.test(vary)) return;
  response.setHeader('vary', vary === '' ? 'Origin' : `${vary}, Origin`);
}
