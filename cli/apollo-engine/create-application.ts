import { expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type Express, type NextFunction, type Request, type Response } from 'express';
import { type AdmittedRequest, STOCK_METHODS, createStockAdmission } from '../../gateway/apollo-server/admit-stock-request.ts';
import type { StockServer } from '../../gateway/apollo-server/create-stock-server.ts';
import type { Authenticator } from '../../gateway/auth/authenticator.ts';
import { toHttpErrorResponse, VARY } from '../../gateway/http/graphql/http-response.ts';
import { toGatewayError } from '../../gateway/http/plain-response.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../gateway/platform/request-headers.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { createCodings, createCompress } from '../../gateway/platform/http/response/compress.ts';
import { NO_STORE, sendResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { type RestFacade, toExpress } from '../../rest-facade/index.ts';
import type { ProductConfig } from '../configuration.ts';

export interface ApplicationDependencies {
  readonly stock: Pick<StockServer, 'server'>;
  /** REST facade. @defaultValue only `/graphql` is served */
  readonly facade?: RestFacade | undefined;
  readonly authenticate: Authenticator;
  /** Accepted authentication schemes: `WWW-Authenticate` of a 401. */
  readonly challenges: string;
  readonly logger: Logger;
}

/**
 * Creates the Express application: Apollo Server at `/graphql`, behind the admission checks of the Gatefold endpoint, and the REST facade
 * for all other paths.
 */
export function createApplication(
  config: ProductConfig,
  { stock, facade, authenticate, challenges, logger }: ApplicationDependencies,
): Express {
  const admit = createStockAdmission({ config, authenticate, logger });
  const compress = createCompress(createCodings(config.server.compression));
  const application = express().disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');

  function refuse(
    request: Request,
    response: Response,
    error: unknown,
    mediaType: AdmittedRequest['mediaType'] = 'application/json',
  ): void {
    const correlationId = readCorrelationId(request.headers);
    sendResponse(
      request,
      response,
      toHttpErrorResponse(toGatewayError(error, logger, correlationId), mediaType, correlationId, challenges),
    );
  }

  /**
   * Sends the response of Apollo Server in the same way as the Gatefold endpoint: compressed, and counted among the bytes that are not yet
   * read.
   */
  async function sendBody(request: Request, response: Response, body: string): Promise<void> {
    try {
      const headers = { ...response.getHeaders(), [CORRELATION_ID_HEADER]: readCorrelationId(request.headers), ...NO_STORE, vary: VARY };
      const httpResponse = { status: response.statusCode, headers, body };
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      sendResponse(request, response, await compress(httpResponse, request.headers['accept-encoding']));
    } catch (error) {
      refuse(request, response, error);
    }
  }

  async function admitRequest(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      const { principal, body } = await admit(request, readCorrelationId(request.headers));
      response.locals['principal'] = principal;
      request.body = body;
      response.send = (text: string) => {
        void sendBody(request, response, text);
        return response;
      };
    } catch (error) {
      refuse(request, response, error);
      return;
    }
    next();
  }

  application.options('/graphql', (request, response) => {
    const headers = { [CORRELATION_ID_HEADER]: readCorrelationId(request.headers), ...NO_STORE, vary: VARY, allow: STOCK_METHODS };
    sendResponse(request, response, { status: 204, headers, body: '' });
  });
  application.all(
    '/graphql',
    (request, response, next) => void admitRequest(request, response, next),
    expressMiddleware(stock.server, {
      context: async ({ req, res }) => ({
        principal: (res.locals as Pick<AdmittedRequest, 'principal'>).principal,
        headers: req.headers,
        correlationId: readCorrelationId(req.headers),
      }),
    }),
  );
  application.all('/graphql/:documentId', (request, response) => {
    refuse(
      request,
      response,
      new GatewayError('NOT_FOUND', 'Documents cannot be addressed by path with this engine. Send the text of the document to /graphql.'),
    );
  });
  if (facade !== undefined) application.use(toExpress(facade));
  const onFailure: ErrorRequestHandler = (error, request, response, _next) => refuse(request, response, error);
  return application.use(onFailure);
}
