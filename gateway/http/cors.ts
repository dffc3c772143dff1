import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { CorsConfig } from '../config/sections/cors.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../platform/request-headers.ts';
import { onHead } from '../platform/http/response/on-head.ts';
import { sendReply } from '../platform/http/response/send-response.ts';

type Headers = Readonly<Record<string, string>>;

/** What each kind of path is asked by. */
const GRAPHQL_METHODS = 'GET, HEAD, POST';
const RESOURCE_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * Lets pages of some other origins read answers (Fetch standard, section 3.3). Origins are compared to the letter, and a page
 * of any other one is told nothing. `*` is never said: an answer is for the origin that asked.
 *
 * @returns the handler itself where there are no such origins
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
      sendReply(request, response, { status: 204, headers, body: '' });
      return;
    }
    // Also for those who are told nothing: a cache must not hand them what others were told, nor the other way round.
    onHead(response, addVary);
    if (isAllowed) allow(response, origin);
    handler(request, response);
  };
}

/** Whether a browser asks what it may ask (Fetch standard, section 3.3.2). */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function addVary(response: ServerResponse): void {
  const vary = String(response.getHeader('vary') ?? '');
  if (vary === '*' || /(?:^|,)\s*origin\s*(?:,|$)/i.test(vary)) return;
  response.setHeader('vary', vary === '' ? 'Origin' : `${vary}, Origin`);
}
