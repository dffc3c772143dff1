import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { forFewCallers } from '../../fixtures/few-callers.ts';

const CONNECTED = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key", "@interfaceObject"])
    @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
    @source(name: "api", http: { baseURL: "http://back-end.test" })
  type Query {
    items: [Item] @connect(source: "api", http: { GET: "/items" }, selection: "id price")
    item(id: ID!): Item @connect(source: "api", http: { GET: "/items/{$args.id}" }, selection: "id price weight", entity: true)
  }
  type Item @key(fields: "id") @interfaceObject {
    id: ID!
    price: Int
    weight: Int
    stock: Int @connect(source: "api", http: { GET: "/items/{$this.id}/stock" }, selection: "$")
  }
`;

const SERVED = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key"])
  interface Item @key(fields: "id") { id: ID! }
  type Book implements Item @key(fields: "id") { id: ID! pages: Int }
  type Map implements Item @key(fields: "id") { id: ID! scale: Int }
`;

/** Responses of the back end by path. */
const RESPONSES: Readonly<Record<string, unknown>> = {
  '/items': [
    { id: 1, price: 10 },
    { id: 2, price: 20 },
  ],
  '/items/1': { id: 1, price: 10, weight: 100 },
  '/items/2': { id: 2, price: 20, weight: 200 },
  '/items/1/stock': 7,
  '/items/2/stock': 8,
  '/graphql': {
    data: {
      _entities: [
        { __typename: 'Book', pages: 300 },
        { __typename: 'Map', scale: 1000 },
      ],
    },
  },
};

async function startServer(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESPONSES[request.url ?? ''] ?? null));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

it('resolves interfaces that a subgraph with connectors defines as objects', async () => {
  const server = await startServer();
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const composed = composeSubgraphs([
    { name: 'connected', url: '', files: [{ path: 'connected.graphql', text: CONNECTED.replace('http://back-end.test', base) }] },
    { name: 'served', url: `${base}/graphql`, files: [{ path: 'served.graphql', text: SERVED }] },
  ]);
  expect(composed.errors).toBeUndefined();
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, drainTimeoutMs: 500 },
      supergraph: { sdl: composed.supergraphSdl ?? '' },
      ...forFewCallers({}),
    },
    { logger: silentLogger },
  );
  const { url } = await gateway.listen();
  const query = '{ items { __typename id price weight stock ... on Book { pages } ... on Map { scale } } }';
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const result: unknown = await response.json();
  await gateway[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(result).toEqual({
    data: {
      items: [
        { __typename: 'Book', id: '1', price: 10, weight: 100, stock: 7, pages: 300 },
        { __typename: 'Map', id: '2', price: 20, weight: 200, stock: 8, scale: 1000 },
      ],
    },
  });
});
