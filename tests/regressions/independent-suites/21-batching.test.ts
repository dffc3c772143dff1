import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApolloClient, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { gql } from 'graphql-tag';
import { SignJWT } from 'jose';
import type { SubgraphExecutor, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';

const JSON_TYPE = 'application/json';
const BOUND = 5;
const CAPACITY = 1_000;
const REJECTION_COST = 7;
const SIGNED_IN_CAPACITY = 3;

const BOOK = { query: '{ book(id: "1") { title } }' };
const BOOK_DATA = { data: { book: { title: 'Momo' } } };
const HELD = { query: '{ heldBook { title } }' };

interface Element {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string; readonly requestId: string } }[];
}

describe('point 21: batches', () => {
  let library: LibraryGateway;
  let subgraphRequests = 0;
  const held = new EventEmitter();
  const executor: SubgraphExecutor = async ({ body }, signal) => {
    subgraphRequests += 1;
    if (body.includes('heldBook')) {
      held.emit('asked');
      await once(signal, 'abort');
      held.emit('aborted');
      throw signal.reason;
    }
    const response = await fetch(library.subgraph.url, { method: 'POST', headers: { 'content-type': JSON_TYPE }, body });
    return (await response.json()) as SubgraphResponse;
  };

  beforeAll(async () => {
    library = await startLibraryGateway({
      config: {
        graphql: { maxBatchedOperations: BOUND },
        limits: { maxRootFields: 2 },
        budget: {
          mode: 'enforce',
          anonymous: { capacity: CAPACITY, refillPerSecond: 1 },
          signedIn: { capacity: SIGNED_IN_CAPACITY, refillPerSecond: 1 },
          weights: { rejection: REJECTION_COST },
        },
      },
      clock: { now: () => Date.now(), monotonic: () => 1_000 }, // Budgets do not refill.
      subgraphExecutor: () => Object.assign(executor, { [Symbol.asyncDispose]: async () => undefined }),
    });
  });
  afterAll(async () => library[Symbol.asyncDispose]());

  const send = (body: unknown, headers: Record<string, string> = {}, path = '/graphql'): Promise<Response> =>
    fetch(`${library.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });

  const request = async (batch: readonly unknown[], headers: Record<string, string> = {}): Promise<readonly Element[]> => {
    const response = await send(batch, headers);
    expect(response.status).toBe(200);
    return (await response.json()) as readonly Element[];
  };

  const codesOf = (elements: readonly Element[]) => elements.map(({ errors }) => errors?.map(({ extensions }) => extensions.code));

  const leftOf = (response: Response): number => Number(/;r=(?<left>\d+)/.exec(response.headers.get('ratelimit') ?? '')?.groups?.['left']);

  const tokenOf = (subject: string): Promise<string> =>
    new SignJWT({ sub: subject })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('gatefold-dev')
      .setAudience('gatefold')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(DEVELOPMENT_KEY));

  describe('a batch that is rejected as a whole', () => {
    it.each([
      ['an empty array', [], {}, 'The batch is empty'],
      ['more operations than the bound', Array.from({ length: BOUND + 1 }, () => BOOK), {}, `at most ${BOUND} are accepted`],
      ['more elements than the bound, which are not operations', [1, 2, 3, 4, 5, 6], {}, `at most ${BOUND} are accepted`],
      ['an array in the array', [BOOK, [BOOK]], {}, 'Element 1 of the batch'],
      ['null in the array', [BOOK, BOOK, null], {}, 'Element 2 of the batch'],
      ['a string in the array', ['{ __typename }'], {}, 'Element 0 of the batch'],
      ['an Idempotency-Key', [BOOK], { 'idempotency-key': '0123456789abcdef' }, 'Idempotency-Key applies to one operation'],
    ])('has %s', async (_case, batch, headers, message) => {
      const before = subgraphRequests;
      const response = await send(batch, headers);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        errors: [{ message: expect.stringContaining(message), extensions: { code: 'BAD_REQUEST', requestId: expect.any(String) } }],
      });
      expect(subgraphRequests).toBe(before);
    });

    it('has a path with a document id', async () => {
      const response = await send([BOOK], {}, '/graphql/some-document');
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('accepts one operation')]);
    });

    it('has invalid credentials', async () => {
      const response = await send([BOOK, BOOK], { authorization: 'Bearer nonsense' });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    });

    it('comes from a client that accepts only a stream', async () => {
      const response = await send([BOOK], { accept: 'text/event-stream' });
      const message = expect.stringContaining('A batch cannot be executed over a stream');
      const error = { message, extensions: { code: 'BAD_REQUEST', requestId: expect.any(String) } };
      expect([response.status, await response.json()]).toEqual([400, { errors: [error] }]);
    });

    it('is sent by GET', async () => {
      const response = await fetch(`${library.url}/graphql?query=${encodeURIComponent(JSON.stringify([BOOK]))}`);
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] });
    });
  });

  describe('an operation that is rejected', () => {
    it('has its errors at its own index, next to the data of the others', async () => {
      const rejected = [{ query: '{ nothing }' }, { query: '{ a: __typename b: __typename c: __typename }' }, { query: 1 }];
      const responses = await request([BOOK, ...rejected, BOOK]);
      expect([responses[0], responses[4]]).toEqual([BOOK_DATA, BOOK_DATA]);
      expect(codesOf(responses.slice(1, 4))).toEqual([['GRAPHQL_VALIDATION_FAILED'], ['ROOT_FIELD_LIMIT_EXCEEDED'], ['BAD_REQUEST']]);
    });

    it('is a subscription', async () => {
      const batch = [{ query: 'subscription { bookRenamed { id } }' }, BOOK];
      const responses = await request(batch, { accept: 'application/json, text/event-stream' });
      expect([codesOf(responses)[0], responses[1]]).toEqual([['BAD_REQUEST'], BOOK_DATA]);
    });

    it('is the first one that the budget does not cover', async () => {
      const authorization = `Bearer ${await tokenOf('spender')}`;
      const before = subgraphRequests;
      const responses = await request([BOOK, BOOK, BOOK, BOOK, BOOK], { authorization });
      expect(codesOf(responses)).toEqual([undefined, undefined, undefined, ['RATE_LIMITED'], ['RATE_LIMITED']]);
      expect(subgraphRequests - before).toBe(SIGNED_IN_CAPACITY);
    });

    it('is charged separately, as it would be alone', async () => {
      const mutation = { query: 'mutation { renameBook(id: "1", title: "x") { id } }' };
      const operations = [BOOK, { query: '{ nothing }' }, mutation];
      const start = leftOf(await send(BOOK));
      let last = start;
      for (const operation of operations) last = leftOf(await send(operation));
      const alone = start - last;
      expect(alone).toBeGreaterThan(REJECTION_COST);
      const left = leftOf(await send(operations));
      expect(last - left).toBe(alone);
    });
  });

  describe('a batch that is served', () => {
    it('has the headers of one response', async () => {
      const response = await send([BOOK, { query: '{ nothing }' }], {
        'x-correlation-id': 'batch-1',
        accept: 'application/graphql-response+json',
      });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/graphql-response+json; charset=utf-8',
        'cache-control': 'no-store',
        'x-correlation-id': 'batch-1',
        ratelimit: expect.not.stringContaining(','),
      });
      const [, rejected] = (await response.json()) as readonly Element[];
      expect(rejected?.errors?.[0]?.extensions.requestId).toBe('batch-1');
    });

    it('has one operation', async () => {
      expect(await request([BOOK])).toEqual([BOOK_DATA]);
    });

    it('has variables, operation names and the same JSON as single responses', async () => {
      const batch = [
        { query: 'query A { __typename } query B($id: ID!) { book(id: $id) { id } }', operationName: 'B', variables: { id: '1' } },
        { query: 'query A { __typename } query B { a: __typename }', operationName: 'A', variables: null },
      ];
      const single = await Promise.all(batch.map(async (one) => (await send(one)).text()));
      expect(await (await send(batch)).text()).toBe(`[${single.join(',')}]`);
    });

    it('has persisted queries by their hash', async () => {
      const query = '{ book(id: "1") { id title } }';
      const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
      expect(codesOf(await request([{ extensions }, BOOK]))).toEqual([['PERSISTED_QUERY_NOT_FOUND'], undefined]);
      await request([{ query, extensions }]);
      const data = { book: { id: '1', title: 'Momo' } };
      expect(await request([{ extensions }, { extensions }])).toEqual([{ data }, { data }]);
    });

    it('has deferred fragments in the same payload', async () => {
      const deferred = { query: '{ book(id: "1") { ... @defer { title } } }' };
      const responses = await request([deferred, BOOK], { accept: 'multipart/mixed;deferSpec=20220824, application/json' });
      expect(responses).toEqual([BOOK_DATA, BOOK_DATA]);
    });

    it('is sent by BatchHttpLink', async () => {
      const bodies: unknown[] = [];
      const link = new BatchHttpLink({
        uri: `${library.url}/graphql`,
        batchMax: BOUND,
        batchInterval: 5,
        fetch: async (url, init) => {
          const sent = new Request(url, init);
          bodies.push(await sent.clone().json());
          return fetch(sent);
        },
      });
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      const title = gql`query Title { book(id: "1") { title } }`;
      const unknown = gql`query Unknown { nothing }`;
      const [first, second] = await Promise.allSettled([client.query({ query: title }), client.query({ query: unknown })]);
      client.stop();
      expect(bodies).toEqual([
        [expect.objectContaining({ operationName: 'Title' }), expect.objectContaining({ operationName: 'Unknown' })],
      ]);
      expect(first).toMatchObject({ status: 'fulfilled', value: { data: { book: { title: 'Momo' } } } });
      expect(second).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('nothing') } });
    });
  });

  it('runs its operations in parallel and stops them all when the client disconnects', async () => {
    const times = (event: string, count: number): Promise<void> =>
      new Promise((resolve) => {
        let seen = 0;
        held.on(event, () => {
          seen += 1;
          if (seen === count) resolve();
        });
      });
    const [requested, aborted] = [times('asked', 2), times('aborted', 2)];
    const request = sendRequest(`${library.url}/graphql`, { method: 'POST', headers: { 'content-type': JSON_TYPE } });
    request.on('error', () => {});
    request.end(JSON.stringify([HELD, { query: '{ heldBook { id } }' }]));
    await requested; // The second operation has started although the first one waits.
    request.destroy();
    await aborted;
    held.removeAllListeners();
  });
});
