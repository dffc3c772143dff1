import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql } from 'graphql';
import { gql } from 'graphql-tag';
import { CATALOG_SDL } from './catalog-graph.ts';

/** Serves the subgraphs of the overload proof until the parent disconnects. Equal requests receive equal bytes, so that the gateway is the bottleneck. */
const ITEMS = 800;
const item = (id: string) => ({
  __typename: 'Item',
  id,
  name: `Item ${id}`,
  description: `The description of item ${id}, which is as long as a short sentence.`,
  price: Number(id) * 1.25,
  tags: ['new', 'sale', `shelf ${id}`],
});
const RESOLVERS = {
  catalog: { Query: { items: () => Array.from({ length: ITEMS }, (_, index) => item(String(index))) } },
  stock: {
    Item: {
      __resolveReference: ({ id }: { readonly id: string }) => ({ id, inStock: Number(id), warehouse: { id: `w${id}`, city: 'Oslo' } }),
    },
  },
};

async function serve(name: keyof typeof CATALOG_SDL): Promise<string> {
  const schema = buildSubgraphSchema({ typeDefs: gql(CATALOG_SDL[name]), resolvers: RESOLVERS[name] });
  const responses = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      let bytes = responses.get(body);
      if (bytes === undefined) {
        const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
        bytes = Buffer.from(JSON.stringify(await graphql({ schema, source: query, variableValues: variables })));
        responses.set(body, bytes);
      }
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

process.once('disconnect', () => process.exit());
process.send?.({ catalog: await serve('catalog'), stock: await serve('stock') });
