import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { Client, fetchExchange } from '@urql/core';
import { gql } from 'graphql-tag';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { type DeferredGraph, startDeferredGraph } from '../../fixtures/deferred-graph.ts';

const BOOK = gql`
  query Book {
    book(id: "1") {
      id
      title
      ... @defer(label: "price") {
        price
      }
      ...Reviews @defer
    }
  }
  fragment Reviews on Book {
    reviews {
      text
      ... @defer {
        by {
          id
          name
        }
      }
    }
  }
`;

const FIRST = { id: '1', title: 'Momo' };
const REVIEWS = [
  { text: 'a on 1', by: { id: 'a', name: 'A' } },
  { text: 'b on 1', by: { id: 'b', name: 'B' } },
];

/** Queries the book, and passes every state that the client shows to `onResult`. */
type QueryRequest = (url: string, onResult: (result: { readonly book: unknown; readonly isFailed: boolean }) => void) => Promise<void>;

const requestByApollo: QueryRequest = async (url, onResult) => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: url }),
    cache: new InMemoryCache(),
    incrementalHandler: new Defer20220824Handler(),
  });
  const results = client.watchQuery<{ book: unknown }>({ query: BOOK, fetchPolicy: 'no-cache', errorPolicy: 'all' });
  await new Promise<void>((resolve) => {
    results.subscribe(({ data, error, loading }) => {
      if (data !== undefined) onResult({ book: structuredClone(data.book), isFailed: error !== undefined });
      if (!loading) resolve();
    });
  });
  client.stop();
};

const requestByUrql: QueryRequest = async (url, onResult) => {
  const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });
  await new Promise<void>((resolve) => {
    client.query<{ book: unknown }>(BOOK, {}).subscribe(({ data, error, hasNext }) => {
      onResult({ book: structuredClone(data?.book), isFailed: error !== undefined });
      if (!hasNext) resolve();
    });
  });
};

describe.each([
  ['Apollo Client', requestByApollo],
  ['urql', requestByUrql],
])('fragments under @defer in %s', (_client, request) => {
  let graph: DeferredGraph;

  beforeEach(async () => {
    graph = await startDeferredGraph();
  });
  afterEach(async () => {
    await graph[Symbol.asyncDispose]();
  });

  it('shows the rest while a subgraph hangs, and everything at the end', async () => {
    graph.gates.close('prices');
    const shown: unknown[] = [];
    await request(`${graph.url}/graphql`, ({ book }) => {
      shown.push(book);
      if (JSON.stringify(book).includes('"name":"B"')) graph.gates.open('prices');
    });
    expect(shown[0]).toMatchObject(FIRST);
    expect(shown[0]).not.toHaveProperty('price');
    expect(shown.some((book) => JSON.stringify(book).includes('"name":"B"') && !JSON.stringify(book).includes('"price"'))).toBe(true);
    expect(shown.at(-1)).toMatchObject({ ...FIRST, price: 10, reviews: REVIEWS });
  });

  it('shows an error and everything else when a subgraph fails', async () => {
    graph.gates.fail('prices', new GatewayError('SUBGRAPH_UNAVAILABLE', 'down'));
    const shown: { readonly book: unknown; readonly isFailed: boolean }[] = [];
    await request(`${graph.url}/graphql`, (result) => shown.push(result));
    expect(shown.at(-1)).toMatchObject({ isFailed: true, book: { ...FIRST, price: null, reviews: REVIEWS } });
  });
});
