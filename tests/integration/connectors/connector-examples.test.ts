import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveConnectRpc, servePlainGraphql, servePostgrest } from '../../fixtures/openapi/other-apis.ts';
import type { RestService } from '../../fixtures/openapi/serve-rest.ts';
import { serveSubgraphs, type ServedResponse, type ServedSubgraphs } from '../../support/openapi/serve-subgraphs.ts';
import { readMarkdownPage } from '../../support/pages/markdown-page.ts';

const SUBGRAPHS = readMarkdownPage('docs/guides/connector-examples.md')
  .blocks.filter(({ language }) => language === 'graphql')
  .map(({ text }) => text);

interface Served {
  query(query: string): Promise<ServedResponse>;
  /** Lists the requests to the service since the last call. */
  requested(): readonly string[];
}

/** Serves a subgraph of the page in front of a service of its kind. */
function describeExample(name: string, index: number, start: () => Promise<RestService>, body: (served: Served) => void): void {
  describe(`the connectors of the page for ${name}`, () => {
    let service: RestService;
    let gateway: ServedSubgraphs;
    let seen = 0;
    beforeAll(async () => {
      service = await start();
      gateway = await serveSubgraphs({ example: (SUBGRAPHS[index] ?? '').replace(/http:\/\/127\.0\.0\.1:\d+/, service.origin) });
    });
    afterAll(async () => {
      await gateway[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    });
    body({
      query: async (query) => gateway.query(query),
      requested() {
        const requests = service.requests.slice(seen).map(({ method, url }) => `${method} ${url.pathname}${url.search}`);
        seen = service.requests.length;
        return requests;
      },
    });
  });
}

describeExample('PostgREST', 0, servePostgrest, ({ query, requested }) => {
  it('read related rows of a page with one request', async () => {
    expect(await query('{ films(limit: 2, offset: 1) { title director { id name } } }')).toEqual({
      data: {
        films: [
          { title: 'Film 2', director: { id: '2', name: 'Director 2' } },
          { title: 'Film 3', director: { id: '1', name: 'Director 1' } },
        ],
      },
    });
    const [films, directors, ...more] = requested();
    expect([films, more]).toEqual(['GET /films?select=id,title,director_id&order=id&limit=2&offset=1', []]);
    expect(decodeURIComponent(directors ?? '')).toBe('GET /directors?id=in.(2,1)');
  });

  it('insert a row and return it', async () => {
    const response = await query('mutation { addFilm(title: "New", directorId: 2) { title director { name } } }');
    expect(response).toEqual({ data: { addFilm: { title: 'New', director: { name: 'Director 2' } } } });
  });
});

describeExample('Connect RPC', 1, serveConnectRpc, ({ query }) => {
  it('report the message of an error', async () => {
    const { data, errors } = await query('{ stock(sku: "s2") { available } }');
    expect(data).toEqual({ stock: null });
    expect(errors).toMatchObject([{ message: expect.stringContaining('No stock of s2.'), extensions: { code: 'NOT_FOUND' } }]);
  });

  it('call methods that read and that write', async () => {
    expect(await query('{ stock(sku: "s1") { sku available } }')).toEqual({ data: { stock: { sku: 's1', available: 5 } } });
    expect(await query('mutation { reserve(sku: "s1", count: 2) { available } }')).toEqual({ data: { reserve: { available: 3 } } });
  });
});

describeExample('GraphQL without entities', 2, servePlainGraphql, ({ query }) => {
  it('report an error in a response of the status 200', async () => {
    const { data, errors } = await query('{ country(code: "XX") { name } }');
    expect(data).toEqual({ country: null });
    expect(errors).toMatchObject([{ message: expect.stringContaining('The code XX is reserved.') }]);
  });

  it('find an object by its key', async () => {
    expect(await query('{ country(code: "NO") { name capital } none: country(code: "ZZ") { name } }')).toEqual({
      data: { country: { name: 'Norway', capital: 'Oslo' }, none: null },
    });
  });
});
