import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../cli/command-line.ts';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { type DescribedService, serveDescribed } from '../../fixtures/openapi/rest-services.ts';
import type { RestService } from '../../fixtures/openapi/serve-rest.ts';
import { type ServedResponse, serveSubgraphs, type ServedSubgraphs } from '../../support/openapi/serve-subgraphs.ts';
import { recordingTerminal } from '../../support/process/recording-terminal.ts';

interface Given {
  readonly name: DescribedService;
  /** Path of the service below its origin. */
  readonly basePath?: string;
  readonly config?: GatewayConfigInput;
  /** Environment variables of the gateway. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Another subgraph. ORIGIN is replaced by the origin of the service. */
  readonly other?: string;
}

interface Served {
  query(query: string): Promise<ServedResponse>;
  /** Lists the requests to the service since the last call, sorted. */
  requested(): readonly string[];
}

/** Describes a gateway that serves the draft for a service of the tests. */
function describeServed({ name, basePath = '', config, environment, other }: Given, body: (served: Served) => void): void {
  describe(`given the draft for ${name}, the gateway`, () => {
    let service: RestService;
    let gateway: ServedSubgraphs;
    let seen = 0;
    beforeAll(async () => {
      service = await serveDescribed(name);
      const terminal = recordingTerminal();
      const document = join(packageRoot, 'tests/fixtures/openapi', name);
      const args = ['connect', 'init', '--openapi', document, '--base-url', `${service.origin}${basePath}`];
      expect(await runCommandLine(args, terminal)).toBe(0);
      const subgraphs = {
        api: terminal.printed.join('\n'),
        ...(other === undefined ? {} : { other: other.replace('ORIGIN', service.origin) }),
      };
      gateway = await serveSubgraphs(subgraphs, config, environment);
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
        return requests.toSorted();
      },
    });
  });
}

describeServed({ name: 'library-crud.yaml', basePath: '/api/v1' }, ({ query, requested }) => {
  it('reports a missing book, and returns the others', async () => {
    const response = await query(
      '{ missing: book(id: 9) { title } books(limit: 2, tags: ["green"]) { id title } book(id: 2) { title tags } }',
    );
    expect(response.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(response.data).toEqual({ missing: null, books: [{ id: '1', title: 'Moss' }], book: { title: 'Fog', tags: ['gray', 'wet'] } });
    expect(requested()).toEqual(['GET /api/v1/books/2', 'GET /api/v1/books/9', 'GET /api/v1/books?limit=2&offset=0&tags=green']);
  });

  it('creates and deletes a book', async () => {
    const created = await query('mutation { createBook(input: { title: "Snow" }) { id title available } }');
    expect(created).toEqual({ data: { createBook: { id: '4', title: 'Snow', available: true } } });
    expect(await query('mutation { deleteBook(id: 4) }')).toEqual({ data: { deleteBook: true } });
  });
});

const BLOG_CONFIG = { connectors: { env: ['BLOG_TOKEN'] } };

describe('given a token in the environment', () => {
  describeServed({ name: 'blog-nested.yaml', config: BLOG_CONFIG, environment: { BLOG_TOKEN: 'secret' } }, ({ query, requested }) => {
    it('resolves nested paths, and the fields that they lack', async () => {
      const response = await query('{ users(perPage: 1) { name posts(limit: 1) { title author { address { city } } } } }');
      expect(response).toEqual({
        data: { users: [{ name: 'Ada', posts: [{ title: 'Ada 1', author: { address: { city: 'City of Ada' } } }] }] },
      });
      expect(requested()).toEqual(['GET /v2/posts/u1-p1', 'GET /v2/users/u1/posts?limit=1', 'GET /v2/users?page=1&per_page=1']);
    });

    it('runs actions', async () => {
      const response = await query('mutation { publishPost(id: "p1") createUserPost(userId: "u1", input: { title: "New" }) { id } }');
      expect(response).toEqual({ data: { publishPost: true, createUserPost: { id: 'u1-new' } } });
    });
  });
});

const SHELF = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key"])
    @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect"])
  type Query {
    shelf: [Product!] @connect(http: { GET: "ORIGIN/reviews" }, selection: "$.product { sku }")
  }
  type Product @key(fields: "sku", resolvable: false) { sku: ID! }
`;

describeServed({ name: 'products-batch.json', other: SHELF }, ({ query, requested }) => {
  it('resolves the products of another subgraph with one request', async () => {
    const names = ['a', 'b', 'c'].map((sku) => ({ name: `Product ${sku}` }));
    expect(await query('{ shelf { name } }')).toEqual({ data: { shelf: names } });
    expect(requested()).toEqual(['GET /products?skus=a%2Cb%2Cc&page_size=3', 'GET /reviews']);
  });
});

describeServed({ name: 'fleet-modern.yaml' }, ({ query, requested }) => {
  it('converts enum values, and returns maps as JSON', async () => {
    const response = await query('{ vehicles(status: IN_SERVICE) { vin status history mileage labels driver { name deputy } nickname } }');
    expect(response).toEqual({
      data: {
        vehicles: [
          {
            vin: 'V1',
            status: 'IN_SERVICE',
            history: ['OUT_OF_SERVICE', 'retired'],
            mileage: 5_000_000_000,
            labels: { team: 'north', 'x-y': '1' },
            driver: { name: 'Ada', deputy: { name: 'Ben' } },
            nickname: null,
          },
        ],
      },
    });
    expect(requested()).toEqual(['GET /vehicles?status=in-service']);
  });
});

describeServed({ name: 'hostile.json' }, ({ query, requested }) => {
  it('returns values of properties with odd names', async () => {
    const response = await query('{ types { typename grosseField field _1st aB constructor null } query(id: "a/b?c") { id true } typeS }');
    expect(response).toMatchObject({
      data: {
        types: [{ typename: 'A', grosseField: 3, field: 'N', _1st: 'first', aB: 'quoted', constructor: 'C', null: 0 }, { typename: 'B' }],
        query: { id: 'a/b?c', true: true },
        typeS: 'A B',
      },
    });
    expect(requested()).toEqual(['GET /__type%20s/', 'GET /__types', 'GET /query/a%2Fb%3Fc']);
  });

  it('runs operations without a response', async () => {
    expect(await query('mutation { deleteNoContent createNoResponse }')).toEqual({
      data: { deleteNoContent: true, createNoResponse: true },
    });
  });
});
