import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse } from '../../support/http/http-client.ts';
import { missingRedisServer, type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { signToken } from '../../support/identity/tokens.ts';

interface Caller {
  readonly name: string;
  readonly token: string | undefined;
  /** Name of the caller in the subgraph. It occurs in all data of this caller, and in no data of others. */
  readonly mark: string;
}

const callerOf = (name: string, roles: readonly string[]): Caller => ({
  name,
  token: signToken({ sub: `mark-${name}-end`, roles }, { key: DEVELOPMENT_KEY }),
  mark: `mark-${name}-end`,
});

const A = callerOf('a', ['USER']);
const OTHERS: readonly Caller[] = [
  callerOf('b', ['USER']),
  callerOf('admin', ['ADMIN']),
  { name: 'anon', token: undefined, mark: 'nobody' },
];
const EXPIRED = signToken({ sub: A.mark, roles: ['USER'], exp: 1_000_000_000 }, { key: DEVELOPMENT_KEY });

/** A hundred operations: public and private, several root fields, with aliases, in fragments, and with \`@skip\` on and off. */
const OPERATIONS: readonly string[] = Array.from({ length: 10 }, (_, id) => id).flatMap((id) => {
  const skip = 'query ($id: ID!, $no: Boolean!) { page(id: $id) { text } me @skip(if: $no) { text } }';
  return [
    pathOf(`{ page(id: ${id}) { id text } }`),
    pathOf('query ($id: ID!) { page(id: $id) { text } }', { id: `${id}` }),
    pathOf(`{ p${id}: page(id: ${id}) { text } }`),
    pathOf(`{ m${id}: me { id text } }`),
    pathOf(`{ me { text } page(id: ${id}) { text } }`),
    pathOf(`{ page(id: ${id}) { text } other(id: ${id}) { text } a: page(id: 1) { id } }`),
    pathOf(`{ page(id: ${id}) { ...all } } fragment all on Page { id text }`),
    pathOf(skip, { id: `${id}`, no: true }),
    pathOf(skip, { id: `${id}`, no: false }),
    pathOf('query ($id: ID!, $yes: Boolean!) { me { text } page(id: $id) @include(if: $yes) { text } }', {
      id: `${id}`,
      yes: id % 2 === 0,
    }),
  ];
});

function pathOf(query: string, variables: object = {}): string {
  return `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`;
}

/**
 * Defines the tests of one cache configuration.
 *
 * @param open starts the gateway that A uses, and the gateway that all others use
 */
function crossTenantMatrix(
  name: string,
  open: () => Promise<{ readonly one: CachedGraph; readonly other: CachedGraph } & AsyncDisposable>,
): void {
  describe(`Cross-tenant cache leak: ${name}`, () => {
    let underTest: Awaited<ReturnType<typeof open>>;
    /** Responses that A received, by path. */
    const filled = new Map<string, HttpResponse>();

    const read = ({ url }: CachedGraph, path: string, token: string | undefined, etag?: string): Promise<HttpResponse> =>
      createHttpClient({ origin: url }).get(path, { token, headers: etag === undefined ? {} : { 'if-none-match': etag } });

    beforeAll(async () => {
      underTest = await open();
      for (const path of OPERATIONS) filled.set(path, await read(underTest.one, path, A.token));
    });

    afterAll(async () => {
      await underTest[Symbol.asyncDispose]();
    });

    it('caches 100 responses of A that are private, have a tag, and belong to A', () => {
      expect(filled.size).toBe(100);
      for (const { text, headers } of filled.values()) {
        expect(text).toContain(A.mark);
        expect(headers).toMatchObject({ 'cache-control': 'private, max-age=60', etag: expect.any(String) as unknown });
      }
    });

    it.each(OTHERS)('shows $name nothing of A, and never returns 304 for a tag of A', async (caller) => {
      let leaks = 0;
      for (const [path, { headers }] of filled) {
        for (const etag of [undefined, headers.etag]) {
          const response = await read(underTest.other, path, caller.token, etag);
          if (response.status !== 200 || response.text.includes(A.mark) || !response.text.includes(caller.mark)) leaks += 1;
        }
      }
      expect(leaks).toBe(0);
    });

    it('rejects an expired token of A for each cached response', async () => {
      let leaks = 0;
      for (const [path, { headers }] of filled) {
        const response = await read(underTest.other, path, EXPIRED, headers.etag);
        if (response.status !== 401 || response.text.includes(A.mark)) leaks += 1;
      }
      expect(leaks).toBe(0);
    });

    it('rejects a batch in which B requests everything', async () => {
      const [b] = OTHERS;
      const batch = Array.from({ length: 100 }, (_, id) => ({ query: `{ page(id: ${id}) { id text } }` }));
      const response = await createHttpClient({ origin: underTest.other.url }).post('/graphql', batch, { token: b?.token });
      expect({ status: response.status, leaks: response.text.includes(A.mark) }).toEqual({ status: 400, leaks: false });
    });

    it('returns 304 to A for its own tags after all others have read', async () => {
      for (const [path, { headers }] of filled) {
        expect((await read(underTest.other, path, A.token, headers.etag)).status).toBe(304);
      }
    });
  });
}

crossTenantMatrix('memory', async () => {
  const graph = await startCachedGraph();
  return { one: graph, other: graph, [Symbol.asyncDispose]: () => graph[Symbol.asyncDispose]() };
});

(missingRedisServer() === undefined ? describe : describe.skip)('with Redis', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedisServer();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  crossTenantMatrix('two gateways with one Redis', async () => {
    const config = { redis: { url: server.url } };
    const [one, other] = [await startCachedGraph(config), await startCachedGraph(config)];
    await untilShared(server.url, one);
    return {
      one,
      other,
      async [Symbol.asyncDispose]() {
        await one[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  });

  /** Waits until the responses of a gateway reach Redis. The gateway itself does not wait for Redis. */
  async function untilShared(url: string, { url: origin }: CachedGraph): Promise<void> {
    const client = new Redis(url);
    for (let id = 1_000; (await client.keys('{gatefold:kept:*')).length === 0; id += 1) {
      await createHttpClient({ origin }).get(pathOf(`{ page(id: ${id}) { text } }`));
    }
    client.disconnect();
  }
});
