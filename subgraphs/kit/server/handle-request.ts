import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import secureJson from 'secure-json-parse';
import { readCorrelationId } from '../../../gateway/platform/request-headers.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../../../gateway/platform/errors.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { IDENTITY_HEADER } from '../../../gateway/subgraph-identity/identity-token.ts';
import type { Database } from '../database/database.ts';
import { toLoggableError } from '../database/loggable-error.ts';
import type { CallerVerifier } from '../identity/verify-caller.ts';
import type { Caller, RequestContext } from '../request-context.ts';
import { readBody } from './read-body.ts';
import type { ExecuteOperation, SubgraphResponse } from './subgraph-response.ts';

export interface RequestHandlerOptions {
  readonly execute: ExecuteOperation;
  /**
   * Responds to an operation of any caller, without an identity; undefined if the operation requires one.
   *
   * @defaultValue every operation requires an identity
   */
  readonly executePublic?: (body: unknown) => SubgraphResponse | undefined;
  /** Header with the identity, in lowercase. @defaultValue 'gatefold-identity' */
  readonly identityHeader?: string;
  readonly verifyCaller: CallerVerifier;
  readonly createContext: (principal: Caller, correlationId: string) => RequestContext;
  readonly database: Database;
  readonly log: Logger;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Handles `POST /` and `POST /graphql` for the gateway, and `GET /health` for the process supervisor. */
export function createRequestHandler(options: RequestHandlerOptions): RequestListener {
  return (request, response) => {
    const correlationId = readCorrelationId(request.headers);
    route(request, response, options, correlationId).catch((error: unknown) => {
      if (!(error instanceof GatewayError))
        options.log.error({ err: toLoggableError(error), correlationId }, 'A request failed with an unexpected error.');
      request.resume();
      refuse(response, error);
    });
  };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  options: RequestHandlerOptions,
  correlationId: string,
): Promise<void> {
  const path = request.url?.split('?', 1)[0];
  if (path === '/health') return respondHealth(request, response, options.database);
  if (path !== '/' && path !== '/graphql') throw new GatewayError('NOT_FOUND', 'This path does not exist.');
  if (request.method !== 'POST')
    throw new GatewayError('METHOD_NOT_ALLOWED', 'Operations must be sent with POST.', { headers: { allow: 'POST' } });
  return executeOperation(request, response, options, correlationId);
}

async function executeOperation(
  request: IncomingMessage,
  response: ServerResponse,
  options: RequestHandlerOptions,
  correlationId: string,
): Promise<void> {
  const { execute, executePublic, identityHeader = IDENTITY_HEADER, verifyCaller, createContext } = options;
  const body = await readBody(request);
  const header = request.headers[identityHeader];
  const principal = await verifyCaller(typeof header === 'string' ? header : undefined, body);
  if (principal === undefined) {
    const publicResponse = executePublic?.(parseJson(body));
    return publicResponse === undefined ? refuseIdentity(response, identityHeader) : send(response, publicResponse);
  }
  return send(response, await execute(parseJson(body), request.headers, () => createContext(principal, correlationId)));
}

async function send(response: ServerResponse, { status, headers, body }: SubgraphResponse): Promise<void> {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.statusCode = status;
  if (typeof body === 'string') {
    response.end(body);
    return;
  }
  for await (const chunk of body) response.write(chunk);
  response.end();
}

function parseJson(body: Buffer): unknown {
  try {
    return secureJson.parse(body.toString('utf8'));
  } catch (cause) {
    throw new GatewayError('BAD_REQUEST', 'The body is not a JSON object.', { cause });
  }
}

async function respondHealth(request: IncomingMessage, response: ServerResponse, database: Database): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new GatewayError('METHOD_NOT_ALLOWED', 'The health path supports only GET and HEAD.', { headers: { allow: 'GET, HEAD' } });
  }
  const isUp = await database.sql.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
  response.writeHead(isUp ? 200 : 503, { 'content-type': JSON_TYPE, 'cache-control': 'no-store' });
  response.end(JSON.stringify({ status: isUp ? 'ok' : 'unavailable' }));
}

/**
 * Rejects a request without a valid identity. The error has no code: UNAUTHENTICATED would make the client log in again, but the gateway
 * caused the error.
 */
function refuseIdentity(response: ServerResponse, identityHeader: string): void {
  response.writeHead(401, { 'content-type': JSON_TYPE });
  response.end(
    JSON.stringify({
      errors: [{ message: `This service accepts requests of the gateway only; a valid ${identityHeader} header is required.` }],
    }),
  );
}

/** Sends an error that occurred before the execution, in the format of a GraphQL response. */
function refuse(response: ServerResponse, error: unknown): void {
  const known = error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The rest of the body is not read, so the connection cannot be reused.
  response.writeHead(known.status, { ...known.headers, 'content-type': JSON_TYPE, connection: 'close' });
  response.end(JSON.stringify({ errors: [{ message: known.message, extensions: { code: known.code } }] }));
}
