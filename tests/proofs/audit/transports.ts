import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { parse, validate } from 'graphql';
import { createApolloGateway } from '../../../gateway/apollo-server/index.ts';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createEngine } from '../../differential/engine.ts';

/** Response that a client receives, reduced to the members that the audit compares. */
export interface TransportResponse {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

/** A transport to the engine, open for one supergraph. */
export interface Transport extends AsyncDisposable {
  request(query: string): Promise<TransportResponse>;
}

/** Opens a transport for a supergraph. */
export type OpenTransport = (supergraphSdl: string) => Promise<Transport>;

const RESPONSE_WITHIN_MS = 10_000;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** All transports, by the name in the table of results. */
export const TRANSPORTS: Readonly<Record<string, OpenTransport>> = {
  /** Runs validation, planner and executor only. */
  engine: async (supergraphSdl) => {
    const { schema, subgraphs } = loadSupergraph(supergraphSdl);
    const engine = createEngine({ supergraphSdl, schema });
    const executor: SubgraphExecutor = async ({ subgraph, body }, signal) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const response = await fetch(subgraphs.get(subgraph)?.url ?? '', { method: 'POST', headers, body, signal });
      return JSON.parse(await response.text());
    };
    return {
      async request(text) {
        const failures = validate(schema, parse(text));
        if (failures.length > 0) return { errors: failures };
        return engine
          .respond({ text, variables: {}, labels: [], executor })
          .catch((error: unknown) => ({ errors: [{ message: String(error) }] }));
      },
      async [Symbol.asyncDispose]() {},
    };
  },

  /** Runs `createGateway` over HTTP. */
  http: async (sdl) => {
    const gateway = await createGateway(
      { profile: 'dev', supergraph: { sdl }, server: { port: 0, internalPort: 0 }, auth: { developmentKey: 'k'.repeat(32) } },
      { logger: silentLogger },
    );
    const { url } = await gateway.listen();
    return transportAt(`${url}/graphql`, async () => gateway[Symbol.asyncDispose]());
  },

  /** Runs Apollo Server with `createApolloGateway` over HTTP. */
  'apollo-server': async (supergraphSdl) => {
    const gateway = createApolloGateway({ supergraphSdl, logger: QUIET });
    const server = new ApolloServer({ gateway, logger: QUIET });
    const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
    return transportAt(url, () => server.stop());
  },
};

function transportAt(url: string, close: () => Promise<void>): Transport {
  return {
    async request(query) {
      const response = await fetch(url, {
        method: 'POST',
        // Closing the transport would wait for a keep-alive connection.
        headers: { accept: 'application/json', 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ query }),
        signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
      });
      return JSON.parse(await response.text());
    },
    [Symbol.asyncDispose]: close,
  };
}
