import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { forFewCallers } from '../../fixtures/few-callers.ts';

/** URL of the service in the schema, which is replaced by that of the test. */
const SERVICE = 'http://back-end.test';

const SELECTION = 'code label parts { name sizes: lengths?->map(@) }';

const CONNECTED = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key", "@shareable"])
    @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
    @source(name: "api", http: { baseURL: "${SERVICE}" })
  type Query {
    items: [Item] @connect(source: "api", http: { GET: "/items" }, selection: "${SELECTION}")
    item(code: String!): Item @connect(source: "api", http: { GET: "/items/{$args.code}" }, selection: "${SELECTION}", entity: true)
  }
  type Item @key(fields: "code") { code: String! label: String parts: [Part] }
  type Part @shareable { name: String sizes: [Int] }
`;

const SERVED = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key", "@external", "@requires", "@shareable"])
  type Item @key(fields: "code") {
    code: String!
    label: String @external
    parts: [Part] @external
    described: String @requires(fields: "label parts { name sizes }")
  }
  type Part @shareable { name: String sizes: [Int] }
`;

const ITEMS = [
  { code: 'a', label: 'A', parts: [{ name: 'p', lengths: [1] }, { name: 'q', lengths: null }, {}] },
  { code: 'b', parts: [] },
  { code: 'c' },
];

interface Graph extends AsyncDisposable {
  readonly query: (query: string) => Promise<unknown>;
  /** Representations that the GraphQL subgraph received. */
  readonly received: readonly unknown[];
}

function compose(): string {
  const composed = composeSubgraphs([
    { name: 'connected', url: '', files: [{ path: 'connected.graphql', text: CONNECTED }] },
    { name: 'served', url: `${SERVICE}/graphql`, files: [{ path: 'served.graphql', text: SERVED }] },
  ]);
  expect(composed.errors).toBeUndefined();
  return composed.supergraphSdl ?? '';
}

async function startGraph(): Promise<Graph> {
  const supergraph = compose();
  const received: unknown[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/items') return response.end(JSON.stringify(ITEMS));
      const [representations] = Object.values((JSON.parse(body) as { variables: Record<string, readonly unknown[]> }).variables);
      received.push(...(representations ?? []));
      return response.end(JSON.stringify({ data: { _entities: representations?.map((_one, index) => ({ described: `${index}` })) } }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, drainTimeoutMs: 500 },
      supergraph: { sdl: supergraph.replaceAll(SERVICE, base) },
      ...forFewCallers({}),
    },
    { logger: silentLogger },
  );
  const { url } = await gateway.listen();
  return {
    received,
    async query(query) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return response.json();
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

it('sends values that a REST service leaves out as null to a subgraph that requires them', async () => {
  await using graph = await startGraph();
  expect(await graph.query('{ items { code described } }')).toEqual({
    data: {
      items: [
        { code: 'a', described: '0' },
        { code: 'b', described: '1' },
        { code: 'c', described: '2' },
      ],
    },
  });
  const missing = { name: null, sizes: null };
  expect(graph.received).toEqual([
    { __typename: 'Item', code: 'a', label: 'A', parts: [{ name: 'p', sizes: [1] }, { name: 'q', sizes: null }, missing] },
    { __typename: 'Item', code: 'b', label: null, parts: [] },
    { __typename: 'Item', code: 'c', label: null, parts: null },
  ]);
});
