import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLFormattedError } from 'graphql';
import depthLimit from 'graphql-depth-limit';
import { readIdentityKey } from '../config/identity-key.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { modeOf } from '../operation/limit-mode.ts';
import { systemClock } from '../platform/clock.ts';
import { INTERNAL_ERROR_MESSAGE, isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { resolvePolicies } from '../subgraph-client/resolve-policies.ts';
import { resolveTargets } from '../subgraph-client/resolve-targets.ts';
import { createIdentitySigner } from '../subgraph-client/sign-identity.ts';
import { loadSupergraph } from '../supergraph/load-supergraph.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';
import { createStockDataSource } from './stock-data-source.ts';

/** The stock gateway in a started Apollo Server. */
export interface StockServer {
  readonly gateway: ApolloGateway;
  readonly server: ApolloServer<SubgraphContext>;
}

/**
 * Starts the stock `ApolloGateway` in `ApolloServer`, with the subgraphs of our configuration. It enforces no rules of the supergraph.
 *
 * @throws SupergraphInvalid when a subgraph has no address, and whatever Apollo Server throws at its start
 */
export async function startStockServer(sdl: string, config: ResolvedGatewayConfig, logger: Logger): Promise<StockServer> {
  const { subgraphs: settings } = config;
  const targets = resolveTargets(loadSupergraph(sdl).subgraphs, settings.override);
  const key = readIdentityKey(config.identity);
  const sign = key && createIdentitySigner({ key, clock: systemClock });
  const textLogger = toTextLogger(logger);
  const gateway = new ApolloGateway({
    supergraphSdl: sdl,
    logger: textLogger,
    buildService: ({ name }) => {
      const target = targets.get(name);
      if (target === undefined) throw new Error(`There is no subgraph "${name}".`);
      const policies = resolvePolicies(settings, settings.override[name]);
      return createStockDataSource({ name, url: `${target.origin}${target.path}`, policies, sign });
    },
  });
  const server = new ApolloServer<SubgraphContext>({
    gateway,
    // The caller refuses forgeable requests by the rule of our own endpoint, which answers queries by GET without a header.
    csrfPrevention: false,
    introspection: config.graphql.introspection,
    includeStacktraceInErrorResponses: false,
    persistedQueries: config.persisted.automatic ? {} : false,
    validationRules: modeOf(config.limits, 'depth') === 'enforce' ? [depthLimit(config.limits.maxDepth - 1)] : [],
    formatError: (formatted) => toCataloguedError(formatted, logger),
    stopOnTerminationSignals: false,
    logger: textLogger,
    plugins: [
      tellRequestId,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
  await server.start();
  return { gateway, server };
}

/** Errors with a code of our catalogue are for clients; of any other error they get a constant text. */
function toCataloguedError(error: GraphQLFormattedError, logger: Logger): GraphQLFormattedError {
  const code = error.extensions?.['code'];
  const isKnown = isErrorCode(code) && code !== 'INTERNAL_SERVER_ERROR';
  if (!isKnown) logger.error({ err: error }, 'An operation failed in the engine of Apollo.');
  const { path, locations } = error;
  return {
    message: isKnown ? error.message : INTERNAL_ERROR_MESSAGE,
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: { code: isKnown ? code : 'INTERNAL_SERVER_ERROR' },
  };
}

const tellRequestId: ApolloServerPlugin<SubgraphContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { body }, contextValue: { correlationId: requestId } }) {
        if (body.kind !== 'single') return;
        const { singleResult } = body;
        if (singleResult.errors === undefined) return;
        singleResult.errors = singleResult.errors.map((error) =>
          Object.assign({}, error, { extensions: Object.assign({}, error.extensions, { requestId }) }),
        );
      },
    };
  },
};

function toTextLogger(logger: Logger) {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) =>
    logger[level]({}, typeof message === 'string' ? message : JSON.stringify(message));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
