import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cors } from '../../../../../gateway/config/sections/cors.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { type LibraryGateway, startLibraryGateway } from '../../../../fixtures/library-graph.ts';

const SHOP = 'https://shop.example';
const OTHERS = [
  'https://evil.example',
  'http://shop.example',
  'https://shop.example.evil.example',
  'https://SHOP.example',
  'https://shop.example:443',
  'null',
  '*',
];

let library: LibraryGateway;
let closed: LibraryGateway;

beforeAll(async () => {
  const prepare: NonNullable<Parameters<typeof startLibraryGateway>[0]>['prepare'] = (gateway) =>
    gateway.mount((request, response) => {
      response.setHeader('vary', 'Accept');
      response.setHeader('content-type', 'text/plain');
      response.end(request.method);
    });
  library = await startLibraryGateway({ config: { server: { cors: { origins: [SHOP], credentials: true } } }, prepare });
  closed = await startLibraryGateway({ prepare });
});

afterAll(async () => {
  await library[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

interface QueryResult {
  readonly origin?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly gateway?: LibraryGateway;
}

async function request(path: string, { origin, method = 'GET', headers = {}, gateway = library }: QueryResult) {
  const response = await fetch(new URL(path, gateway.url), {
    method,
    headers: { ...headers, ...(origin === undefined ? {} : { origin }) },
  });
  const reported = Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')));
  return { status: response.status, reported, vary: (response.headers.get('vary') ?? '').split(/, ?/), text: await response.text() };
}

const QUERY = '/graphql?query={__typename}';
const preflight = (method: string) => ({
  method: 'OPTIONS',
  headers: { 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
});

describe('origins that are not listed', () => {
  it.each(OTHERS)('receive no CORS headers for %s, but `Vary: Origin`', async (origin) => {
    for (const path of [QUERY, '/things']) {
      const response = await request(path, { origin });
      expect(response).toMatchObject({ status: 200, reported: {} });
      expect(response.vary).toContain('Origin');
      expect((await request(path, { origin, ...preflight('POST') })).reported).toEqual({});
    }
  });

  it('receive neither CORS headers nor `Vary: Origin` when no origins are configured', async () => {
    for (const origin of [SHOP, ...OTHERS]) {
      for (const requested of [{}, preflight('POST')]) {
        const response = await request(QUERY, { origin, gateway: closed, ...requested });
        expect(response.reported).toEqual({});
        expect(response.vary).not.toContain('Origin');
      }
    }
  });

  it.each([
    ['*'],
    ['null'],
    ['https://*.shop.example'],
    ['https://shop.example/'],
    ['https://shop.example:443'],
    ['https://user@shop.example'],
    ['shop.example'],
    ['file://'],
    [''],
  ])('cannot be listed as "%s"', (origin) => {
    expect(() => cors.parse({ origins: [origin] })).toThrow('expected exact origins');
  });
});

describe('origins that are listed', () => {
  const REPORTED = {
    'access-control-allow-origin': SHOP,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': expect.stringContaining('x-correlation-id'),
  };

  it('may read a response, which retains its other `Vary` headers', async () => {
    const response = await request(QUERY, { origin: SHOP });
    expect(response).toMatchObject({ status: 200, reported: REPORTED, text: '{"data":{"__typename":"Query"}}' });
    expect(response.vary).toEqual(expect.arrayContaining(['Accept', 'Accept-Encoding', 'Origin']));
  });

  it('may read an error response', async () => {
    expect(await request('/graphql?query={', { origin: SHOP, headers: { authorization: 'Bearer x' } })).toMatchObject({
      status: 401,
      reported: REPORTED,
    });
    expect(await request('/%', { origin: SHOP })).toMatchObject({ status: 400, reported: REPORTED });
  });

  it('may read a response of a mounted handler', async () => {
    const response = await request('/things', { origin: SHOP });
    expect(response).toMatchObject({ status: 200, reported: REPORTED, text: 'GET' });
    expect(response.vary).toEqual(['Accept', 'Origin']);
  });

  it('cause `Vary: Origin` also for requests without an origin', async () => {
    const response = await request(QUERY, {});
    expect(response.reported).toEqual({});
    expect(response.vary).toContain('Origin');
  });

  it.each([
    [QUERY, 'GET, HEAD, POST'],
    ['/things', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
  ])('receive every method and header by name in the preflight response of %s', async (path, methods) => {
    const response = await request(path, { origin: SHOP, ...preflight('DELETE') });
    expect(response).toMatchObject({
      status: 204,
      text: '',
      reported: {
        'access-control-allow-origin': SHOP,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': expect.stringMatching(/authorization.*content-type.*x-api-key/),
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '600',
      },
    });
    expect(Object.values(response.reported)).not.toContain('*');
    expect(response.vary).toContain('Origin');
  });

  it('reach the handler of the path with OPTIONS that is not a preflight request', async () => {
    expect(await request('/things', { origin: SHOP, method: 'OPTIONS' })).toMatchObject({ status: 200, text: 'OPTIONS' });
  });
});

describe('origins of local pages', () => {
  const lines: unknown[][] = [];
  let local: LibraryGateway;
  let production: LibraryGateway;
  beforeAll(async () => {
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    local = await startLibraryGateway({ config: { server: { cors: { credentials: true } } }, logger });
    production = await startLibraryGateway({ config: { profile: 'production', auth: {} }, logger });
  });
  afterAll(async () => {
    await local[Symbol.asyncDispose]();
    await production[Symbol.asyncDispose]();
  });

  it('receive no CORS headers in production, and one line in the log for several requests', async () => {
    lines.length = 0;
    for (const requested of [preflight('POST'), preflight('POST'), {}]) {
      const response = await request(QUERY, { origin: 'http://localhost:5173', gateway: production, ...requested });
      expect(response.reported).toEqual({});
    }
    expect(lines).toEqual([
      [
        { setting: 'server.cors.origins', caller: 'web page', origin: 'http://localhost:5173', method: 'OPTIONS' },
        'A web page of another origin cannot read the response. The setting server.cors.origins decides.',
      ],
    ]);
  });

  it('are not logged when the page is one of the gateway itself', async () => {
    lines.length = 0;
    await request(QUERY, { origin: production.url, gateway: production });
    expect(lines).toEqual([]);
  });

  it.each(['http://localhost:5173', 'http://127.0.0.1:3000', 'https://localhost'])(
    'may read responses in the dev profile, without credentials of the browser: %s',
    async (origin) => {
      expect(await request(QUERY, { origin, gateway: local })).toMatchObject({
        status: 200,
        reported: { 'access-control-allow-origin': origin, 'access-control-expose-headers': expect.any(String) },
      });
      const { status, reported, vary } = await request(QUERY, { origin, gateway: local, ...preflight('POST') });
      expect([status, reported['access-control-allow-origin']]).toEqual([204, origin]);
      expect(reported['access-control-allow-credentials']).toBeUndefined();
      expect(vary).toContain('Origin');
    },
  );

  it('do not include origins of other sites with a similar name', async () => {
    for (const origin of ['http://localhost.evil.example', 'http://evil.example:5173']) {
      expect((await request(QUERY, { origin, gateway: local })).reported).toEqual({});
    }
  });
});
