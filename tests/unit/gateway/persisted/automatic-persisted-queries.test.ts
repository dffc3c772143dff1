import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';
import { type LibraryGateway, type LibraryGatewayOptions, startLibraryGateway } from '../../../fixtures/library-graph.ts';
import { getGraphql, postGraphql } from '../../../support/http/graphql-over-http.ts';
import { sharedByTests } from '../../../support/stack/shared-by-tests.ts';

const QUERY = 'query Book($id: ID!) { book(id: $id) { id title } }';
const VARIABLES = { id: '7' };
const BOOK = { data: { book: { id: '7', title: 'Momo' } } };
const NOT_FOUND = {
  status: 200,
  body: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
};

const byHash = (hash: unknown): { readonly extensions: unknown } => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });
const hashed = (text: string) => byHash(sha256Of(text));

describe('automatic persisted queries', () => {
  let now = 0;
  let library: LibraryGateway | undefined;
  let url: string;

  async function start(options: LibraryGatewayOptions = {}): Promise<void> {
    library = await startLibraryGateway({ clock: { now: Date.now, monotonic: () => now }, ...options });
    url = `${library.url}/graphql`;
  }

  beforeEach(() => {
    now = 1_000_000;
  });
  afterEach(async () => {
    await library?.[Symbol.asyncDispose]();
    library = undefined;
  });

  describe('rejected requests', () => {
    // The gateway does not store rejected documents, so these tests cannot affect each other.
    const strict = sharedByTests(async () => startLibraryGateway({ clock: { now: Date.now, monotonic: () => now } }));
    const useStrict = (): void => {
      url = `${strict().url}/graphql`;
    };

    it.each<[string, unknown]>([
      ['a text', 'x'],
      ['a list', []],
      ['a number', 1],
      ['empty', {}],
      ['of another version', { version: 2, sha256Hash: 'a'.repeat(64) }],
      ['of a version in quotes', { version: '1', sha256Hash: 'a'.repeat(64) }],
      ['without a hash', { version: 1 }],
      ['with a hash that is an object', { version: 1, sha256Hash: {} }],
      ['with a hash that is a list', { version: 1, sha256Hash: ['a'.repeat(64)] }],
      ['with a hash that is a number', { version: 1, sha256Hash: 1 }],
      ['with too short a hash', { version: 1, sha256Hash: 'a'.repeat(63) }],
      ['with too long a hash', { version: 1, sha256Hash: 'a'.repeat(65) }],
      ['with a hash of other digits', { version: 1, sha256Hash: 'g'.repeat(64) }],
      ['with a hash and a line feed', { version: 1, sha256Hash: `${'a'.repeat(64)}\n` }],
      ['with a hash of half a megabyte', { version: 1, sha256Hash: 'a'.repeat(524_288) }],
    ])('rejects an extension that is %s, with and without a query text', async (_what, persistedQuery) => {
      useStrict();
      for (const query of [{}, { query: '{ __typename }' }]) {
        expect(await postGraphql(url, { ...query, extensions: { persistedQuery } })).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
      }
    });

    it('rejects and does not store a text with a wrong hash in both media types', async () => {
      useStrict();
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        expect(await postGraphql(url, { query: '{ __typename }', ...hashed(QUERY) }, { accept })).toMatchObject({
          status: 400,
          code: 'PERSISTED_QUERY_HASH_MISMATCH',
        });
      }
      for (const text of [QUERY, '{ __typename }']) expect(await postGraphql(url, hashed(text))).toMatchObject(NOT_FOUND);
    });

    it.each([
      ['with a syntax error', '{ book(', {}],
      ['that is not valid', '{ nothing }', {}],
      ['beyond a limit', `{ ${'__typename '.repeat(21)} }`, {}],
      ['without its variable', QUERY, {}],
      ['with an operation that it does not have', '{ __typename }', { operationName: 'Other' }],
      ['of a subscription', 'subscription { bookRenamed { id } }', {}],
    ])('does not store a document %s', async (_what, query, more) => {
      useStrict();
      expect((await postGraphql(url, { query, ...hashed(query), ...more })).code).toEqual(expect.any(String));
      expect(await postGraphql(url, hashed(query))).toMatchObject(NOT_FOUND);
    });

    it('does not execute a mutation by GET and names POST in `Allow`', async () => {
      useStrict();
      const query = 'mutation { renameBook(id: "1", title: "x") { title } }';
      expect(await getGraphql(url, { query, ...hashed(query) })).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
      expect(await getGraphql(url, hashed(query))).toMatchObject(NOT_FOUND);
      expect(await postGraphql(url, { query, ...hashed(query) })).toMatchObject({ body: { data: { renameBook: { title: 'x' } } } });
      const response = await getGraphql(url, hashed(query));
      expect(response).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
      expect(response.headers.get('allow')).toBe('POST');
      expect(await postGraphql(url, hashed(query))).toMatchObject({ body: { data: { renameBook: { title: 'x' } } } });
    });

    it('rejects disabled introspection by hash as by text', async () => {
      await start({ config: { graphql: { introspection: false } } });
      const query = '{ __schema { queryType { name } } }';
      expect(await postGraphql(url, { query, ...hashed(query) })).toMatchObject({ code: 'INTROSPECTION_DISABLED' });
      expect(await postGraphql(url, hashed(query))).toMatchObject(NOT_FOUND);
    });

    it('rejects a cross-site request that names a hash, as it does with a text', async () => {
      useStrict();
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify(hashed(QUERY)) });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('CSRF_BLOCKED');
    });

    it('rejects hashes and executes texts with or without a hash when disabled', async () => {
      await start({ config: { persisted: { automatic: false } } });
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        expect(await postGraphql(url, hashed(QUERY), { accept })).toMatchObject({
          status: 200,
          body: { errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] },
        });
      }
      expect(await postGraphql(url, { query: QUERY, variables: VARIABLES, ...hashed(QUERY) })).toMatchObject({ status: 200, body: BOOK });
      expect(await postGraphql(url, hashed(QUERY))).toMatchObject({ code: 'PERSISTED_QUERY_NOT_SUPPORTED' });
    });
  });

  describe('registration', () => {
    it.each(['application/json', 'application/graphql-response+json'])(
      'registers a document after a miss, then executes its hash, for Accept: %s',
      async (accept) => {
        await start();
        const response = await getGraphql(url, { variables: VARIABLES, ...hashed(QUERY) }, { accept });
        expect(response).toMatchObject(NOT_FOUND);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(await postGraphql(url, { query: QUERY, variables: VARIABLES, ...hashed(QUERY) }, { accept })).toMatchObject({ body: BOOK });
        expect(await getGraphql(url, { variables: VARIABLES, ...hashed(QUERY) }, { accept })).toMatchObject({ status: 200, body: BOOK });
        expect(await postGraphql(url, { variables: { id: '8' }, ...hashed(QUERY) }, { accept })).toMatchObject({
          body: { data: { book: { id: '8' } } },
        });
      },
    );

    it('finds a document that was registered by GET by its hash in uppercase', async () => {
      await start();
      expect(await getGraphql(url, { query: QUERY, variables: VARIABLES, ...hashed(QUERY) })).toMatchObject({ body: BOOK });
      const capitals = byHash(sha256Of(QUERY).toUpperCase());
      expect(await getGraphql(url, { variables: VARIABLES, ...capitals })).toMatchObject({ body: BOOK });
      expect(await postGraphql(url, { query: QUERY, variables: VARIABLES, ...capitals })).toMatchObject({ body: BOOK });
    });

    it('executes the named operation of a registered document with two operations', async () => {
      await start();
      const query = `${QUERY} query Other { __typename }`;
      await postGraphql(url, { query, operationName: 'Other', ...hashed(query) });
      expect(await getGraphql(url, { ...hashed(query), operationName: 'Book', variables: VARIABLES })).toMatchObject({ body: BOOK });
      expect(await getGraphql(url, { ...hashed(query) })).toMatchObject({ code: 'OPERATION_RESOLUTION_FAILURE' });
    });

    it('forgets a document after a day', async () => {
      await start();
      await postGraphql(url, { query: QUERY, variables: VARIABLES, ...hashed(QUERY) });
      now += 86_400_000 - 1;
      expect(await postGraphql(url, { variables: VARIABLES, ...hashed(QUERY) })).toMatchObject({ body: BOOK });
      now += 2;
      expect(await postGraphql(url, { variables: VARIABLES, ...hashed(QUERY) })).toMatchObject(NOT_FOUND);
    });

    it('executes but does not store a document of more than 16 KiB', async () => {
      await start();
      const query = `# ${'x'.repeat(16_384)}\n${QUERY}`;
      expect(await postGraphql(url, { query, variables: VARIABLES, ...hashed(query) })).toMatchObject({ status: 200, body: BOOK });
      expect(await postGraphql(url, hashed(query))).toMatchObject(NOT_FOUND);
    });

    it('executes but does not store documents above the quota, and retains others', async () => {
      await start();
      await postGraphql(url, { query: QUERY, variables: VARIABLES, ...hashed(QUERY) });
      const queries = Array.from({ length: 70 }, (_, index) => `{ a${index}: __typename }`);
      for (const query of queries) expect(await postGraphql(url, { query, ...hashed(query) })).toMatchObject({ status: 200 });
      const responses = await Promise.all(queries.map((query) => postGraphql(url, hashed(query))));
      expect(responses.filter(({ code }) => code === undefined)).toHaveLength(59);
      expect(await postGraphql(url, { variables: VARIABLES, ...hashed(QUERY) })).toMatchObject({ body: BOOK });
      now += 60_000; // The quota is full again, and a known document does not use it up.
      for (let index = 0; index < 70; index += 1) await postGraphql(url, { query: QUERY, variables: VARIABLES, ...hashed(QUERY) });
      const last = queries.at(-1) ?? '';
      await postGraphql(url, { query: last, ...hashed(last) });
      expect(await postGraphql(url, hashed(last))).toMatchObject({ status: 200, body: { data: { a69: 'Query' } } });
    });
  });
});
