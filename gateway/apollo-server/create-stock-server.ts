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
import { readIdentityKey } from '../config/identity-key.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { negotiateGraphql } from '../http/graphql/negotiate-response.ts';
import { graphqlStatusOf } from '../http/graphql/http-response.ts';
import { modeOf } from '../operation/limits/limit-mode.ts';
import { rootTypeRule } from '../operation/validation/root-rules.ts';
import { isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { createSubgraphClient } from '../subgraph-client/create-subgraph-client.ts';
import { loadSupergraph } from '../supergraph/load-supergraph.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';
import type { GatewayExecutor, GatewayInterface } from './gateway-interface.ts';
import { createStockDataSource } from './stock-data-source.ts';
import { createStockDeadline } from './stock-deadline.ts';
import { toClientError, withCompletionErrors } from './stock-errors.ts';

/** The stock gateway in a started Apollo Server. */
export interface StockServer extends AsyncDisposable {
  readonly gateway: ApolloGateway;
  readonly server: ApolloServer<SubgraphContext>;
}

/**
 * Starts the stock `ApolloGateway` in `ApolloServer`, with the subgraphs of our configuration, which our own client asks. It enforces no rules
 * of the supergraph.
 *
 * @throws SupergraphInvalid when a subgraph has no address, and whatever Apollo Server throws at its start
 */
export async function startStockServer(sdl: string, config: ResolvedGatewayConfig, logger: Logger): Promise<StockServer> {
  const { graphql } = config;
  const execute = createSubgraphClient({
    subgraphs: loadSupergraph(sdl).subgraphs,
    settings: config.subgraphs,
    identityKey: readIdentityKey(config.identity),
    logger,
  });
  const textLogger = toTextLogger(logger);
  const deadline = createStockDeadline(graphql.operationTimeoutMs);
  const gateway = new ApolloGateway({
    supergraphSdl: sdl,
    logger: textLogger,
    buildService: ({ name }) => createStockDataSource({ name, execute, signalOf: deadline.signalOf }),
  });
  const server = new ApolloServer<SubgraphContext>({
    gateway: withDeadline(gateway, deadline.wrap),
    // The caller refuses forgeable requests by the rule of our own endpoint, which answers queries by GET without a header.
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
    await execute[Symbol.asyncDispose]();
    throw error;
  }
  return {
    gateway,
    server,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await execute[Symbol.asyncDispose]();
    },
  };
}

/** The stock gateway, each of whose operations ends in time and reports what it has not completed. */
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

/** Refuses subscriptions as our own endpoint does for a client that takes no stream: the stock gateway fails in them. */
function refuseSubscriptions(): ApolloServerPlugin<SubgraphContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ operation }) {
          if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return;
          throw new GraphQLError('A subscription needs a transport that can stream.', { extensions: { code: 'BAD_REQUEST' } });
        },
      };
    },
  };
}

/**
 * Adds the id of the request to each error, drops faults of a refused document beyond the first ones, and sets the status of our own
 * endpoint for a refused operation.
 */
function completeErrors(maxErrors: number): ApolloServerPlugin<SubgraphContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response: { body, http }, contextValue: { correlationId: requestId, headers } }) {
          if (body.kind !== 'single') return;
          const { singleResult } = body;
          if (singleResult.errors === undefined) return;
          const isRefused = singleResult.data === undefined;
          const told = isRefused ? singleResult.errors.slice(0, maxErrors) : singleResult.errors;
          const code = http.status === 405 ? 'METHOD_NOT_ALLOWED' : told[0]?.extensions?.['code'];
          if (isRefused && isErrorCode(code)) http.status = graphqlStatusOf(code, negotiateGraphql(headers.accept) ?? 'application/json');
          singleResult.errors = told.map((error) =>
            Object.assign({}, error, { extensions: Object.assign({}, error.extensions, isRefused ? { code } : {}, { requestId }) }),
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
