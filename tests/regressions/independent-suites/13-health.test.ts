import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { sendRaw } from '../../support/http/raw-http.ts';

const DOCUMENT = {
  path: 'books.graphql',
  text: 'query ReadBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { id title } }',
};

describe('point 13: health', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway({
      config: { maintenance: { enabled: true } },
      prepare: (gateway) => gateway.mount(createRestFacade({ gateway, documents: [DOCUMENT] })),
    });
  });
  afterAll(async () => library[Symbol.asyncDispose]());

  it.each(['/health', '/health/live', '/api/health'])('%s returns 200 over HTTP/1.0 without Host', async (path) => {
    expect(await sendRaw(library.url, `GET ${path} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['/health', '/health/ready', '/api/health', '/v1/health', '/api/v1/health'])('%s supports OPTIONS', async (path) => {
    const response = await fetch(library.url + path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each(['/health', '/health/', '/api/health', '/v1/health', '/v1/health/'])(
    '%s returns the same, also during maintenance',
    async (path) => {
      const response = await fetch(library.url + path);
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok', checks: { supergraph: 'ok', lifecycle: 'ok' } }]);
      const rejected = await fetch(library.url + path, { method: 'DELETE' });
      expect(rejected.status).toBe(405);
    },
  );

  it('does not make resources public that are called health', async () => {
    expect((await fetch(`${library.url}/books/health`)).status).toBe(503);
  });
});

describe('point 13: the description', () => {
  it('has /health', async () => {
    await using library = await startLibraryGateway({
      prepare: (gateway) => gateway.mount(createRestFacade({ gateway, documents: [DOCUMENT] })),
    });
    const description = (await (await fetch(`${library.url}/openapi.json`)).json()) as { paths: Record<string, { get?: object }> };
    expect(description.paths['/health']?.get).toMatchObject({ responses: { 200: {}, 503: {} } });
  });
});

describe('point 13: HTTP/1.0', () => {
  it('supports the targets of HTTP/1.1: * as the server, and a target that names its host', async () => {
    await using library = await startLibraryGateway({
      prepare: (gateway) => gateway.mount(createRestFacade({ gateway, documents: [DOCUMENT] })),
    });
    const send = (target: string, version: '1.0' | '1.1', headers = ''): Promise<string> =>
      sendRaw(library.url, `${target} HTTP/${version}\r\n${version === '1.0' ? '' : 'Host: a\r\nConnection: close\r\n'}${headers}\r\n`);
    const allowOf = (response: string): string | undefined => /^allow: (.*)\r$/im.exec(response)?.[1];
    expect(allowOf(await send('OPTIONS *', '1.0'))).toBe(allowOf(await send('OPTIONS *', '1.1')));
    expect(allowOf(await send('OPTIONS *', '1.0'))).not.toBe(allowOf(await send('OPTIONS /', '1.0')));
    for (const target of ['*', 'foo', 'ftp://a/health', 'http://u@a/health']) {
      expect(await send(`GET ${target}`, '1.0', 'Accept: text/html\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(await send('GET http://a/health', '1.0')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send('GET http://a?query={__typename}', '1.0', 'Accept: text/html\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send('GET http://b/health', '1.0', 'Host: a\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('needs no Host for an operation', async () => {
    await using library = await startLibraryGateway();
    const response = await sendRaw(library.url, 'GET /graphql?query={__typename} HTTP/1.0\r\nAccept: application/json\r\n\r\n');
    expect(response).toContain('{"data":{"__typename":"Query"}}');
  });
});
