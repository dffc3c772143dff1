import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type Express, type NextFunction, type Request, type Response } from 'express';
import { startStockServer } from '../../gateway/apollo-server/create-stock-server.ts';
import { createAuthentication } from '../../gateway/auth/authenticator.ts';
import { challengesOf } from '../../gateway/auth/challenges.ts';
import { toRefusalReply } from '../../gateway/http/graphql-reply.ts';
import { createHealthHandler } from '../../gateway/http/health.ts';
import { toGatewayError } from '../../gateway/http/to-gateway-error.ts';
import { createAdmission } from '../../gateway/operation/admit-document.ts';
import { systemClock } from '../../gateway/platform/clock.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../gateway/platform/correlation-id.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { refuseForgeable } from '../../gateway/platform/http/csrf.ts';
import { ListenFailure } from '../../gateway/platform/http/listen-failure.ts';
import { compileNetworks } from '../../gateway/platform/http/networks.ts';
import { sendReply } from '../../gateway/platform/http/send-reply.ts';
import { createLogger } from '../../gateway/platform/logger.ts';
import { systemErrorCode } from '../../gateway/platform/system-error-code.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphContext } from '../../gateway/supergraph/subgraph-executor.ts';
import { createRestFacade, fromApolloServer, readRestDocuments, toExpress } from '../../rest-facade/index.ts';
import { CommandFailed } from '../command-failed.ts';
import type { ProductConfig } from '../configuration.ts';
import type { RunningGateway } from '../start-gateway.ts';
import { omitSubscriptions } from './omit-subscriptions.ts';
import { findUnsupported } from './unsupported-settings.ts';

/**
 * Serves the configuration by the stock `ApolloGateway` in `ApolloServer` behind an Express application, with the REST facade.
 *
 * @throws CommandFailed that names everything this engine cannot do, with the setting to change
 * @throws ListenFailure when a port cannot be used
 */
export async function startApolloEngine({ rest, engine, ...config }: ProductConfig): Promise<RunningGateway> {
  const logger = createLogger({ level: config.logging.level });
  const sdl = await readSupergraph(config.supergraph);
  const unsupported = findUnsupported(config, engine, loadSupergraph(sdl));
  if (unsupported.length > 0) {
    throw new CommandFailed(['The engine "apollo" cannot serve this configuration:', ...unsupported].join('\n  '), { exitCode: 2 });
  }
  const isProxy = compileNetworks(config.server.trustedProxies);
  const authentication = createAuthentication(config.auth, { clock: systemClock, logger, isProxy });
  const challenges = challengesOf(config.auth);
  const { gateway, server } = await startStockServer(sdl, config, logger);
  const opened: AsyncDisposable[] = [authentication, { [Symbol.asyncDispose]: () => server.stop() }];
  const close = async () => {
    for (const part of opened.splice(0).toReversed()) await part[Symbol.asyncDispose]();
  };
  let isDraining = false;
  const health = createHealthHandler(() => ({ hasSupergraph: true, isDraining }));
  const admit = createAdmission({ maxTokens: config.graphql.maxTokens, limits: config.limits });

  function refuse(request: Request, response: Response, error: unknown): void {
    const correlationId = readCorrelationId(request.headers);
    sendReply(
      request,
      response,
      toRefusalReply(toGatewayError(error, logger, correlationId), 'application/json', correlationId, challenges),
    );
  }

  function createApplication(): Express {
    const application = express().disable('x-powered-by').disable('etag');
    application.set('trust proxy', [...config.server.trustedProxies]);
    return application.use((request, response, next) => {
      if (!health(request.path, request, response, readCorrelationId(request.headers))) next();
    });
  }

  const application = createApplication();
  application.use((request, response, next) => {
    if (!config.server.requireTls || request.secure) next();
    else refuse(request, response, new GatewayError('TLS_REQUIRED', 'Send the request by TLS.'));
  });
  async function admitRequest(request: Request, response: Response): Promise<boolean> {
    try {
      response.setHeader(CORRELATION_ID_HEADER, readCorrelationId(request.headers));
      response.setHeader('cache-control', 'no-store');
      refuseForgeable(request);
      refuseWhatIsMissing(request);
      const text = textOf(request);
      if (text !== undefined) admit(text);
      response.locals['principal'] = await authentication.authenticate(request.headers, request.socket.remoteAddress);
      return true;
    } catch (error) {
      refuse(request, response, error);
      return false;
    }
  }
  async function passAdmitted(request: Request, response: Response, next: NextFunction): Promise<void> {
    if (await admitRequest(request, response)) next();
  }
  application.use(
    '/graphql',
    express.json({ limit: config.server.maxBodyBytes }),
    (request, response, next) => void passAdmitted(request, response, next),
  );
  application.use(
    '/graphql',
    expressMiddleware(server, {
      context: async ({ req, res }) => ({
        principal: (res.locals as Pick<SubgraphContext, 'principal'>).principal,
        headers: req.headers,
        correlationId: readCorrelationId(req.headers),
      }),
    }),
  );
  if (rest !== undefined) {
    const { documents, webhooks, ...settings } = rest;
    const omit = engine.subscriptions === 'omit';
    if (webhooks !== undefined && !omit) {
      await close();
      throw new CommandFailed('The engine "apollo" sends no webhooks: remove rest.webhooks, or set engine.subscriptions to omit.', {
        exitCode: 2,
      });
    }
    const { maxBodyBytes, maxUrlBytes, compression } = config.server;
    const all = readRestDocuments(documents);
    const facade = createRestFacade({
      ...settings,
      documents: omit ? omitSubscriptions(all) : all,
      schema: gateway,
      execute: fromApolloServer(server, ({ principal, headers, correlationId }) => ({ principal, headers, correlationId })),
      authenticate: authentication.authenticate,
      challenges,
      maxBodyBytes,
      maxUrlBytes,
      compression,
      logger,
    });
    application.use(toExpress(facade));
  }
  const onFailure: ErrorRequestHandler = (error, request, response, _next) => refuse(request, response, toBodyRefusal(error));
  application.use(onFailure);

  async function listen(on: Express, host: string, port: number, advice: string): Promise<string> {
    const listener = on.listen(port, host);
    try {
      await once(listener, 'listening');
    } catch (cause) {
      const code = systemErrorCode(cause) ?? 'UNKNOWN';
      throw new ListenFailure(code, `${host}:${port} cannot be used (${code}). ${advice}`, cause);
    }
    listener.headersTimeout = config.server.headersTimeoutMs;
    listener.requestTimeout = config.server.requestTimeoutMs;
    listener.keepAliveTimeout = config.server.keepAliveTimeoutMs;
    opened.push({
      [Symbol.asyncDispose]: async () => {
        const closed = once(listener, 'close');
        listener.close();
        listener.closeIdleConnections();
        const impatience = setTimeout(() => listener.closeAllConnections(), config.server.drainTimeoutMs);
        await closed;
        clearTimeout(impatience);
      },
    });
    const address = listener.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  }

  try {
    const internalUrl = await listen(createApplication(), config.server.internalHost, config.server.internalPort, 'Set INTERNAL_PORT.');
    const url = await listen(application, config.server.host, config.server.port, 'Set PORT.');
    return {
      url,
      internalUrl,
      async [Symbol.asyncDispose]() {
        isDraining = true;
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readSupergraph({ file, sdl }: ProductConfig['supergraph']): Promise<string> {
  if (sdl !== undefined) return sdl;
  if (file === undefined) {
    throw new CommandFailed(
      'The engine "apollo" serves a supergraph from a file: write one with `gatefold compose` and set supergraph.file.',
      {
        exitCode: 2,
      },
    );
  }
  return readFile(file, 'utf8');
}

/** @throws GatewayError for what a client may ask of our own engine and this one would ignore */
function refuseWhatIsMissing({ method, headers, body }: Request): void {
  if (method === 'POST' && headers['idempotency-key'] !== undefined) {
    throw new GatewayError('BAD_REQUEST', 'Idempotency-Key is not supported for GraphQL by this engine; send the request without it.');
  }
  if (Array.isArray(body))
    throw new GatewayError('BATCHING_DISABLED', 'Several operations in one request are not accepted; send them one by one.');
}

/** The document of a request, where it has one. */
function textOf({ method, body, query }: Request): string | undefined {
  const parameters: unknown = method === 'POST' ? body : query;
  if (typeof parameters !== 'object' || parameters === null || !('query' in parameters)) return undefined;
  return typeof parameters.query === 'string' ? parameters.query : undefined;
}

/** What the reader of bodies throws, as errors of our catalogue. */
function toBodyRefusal(error: unknown): unknown {
  const status: unknown = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return new GatewayError('PAYLOAD_TOO_LARGE', 'The body is too large.');
  if (status === 415) return new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The encoding of the body is not supported.');
  if (status === 400) return new GatewayError('BAD_REQUEST', 'The body is not valid JSON.');
  return error;
}
