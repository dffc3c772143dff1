import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, it } from '@jest/globals';
import { gql } from 'graphql-tag';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { createRestFacade, fromApolloServer } from '../../../rest-facade/index.ts';

const SDL = 'type Query { book(id: ID!): Book } type Book { id: ID! title: String! }';
const ROUTE =
  '"Shows a book." query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { id title } }';

describe('point 20: the facade in front of the stock gateway', () => {
  it.each([
    ['after', true],
    ['before', false],
  ])('serves when it was created %s server.start()', async (_when, isLate) => {
    const composition = composeSubgraphs([{ name: 'books', url: 'http://books.example', files: [{ path: 'books.graphql', text: SDL }] }]);
    if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
    const schema = buildSubgraphSchema({
      typeDefs: gql(SDL),
      resolvers: { Query: { book: (_source: unknown, { id }: { readonly id: string }) => ({ id, title: 'Momo' }) } },
    });
    const gateway = new ApolloGateway({
      supergraphSdl: composition.supergraphSdl,
      buildService: () => new LocalGraphQLDataSource(schema),
    });
    const apollo = new ApolloServer({ gateway, stopOnTerminationSignals: false });
    if (isLate) await apollo.start();
    const documents = [{ path: 'rest/books.graphql', text: ROUTE }];
    const facade = createRestFacade({ documents, schema: gateway, execute: fromApolloServer(apollo, () => ({})) });
    if (!isLate) await apollo.start();
    const server = createServer((request, response) => facade(request, response));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/books/1`, {
      headers: { connection: 'close' },
    });
    expect([response.status, await response.json()]).toEqual([200, { id: '1', title: 'Momo' }]);
    server.close();
    await apollo.stop();
  });
});
