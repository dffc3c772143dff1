import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { CorsConfig } from '../../config/sections/cors.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { onHead } from '../../platform/http/response/on-head.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';

type Headers = Readonly<Record<string, string>>;

/** Methods that preflight responses allow, by kind of path. */
const GRAPHQL_METHODS = 'GET, HEAD, POST';
const RESOURCE_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * Allows web pages of the configured origins to read responses (Fetch standard, section 3.3). Origins are compared exactly, and pages of
 * other origins get no CORS headers. The gateway never sends `*`, only the origin of the request.
 *
 * @returns the handler itself when no origin is configured
 */
export function withCors(handler: RequestListener, config: CorsConfig): RequestListener {
  if (config.origins.length === 0) return handler;
  const origins = new Set(config.origins);
  const credentials: Headers = config.credentials ? { 'access-control-allow-credentials': 'true' } : {};
  const exposed: Headers = config.exposedHeaders.length === 0 ? {} : { 'access-control-expose-headers': config.exposedHeaders.join(', ') };
  const preflight: Headers = {
    'access-control-allow-headers': config.allowedHeaders.join(', '),
    'access-control-max-age': String(config.maxAgeSeconds),
  };

  const granted = Object.entries({ ...credentials, ...exposed });

  function allow(response: ServerResponse, origin: string): void {
    response.setHeader('access-control-allow-origin', origin);
    for (const [name, value] of granted) response.setHeader(name, value);
  }

  return (request, response) => {
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && origins.has(origin);
    if (isAllowed && isPreflight(request)) {
      const methods = (request.url ?? '').startsWith('/graphql') ? GRAPHQL_METHODS : RESOURCE_METHODS;
      const headers = {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods,
        ...preflight,
        ...credentials,
        vary: 'Origin',
        [CORRELATION_ID_HEADER]: readCorrelationId(request.headers),
      };
      sendResponse(request, response, { status: 204, headers, body: '' });
      return;
    }
    // Other origins get `Vary` too: a cache must not serve them a response with CORS headers, or serve an allowed origin one without.
    onHead(response, addVary);
    if (isAllowed) allow(response, origin);
    handler(request, response);
  };
}

/** Whether a request is a CORS preflight request (Fetch standard, section 3.3.2). */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function addVary(response: ServerResponse): void {
  const vary = String(response.getHeader('vary') ?? '');
  if (vary === '*' || /(?:^|,)\s*origin\s*(?:,|$)/i.test(vary)) return;
  response.setHeader('vary', vary === '' ? 'Origin' : `${vary}, Origin`);
}
