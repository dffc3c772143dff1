import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';
import { type RunningGateway, startGateway } from '../../../cli/start-gateway.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { shippingCost } from '../../../subgraphs/orders/shipping-cost.ts';
import { signToken } from '../identity/tokens.ts';
import { type GraphResponse, type Question, readResponse } from './subgraphs-stack.ts';

/** The connectors of `shipping` behind a gateway. Their orders are those of the query. */
export interface ShippingGateway extends AsyncDisposable {
  query<Data>(question: Question): Promise<GraphResponse<Data>>;
}

/** Fields of an order, as a test states them. */
interface StatedOrder {
  readonly id: string;
  readonly qty?: number;
  readonly total?: number;
}

/** `Order` has no rule here, so that only the rules of its fields apply. */
const ORDERS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key", "@composeDirective"])
  scalar Representation
  type Query { orders(representations: [Representation!]!): [Order] }
  type Order @key(fields: "id") {
    id: ID!
    userId: ID!
    shippingCost(express: Boolean = false): Float @auth(requires: ADMIN, orOwner: "userId")
  }
`;

const DEVELOPMENT_KEY = 's'.repeat(64);

const RESOLVERS = {
  Query: { orders: (_root: unknown, { representations }: { readonly representations: readonly StatedOrder[] }) => representations },
  Order: {
    shippingCost: ({ qty = 0, total = 0 }: StatedOrder, { express }: { readonly express: boolean }) =>
      shippingCost({ qty, total }, express),
  },
};

const read = (file: string): Promise<string> => readFile(join(packageRoot, 'schema', file), 'utf8');

/**
 * Starts a gateway in front of a shipping back end.
 *
 * @param limits settings of the requests to the back end
 */
export async function startShippingGateway(
  backEndUrl: string,
  limits: NonNullable<NonNullable<GatewayConfigInput['subgraphs']>['override']>[string] = {},
): Promise<ShippingGateway> {
  const [auth, cache, shipping] = (await Promise.all(
    ['directives/auth.graphql', 'directives/cache.graphql', 'subgraphs/shipping.graphql'].map(read),
  )) as [string, string, string];
  const file = (path: string, text: string) => ({ path, text });
  const orders = await serveOrders(`${ORDERS}\n${auth}`);
  const composition = composeSubgraphs([
    { name: 'orders', url: orders.url, files: [file('orders.graphql', ORDERS), file('auth.graphql', auth)] },
    { name: 'shipping', url: '', files: [file('shipping.graphql', shipping), file('auth.graphql', auth), file('cache.graphql', cache)] },
  ]);
  if (composition.errors !== undefined) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  const gateway: RunningGateway = await startGateway({
    ...resolveGatewayConfig({
      profile: 'dev',
      server: { port: 0, internalPort: 0 },
      supergraph: { sdl: composition.supergraphSdl },
      auth: { developmentKey: DEVELOPMENT_KEY },
      limits: { mode: 'measure' },
      budget: { mode: 'off' },
      logging: { level: 'silent' },
      subgraphs: { errorMessages: 'listed', retry: { maxRetries: 0 }, override: { shipping: limits } },
      connectors: { subgraphs: { shipping: { sources: { legacy: { baseUrl: backEndUrl } } } } },
    }),
    rest: undefined,
  });
  return {
    async query<Data>({ query, variables, as }: Question): Promise<GraphResponse<Data>> {
      const token = as && signToken({ sub: as.id, roles: as.roles ?? [] }, { key: DEVELOPMENT_KEY });
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ query, variables }),
      });
      return readResponse<Data>(await response.text());
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await orders[Symbol.asyncDispose]();
    },
  };
}

/** Serves the subgraph `orders`, which returns the orders that the query states. */
async function serveOrders(sdl: string): Promise<AsyncDisposable & { readonly url: string }> {
  const schema = buildSubgraphSchema({ typeDefs: parse(sdl), resolvers: RESOLVERS });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { query, variables } = JSON.parse(Buffer.concat(chunks).toString()) as { query: string; variables: Record<string, unknown> };
      void graphql({ schema, source: query, variableValues: variables }).then((result) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result)),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
