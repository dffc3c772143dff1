import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApolloGateway, type GraphQLDataSource, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { openStockExecutor } from '../../../gateway/apollo-server/open-stock-executor.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { Principal } from '../../../gateway/platform/principal.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { signIdentity } from '../identity/sign-identity.ts';
import { addressSettings } from './reference-addresses.ts';

/** A caller, as in the identity token of a request to a subgraph. */
export interface Caller {
  readonly kind: 'anonymous' | 'user';
  readonly sub: string;
  readonly roles: readonly string[];
}

export interface StockResponse {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly path: readonly (string | number)[]; readonly code: unknown }[];
}

export interface StockGateway extends AsyncDisposable {
  run(
    operation: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> | undefined },
    caller: Caller,
  ): Promise<StockResponse>;
}

/** Header that passes the caller from the data source to the fetcher, the only function with the body that must be signed. */
const CALLER_HEADER = 'asker';

/**
 * Starts Apollo Server with the stock `ApolloGateway` in front of running subgraphs. The responses of the gateway are compared with its
 * responses.
 */
export async function startStockGateway(subgraphUrls: Readonly<Record<string, string>>, identitySecret: string): Promise<StockGateway> {
  const loaded = loadSupergraph(await readFile(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));
  const { override, connectors } = addressSettings(subgraphUrls);
  const config = resolveGatewayConfig({ profile: 'dev', subgraphs: { override, errorMessages: 'listed' }, connectors });
  const { supergraphSdl, execute, client } = openStockExecutor(loaded, { config, environment: {}, logger: silentLogger });
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => {
      if (loaded.connectors?.has(name) === true) return createConnectorSource(name, execute);
      const url = subgraphUrls[name];
      if (url === undefined) throw new Error(`Subgraph ${name} has no URL.`);
      return new RemoteGraphQLDataSource<{ caller: Caller }>({
        url,
        willSendRequest({ request, context }) {
          request.http?.headers.set(CALLER_HEADER, JSON.stringify(context.caller));
        },
        fetcher: async (url, init) => {
          const { [CALLER_HEADER]: caller = '{}', ...headers } = init?.headers ?? {};
          const body = String(init?.body);
          const identity = signIdentity({ secret: identitySecret, audience: name, body, ...(JSON.parse(caller) as Caller) });
          return fetch(url, { method: 'POST', headers: { ...headers, 'gatefold-identity': identity }, body });
        },
      });
    },
  });
  const server = new ApolloServer<{ caller: Caller }>({
    gateway,
    introspection: true,
    plugins: [ApolloServerPluginCacheControlDisabled()],
    includeStacktraceInErrorResponses: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  await server.start();
  return {
    async run({ query, variables = {} }, caller) {
      const { body } = await server.executeOperation({ query, variables: { ...variables } }, { contextValue: { caller } });
      if (body.kind !== 'single') throw new Error('Received an incremental response that was not requested.');
      const { data = null, errors = [] } = body.singleResult;
      return {
        data,
        errors: errors.map(({ message, path = [], extensions }) => ({ message, path, code: extensions?.['code'] })),
      };
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Creates the data source of a connector, which sends HTTP requests to a back end. */
function createConnectorSource(name: string, execute: SubgraphExecutor): GraphQLDataSource<{ caller: Caller }> {
  return {
    async process({ request: { query, variables }, context }) {
      const { kind, sub: id, roles } = (context as { readonly caller: Caller }).caller;
      const principal: Principal = { kind, id, roles: new Set(roles), scopes: new Set(), claims: {} };
      const body = JSON.stringify({ query, variables });
      const { data, errors = [] } = await execute(
        { subgraph: name, kind: 'query', body, context: { principal, correlationId: 'stock', headers: {} } },
        new AbortController().signal,
      );
      return {
        data: data ?? null,
        errors: errors.map(({ message, path = [], code }) => ({ message, path, extensions: { code } })),
      };
    },
  };
}
