import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, OperationTypeNode } from 'graphql';
import depthLimit from 'graphql-depth-limit';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { negotiateGraphql } from '../http/graphql/negotiate-response.ts';
import { graphqlStatusOf } from '../http/graphql/http-response.ts';
import { modeOf } from '../operation/limits/limit-mode.ts';
import { rootTypeRule } from '../operation/validation/root-rules.ts';
import { isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';
import type { GatewayExecutor, GatewayInterface } from './gateway-interface.ts';
import { openStockExecutor } from './open-stock-executor.ts';
import { createStockDataSource } from './stock-data-source.ts';
import { createStockDeadline } from './stock-deadline.ts';
import { toClientError, withCompletionErrors } from './stock-errors.ts';

/** The original Apollo Gateway in a started Apollo Server. */
export interface StockServer extends AsyncDisposable {
  readonly gateway: ApolloGateway;
  readonly server: ApolloServer<SubgraphContext>;
}

export interface StockServerDependencies {
  readonly logger: Logger;
  /** Environment variables that connectors may read. @defaultValue none */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Starts the original `ApolloGateway` in `ApolloServer`, with the subgraphs of the configuration and the subgraph client of the gateway. It
 * enforces no rules of the supergraph, except those of entities behind connectors.
 *
 * @throws SupergraphInvalid when a subgraph has no address, and every error of Apollo Server at startup
 */
export async function startStockServer(
  loaded: LoadedSupergraph,
  config: ResolvedGatewayConfig,
  { logger, environment = {} }: StockServerDependencies,
): Promise<StockServer> {
  const { graphql } = config;
  const { supergraphSdl, execute, client } = openStockExecutor(loaded, { config, environment, logger });
  const textLogger = toTextLogger(logger);
  const deadline = createStockDeadline(graphql.operationTimeoutMs);
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger: textLogger,
    buildService: ({ name }) => createStockDataSource({ name, execute, signalOf: deadline.signalOf }),
  });
  const server = new ApolloServer<SubgraphContext>({
    gateway: withDeadline(gateway, deadline.wrap),
    // The caller has already rejected forgeable requests, and the gateway allows queries by GET without a special header.
    csrfPrevention: false,
    introspection: graphql.introspection,
    hideSchemaDetailsFromClientErrors: !graphql.introspection,
    includeStacktraceInErrorResponses: false,
    persistedQueries: config.persisted.automatic ? {} : false,
    validationRules: [rootTypeRule, ...(modeOf(config.limits, 'depth') === 'enforce' ? [depthLimit(config.limits.maxDepth - 1)] : [])],
    formatError: (formatted) => toClientError(formatted, logger),
    stopOnTerminationSignals: false,
    logger: textLogger,
    plugins: [
      refuseSubscriptions(),
      completeErrors(graphql.maxErrors),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
  try {
    await server.start();
  } catch (error) {
    await client[Symbol.asyncDispose]();
    throw error;
  }
  return {
    gateway,
    server,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Wraps the original gateway, so that operations have a deadline and report values that could not be completed. */
function withDeadline(gateway: ApolloGateway, wrap: (executor: GatewayExecutor) => GatewayExecutor): GatewayInterface {
  return {
    async load(options) {
      const { executor } = await gateway.load(options);
      return { executor: wrap(withCompletionErrors(executor as GatewayExecutor)) };
    },
    onSchemaLoadOrUpdate: (callback) => gateway.onSchemaLoadOrUpdate(callback),
    stop: () => gateway.stop(),
  };
}

/** Rejects subscriptions with the error of the gateway's own endpoint, because the original gateway fails on them. */
function refuseSubscriptions(): ApolloServerPlugin<SubgraphContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ operation }) {
          if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return;
          throw new GraphQLError('A subscription requires a streaming transport, which this engine lacks.', {
            extensions: { code: 'BAD_REQUEST' },
          });
        },
      };
    },
  };
}

/**
 * Adds the request id to each error, limits the number of errors of a rejected document, and sets the status that the gateway's own
 * endpoint returns for a rejected operation.
 */
function completeErrors(maxErrors: number): ApolloServerPlugin<SubgraphContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response: { body, http }, contextValue: { correlationId: requestId, headers } }) {
          if (body.kind !== 'single') return;
          const { singleResult } = body;
          if (singleResult.errors === undefined) return;
          const isRejected = singleResult.data === undefined;
          const reported = isRejected ? singleResult.errors.slice(0, maxErrors) : singleResult.errors;
          const code = http.status === 405 ? 'METHOD_NOT_ALLOWED' : reported[0]?.extensions?.['code'];
          if (isRejected && isErrorCode(code)) http.status = graphqlStatusOf(code, negotiateGraphql(headers.accept) ?? 'application/json');
          singleResult.errors = reported.map((error) =>
            Object.assign({}, error, { extensions: Object.assign({}, error.extensions, isRejected ? { code } : {}, { requestId }) }),
          );
        },
      };
    },
  };
}

function toTextLogger(logger: Logger) {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) =>
    logger[level]({}, typeof message === 'string' ? message : JSON.stringify(message));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
