import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cors } from '../../../../../gateway/config/sections/cors.ts';
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

interface Asked {
  readonly origin?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly gateway?: LibraryGateway;
}

async function ask(path: string, { origin, method = 'GET', headers = {}, gateway = library }: Asked) {
  const response = await fetch(new URL(path, gateway.url), {
    method,
    headers: { ...headers, ...(origin === undefined ? {} : { origin }) },
  });
  const told = Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')));
  return { status: response.status, told, vary: (response.headers.get('vary') ?? '').split(/, ?/), text: await response.text() };
}

const QUERY = '/graphql?query={__typename}';
const preflight = (method: string) => ({
  method: 'OPTIONS',
  headers: { 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
});

describe('origins that are not listed', () => {
  it.each(OTHERS)('receive no CORS headers for %s, but `Vary: Origin`', async (origin) => {
    for (const path of [QUERY, '/things']) {
      const answer = await ask(path, { origin });
      expect(answer).toMatchObject({ status: 200, told: {} });
      expect(answer.vary).toContain('Origin');
      expect((await ask(path, { origin, ...preflight('POST') })).told).toEqual({});
    }
  });

  it('receive neither CORS headers nor `Vary: Origin` when no origins are configured', async () => {
    for (const origin of [SHOP, ...OTHERS]) {
      for (const asked of [{}, preflight('POST')]) {
        const answer = await ask(QUERY, { origin, gateway: closed, ...asked });
        expect(answer.told).toEqual({});
        expect(answer.vary).not.toContain('Origin');
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
  const TOLD = {
    'access-control-allow-origin': SHOP,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': expect.stringContaining('x-correlation-id'),
  };

  it('may read a response, which retains its other `Vary` headers', async () => {
    const answer = await ask(QUERY, { origin: SHOP });
    expect(answer).toMatchObject({ status: 200, told: TOLD, text: '{"data":{"__typename":"Query"}}' });
    expect(answer.vary).toEqual(expect.arrayContaining(['Accept', 'Accept-Encoding', 'Origin']));
  });

  it('may read an error response', async () => {
    expect(await ask('/graphql?query={', { origin: SHOP, headers: { authorization: 'Bearer x' } })).toMatchObject({
      status: 401,
      told: TOLD,
    });
    expect(await ask('/%', { origin: SHOP })).toMatchObject({ status: 400, told: TOLD });
  });

  it('may read a response of a mounted handler', async () => {
    const answer = await ask('/things', { origin: SHOP });
    expect(answer).toMatchObject({ status: 200, told: TOLD, text: 'GET' });
    expect(answer.vary).toEqual(['Accept', 'Origin']);
  });

  it('cause `Vary: Origin` also for requests without an origin', async () => {
    const answer = await ask(QUERY, {});
    expect(answer.told).toEqual({});
    expect(answer.vary).toContain('Origin');
  });

  it.each([
    [QUERY, 'GET, HEAD, POST'],
    ['/things', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
  ])('receive every method and header by name in the preflight response of %s', async (path, methods) => {
    const answer = await ask(path, { origin: SHOP, ...preflight('DELETE') });
    expect(answer).toMatchObject({
      status: 204,
      text: '',
      told: {
        'access-control-allow-origin': SHOP,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': expect.stringMatching(/authorization.*content-type.*x-api-key/),
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '600',
      },
    });
    expect(Object.values(answer.told)).not.toContain('*');
    expect(answer.vary).toContain('Origin');
  });

  it('reach the handler of the path with OPTIONS that is not a preflight request', async () => {
    expect(await ask('/things', { origin: SHOP, method: 'OPTIONS' })).toMatchObject({ status: 200, text: 'OPTIONS' });
  });
});
