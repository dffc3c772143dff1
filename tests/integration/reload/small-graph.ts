import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql } from 'graphql';
import { gql } from 'graphql-tag';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';

const NAMES = ['books', 'people'] as const;

type Name = (typeof NAMES)[number];

/** SDL of the subgraphs. The version is in a description, which introspection through the gateway returns. */
const SDL: Readonly<Record<Name, (version: number) => string>> = {
  books: (version) => `${LINK}
    "version ${version}" type Version { number: Int }
    type Query { book(id: ID!): Book  topBooks: [Book!]!  version: Version }
    type Mutation { rate(id: ID!, stars: Int!): Book }
    type Book @key(fields: "id") { id: ID!  title: String!  stars: Int  author: Person! }
    type Person @key(fields: "id", resolvable: false) { id: ID! }`,
  people: () => `${LINK}
    type Query { me: Person }
    type Person @key(fields: "id") { id: ID!  name: String! }`,
};

const book = (id: string) => ({ __typename: 'Book', id, title: `Book ${id}`, stars: 3, author: { __typename: 'Person', id: '7' } });
const person = ({ id }: { readonly id: string }) => ({ __typename: 'Person', id, name: `Person ${id}` });

const RESOLVERS: Readonly<Record<Name, object>> = {
  books: {
    Query: {
      book: (_parent: unknown, { id }: { id: string }) => book(id),
      topBooks: () => ['1', '2', '3'].map(book),
    },
    Mutation: { rate: (_parent: unknown, { id, stars }: { id: string; stars: number }) => ({ ...book(id), stars }) },
    Book: { __resolveReference: ({ id }: { readonly id: string }) => book(id) },
  },
  people: { Query: { me: () => person({ id: '7' }) }, Person: { __resolveReference: person } },
};

/** Two running subgraphs. */
export interface SmallGraph extends AsyncDisposable {
  readonly urls: Readonly<Record<Name, string>>;
  /** Returns the SDL of one subgraph. */
  sdlOf(name: Name, version: number): string;
  /** Returns the composed supergraph. */
  supergraphOf(version: number): string;
}

export async function startSmallGraph(): Promise<SmallGraph> {
  const books = await startSubgraph('books');
  const people = await startSubgraph('people');
  const urls = { books: books.url, people: people.url };
  const composition = composeSubgraphs(NAMES.map((name) => ({ name, url: urls[name], files: [{ path: name, text: SDL[name](0) }] })));
  if (composition.errors !== undefined) throw new Error(JSON.stringify(composition.errors));
  return {
    urls,
    sdlOf: (name, version) => SDL[name](version),
    supergraphOf: (version) => composition.supergraphSdl.replace('version 0', `version ${version}`),
    async [Symbol.asyncDispose]() {
      await Promise.all([books.close(), people.close()]);
    },
  };
}

async function startSubgraph(name: Name): Promise<{ readonly url: string; close(): Promise<void> }> {
  const schema = buildSubgraphSchema({ typeDefs: gql(SDL[name](0)), resolvers: RESOLVERS[name] as never });
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
      const result = await graphql({ schema, source: query, variableValues: variables });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
