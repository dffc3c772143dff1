import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { gql } from 'graphql-tag';
import { type LibraryGateway, type LibraryGatewayOptions, startLibraryGateway } from '../../fixtures/library-graph.ts';

const BOOK = gql`
  query Book($id: ID!) {
    book(id: $id) {
      id
      title
    }
  }
`;
const RENAME = gql`
  mutation Rename($title: String!) {
    renameBook(id: "1", title: $title) {
      id
      title
    }
  }
`;

/** A client that sends the text of a document only once. */
interface PersistingClient {
  book(id: string): Promise<unknown>;
  rename(title: string): Promise<unknown>;
}

type Fetch = typeof fetch;

function apolloClient(url: string, send: Fetch): PersistingClient {
  const persisted = createPersistedQueryLink({
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    useGETForHashedQueries: true,
  });
  const client = new ApolloClient({ link: persisted.concat(new HttpLink({ uri: url, fetch: send })), cache: new InMemoryCache() });
  return {
    book: async (id) => (await client.query({ query: BOOK, variables: { id }, fetchPolicy: 'no-cache' })).data,
    rename: async (title) => (await client.mutate({ mutation: RENAME, variables: { title }, fetchPolicy: 'no-cache' })).data,
  };
}

function urqlClient(url: string, send: Fetch): PersistingClient {
  const persisted = persistedExchange({ preferGetForPersistedQueries: true, enableForMutation: true });
  const client = new Client({ url, exchanges: [persisted, fetchExchange], fetch: send, preferGetMethod: false });
  return {
    book: async (id) => (await client.query(BOOK, { id }).toPromise()).data,
    rename: async (title) => (await client.mutation(RENAME, { title }).toPromise()).data,
  };
}

describe.each([
  ['Apollo Client with its persisted query link', apolloClient, 'POST'],
  ['urql with its persisted exchange', urqlClient, 'GET'],
])('%s', (_client, connect, resentBy) => {
  let library: LibraryGateway;
  /** Method, whether the request had a text, and the first error code of the response, for each request. */
  let requests: string[];

  beforeEach(() => {
    requests = [];
  });
  afterEach(async () => {
    await library[Symbol.asyncDispose]();
  });

  const send: Fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { errors } = (await response.clone().json()) as {
      readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
    };
    const hasText =
      /[?&]query=/.test(input instanceof Request ? input.url : input.toString()) ||
      (typeof init?.body === 'string' && init.body.includes('"query"'));
    requests.push([init?.method ?? 'GET', hasText ? 'text' : 'hash', errors?.[0]?.extensions.code ?? 'data'].join(' '));
    return response;
  };

  async function client(config: LibraryGatewayOptions['config'] = {}): Promise<PersistingClient> {
    library = await startLibraryGateway({ config });
    return connect(`${library.url}/graphql`, send);
  }

  it('sends the text of a new document once for two requests', async () => {
    const { book } = await client();
    expect(await book('1')).toMatchObject({ book: { id: '1', title: 'Momo' } });
    expect(await book('2')).toMatchObject({ book: { id: '2' } });
    expect(requests).toEqual(['GET hash PERSISTED_QUERY_NOT_FOUND', `${resentBy} text data`, 'GET hash data']);
  });

  it('sends one request for a document that another client has sent', async () => {
    const first = await client();
    await first.book('1');
    requests = [];
    expect(await connect(`${library.url}/graphql`, send).book('3')).toMatchObject({ book: { id: '3' } });
    expect(requests).toEqual(['GET hash data']);
  });

  it('sends a mutation twice by POST, and its text once', async () => {
    const { rename } = await client();
    expect(await rename('Krabat')).toMatchObject({ renameBook: { title: 'Krabat' } });
    expect(await rename('Jim Knopf')).toMatchObject({ renameBook: { title: 'Jim Knopf' } });
    expect(requests).toEqual(['POST hash PERSISTED_QUERY_NOT_FOUND', 'POST text data', 'POST hash data']);
  });

  it('sends texts and stops trying when automatic persisted queries are off', async () => {
    const { book } = await client({ persisted: { automatic: false } });
    expect(await book('1')).toMatchObject({ book: { id: '1' } });
    expect(await book('2')).toMatchObject({ book: { id: '2' } });
    expect(requests[0]).toBe('GET hash PERSISTED_QUERY_NOT_SUPPORTED');
    expect(requests.slice(1)).toHaveLength(2);
    for (const request of requests.slice(1)) expect(request).toMatch(/^(?:GET|POST) text data$/);
  });

  it('is served each time above its limit of registrations', async () => {
    const { book } = await client({ persisted: { registrationsPerMinute: 1 } });
    const other = `{ __typename }`;
    const sha256Hash = createHash('sha256').update(other).digest('hex');
    await fetch(`${library.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: other, extensions: { persistedQuery: { version: 1, sha256Hash } } }),
    });
    for (const id of ['1', '2']) expect(await book(id)).toMatchObject({ book: { id } });
    expect(requests).toHaveLength(4);
  });
});
