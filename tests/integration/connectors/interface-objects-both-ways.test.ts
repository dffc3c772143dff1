import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServedSubgraphs, serveSubgraphs } from '../../support/openapi/serve-subgraphs.ts';

const link = (version: string): string => `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.13", import: ["@key", "@interfaceObject"])
  @link(url: "https://specs.apollo.dev/connect/v${version}", import: ["@connect"])`;

const CATALOG = `${link('0.4')}
  type Query {
    media(id: ID!): Media
      @connect(http: { GET: "ORIGIN/media/{$args.id}" }, entity: true, selection: """
        ... kind->match(["book", { __typename: "Book", id: id, pages: pages }], ["film", { __typename: "Film", id: id, minutes: minutes }])
      """)
  }
  interface Media @key(fields: "id") { id: ID! }
  type Book implements Media @key(fields: "id") { id: ID! pages: Int }
  type Film implements Media @key(fields: "id") { id: ID! minutes: Int }`;

const REVIEWS = `${link('0.3')}
  type Query { best: [Media] @connect(http: { GET: "ORIGIN/best" }, selection: "id") }
  type Media @key(fields: "id") @interfaceObject @connect(http: { GET: "ORIGIN/reviews/{$this.id}" }, selection: "id stars") {
    id: ID!
    stars: Int
  }`;

const BODIES: Readonly<Record<string, unknown>> = {
  '/best': [{ id: 'f' }, { id: 'b' }],
  '/media/b': { kind: 'book', id: 'b', pages: 300 },
  '/media/f': { kind: 'film', id: 'f', minutes: 90 },
  '/reviews/b': { id: 'b', stars: 5 },
  '/reviews/f': { id: 'f', stars: 4 },
};

describe('given an interface, and an object for it, in two subgraphs with connectors', () => {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(BODIES[url] ?? null));
  });
  let gateway: ServedSubgraphs;

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    gateway = await serveSubgraphs({ catalog: CATALOG.replaceAll('ORIGIN', origin), reviews: REVIEWS.replaceAll('ORIGIN', origin) });
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('returns the fields of the object in both directions', async () => {
    expect(await gateway.query('{ best { __typename stars ... on Film { minutes } ... on Book { pages } } }')).toEqual({
      data: {
        best: [
          { __typename: 'Film', stars: 4, minutes: 90 },
          { __typename: 'Book', stars: 5, pages: 300 },
        ],
      },
    });
    expect(await gateway.query('{ media(id: "b") { stars ... on Book { pages } } }')).toEqual({
      data: { media: { stars: 5, pages: 300 } },
    });
  });
});
