import { UNLIMITED_BUDGET } from '../budget/caller-budget.ts';
import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../auth/authenticator.ts';
import { maxJsonDepthOf } from '../composition/stream-transports.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { checkParameters, type GraphqlParameters, readGet, readJsonBody, requireJson } from '../http/graphql/parameters.ts';
import { type GraphqlMediaType, negotiateGraphql } from '../http/graphql/negotiate-response.ts';
import { createAdmission } from '../operation/limits/admit-document.ts';
import { findUnsafeVariable } from '../operation/variables/unsafe-variables.ts';
import { hashMismatch } from '../persisted/document-errors.ts';
import { sha256Of } from '../persisted/document-reference.ts';
import { GatewayError } from '../platform/errors.ts';
import { refuseForgeable } from '../platform/http/request/csrf.ts';
import type { Logger } from '../platform/logger.ts';
import type { Principal } from '../platform/principal.ts';

/** A request that is passed to Apollo Server. */
export interface AdmittedRequest {
  readonly principal: Principal;
  readonly mediaType: GraphqlMediaType;
  /** Parameters in the body of a POST request; empty for GET, whose target contains them. */
  readonly body: unknown;
}

/**
 * @throws GatewayError for every error that the gateway's own endpoint detects before it knows the operation, and for features that only
 * that endpoint supports
 */
export type AdmitStockRequest = (request: IncomingMessage, correlationId: string) => Promise<AdmittedRequest>;

/** Methods of `/graphql` with Apollo Server, which does not support HEAD. */
export const STOCK_METHODS = 'GET, POST, OPTIONS';

export interface StockAdmissionOptions {
  readonly config: Pick<ResolvedGatewayConfig, 'server' | 'graphql' | 'limits'>;
  readonly authenticate: Authenticator;
  readonly logger: Logger;
}

/** Creates the checks before Apollo Server: the same errors in the same order as in the gateway's own endpoint. */
export function createStockAdmission({ config, authenticate, logger }: StockAdmissionOptions): AdmitStockRequest {
  const { server, graphql, limits } = config;
  const reading = { maxBodyBytes: server.maxBodyBytes, maxJsonDepth: maxJsonDepthOf(config) };
  const admit = createAdmission({ maxTokens: graphql.maxTokens, limits });
  const reported = new Set<string>();

  function admitDocument(text: string, requestId: string): void {
    for (const { limit, requestError } of admit(text) ?? []) {
      if (reported.has(limit)) continue;
      reported.add(limit);
      logger.warn({ limit, requestId }, `A document exceeds a limit whose mode is "measure": ${requestError.message}`);
    }
  }

  function checkVariables(variables: Readonly<Record<string, unknown>> = {}): void {
    for (const name of Object.keys(variables)) {
      const requestError = findUnsafeVariable(name, variables, graphql.maxVariableDepth);
      if (requestError !== undefined) throw new GatewayError('BAD_USER_INPUT', requestError);
    }
  }

  function check({ document, variables }: GraphqlParameters, requestId: string): void {
    if (document.id !== undefined) {
      throw new GatewayError('PERSISTED_QUERY_NOT_SUPPORTED', 'This engine does not support document ids; send the text of the document.');
    }
    const { text, sha256 } = document;
    if (text !== undefined && sha256 !== undefined && sha256Of(text) !== sha256) throw hashMismatch();
    if (text !== undefined) admitDocument(text, requestId);
    checkVariables(variables);
  }

  return async (request, correlationId) => {
    const { method, headers, url = '', socket } = request;
    if (method !== 'GET' && method !== 'POST') {
      throw new GatewayError('METHOD_NOT_ALLOWED', `The method ${method ?? ''} is not supported; use POST or GET.`, {
        headers: { allow: STOCK_METHODS },
      });
    }
    const mediaType = negotiateGraphql(headers.accept);
    if (mediaType === undefined) {
      throw new GatewayError(
        'NOT_ACCEPTABLE',
        'The Accept header lists no supported media type; accept application/graphql-response+json or application/json.',
      );
    }
    refuseForgeable(request);
    requireJson(request);
    if (method === 'POST' && headers['idempotency-key'] !== undefined) {
      throw new GatewayError('BAD_REQUEST', 'This engine does not support Idempotency-Key for GraphQL; send the request without it.');
    }
    const principal = await authenticate(headers, socket.remoteAddress);
    if (method === 'GET') {
      check(readGet(url, reading), correlationId);
      return { principal, mediaType, body: {} };
    }
    const body = await readJsonBody(request, reading, UNLIMITED_BUDGET);
    check(checkParameters(body), correlationId);
    return { principal, mediaType, body };
  };
}
