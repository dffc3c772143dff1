import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { parse } from 'yaml';
import { MappingInvalid, toExpress } from '../../../../../rest-facade/index.ts';
import { libraryDocuments } from '../../support/library-documents.ts';
import { type Sent, serveFacade } from '../../support/serve-facade.ts';

interface Described {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: object;
  readonly webhooks?: object;
}

describe('the OpenAPI endpoint', () => {
  it.each<[string, Sent, number]>([
    ['another method', { path: '/openapi.json', method: 'POST', body: {} }, 405],
    ['another method on the page', { path: '/docs', method: 'DELETE' }, 405],
    ['an unknown version', { path: '/v7/openapi.json' }, 404],
    ['version zero', { path: '/v0/openapi.json' }, 404],
    ['another format', { path: '/openapi.xml' }, 404],
    ['a slash at the end', { path: '/openapi.json/' }, 404],
    ['a mount before it', { path: '/api/openapi.json' }, 404],
    ['a package file that the page does not need', { path: '/docs/index.html' }, 404],
    ['a path that leaves the package', { path: '/docs/../package.json' }, 404],
    ['an encoded path that leaves the package', { path: '/docs/%2e%2e%2fpackage.json' }, 404],
    ['an inherited property of objects', { path: '/docs/constructor' }, 404],
    ['malformed percent-encoding', { path: '/docs/%zz' }, 400],
    ['a URL that is too long', { path: `/docs/${'x'.repeat(9_000)}` }, 414],
  ])('rejects %s', async (_title, request, status) => {
    await using facade = await serveFacade();
    const response = await facade.send(request);
    expect(response.status).toBe(status);
    if (status === 405) expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('returns 404 for all its paths when docs are disabled', async () => {
    await using facade = await serveFacade({ docs: false });
    const statuses = await Promise.all(
      ['/openapi.json', '/docs', '/docs/swagger-ui.css'].map(async (path) => (await facade.send({ path })).status),
    );
    expect(statuses).toEqual([404, 404, 404]);
  });

  it('returns 503 when no supergraph is loaded', async () => {
    await using facade = await serveFacade({ isLoaded: false });
    expect(await facade.send({ path: '/openapi.json' })).toMatchObject({ status: 503, json: { error: 'NO_SUPERGRAPH' } });
  });

  it('describes ten routes in less than 60 kB of JSON', async () => {
    const shelf =
      'query GetShelf($id: ID! @in(path: "shelf_id")) @endpoint(method: GET, path: "/shelves/{shelf_id}") { shelf(id: $id) @result { id } }';
    await using facade = await serveFacade({ documents: [...libraryDocuments, { path: 'rest/shelf.graphql', text: shelf }] });
    const { text, json } = await facade.send({ path: '/openapi.json' });
    const paths = json['paths'] as Readonly<Record<string, object>>;
    const described = Object.entries(paths).flatMap(([path, item]) => (path === '/health' ? [] : Object.keys(item)));
    expect(described).toHaveLength(10);
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  });

  it('serves the same description as JSON and YAML, with and without a version', async () => {
    await using facade = await serveFacade({ title: 'The library' });
    const [json, named, yaml] = await Promise.all(
      ['/openapi.json', '/v1/openapi.json', '/openapi.yaml'].map((path) => facade.send({ path })),
    );
    expect(json?.json).toMatchObject({ openapi: '3.1.1', info: { title: 'The library', version: '1' } });
    expect(named?.text).toBe(json?.text);
    expect(yaml?.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(parse(yaml?.text ?? '')).toEqual(json?.json);
  });

  it.each(['/openapi.json', '/openapi.yaml', '/docs', '/docs/swagger-ui.css', '/docs/page.js'])(
    '%s supports conditional requests, HEAD and OPTIONS',
    async (path) => {
      await using facade = await serveFacade();
      const first = await facade.send({ path });
      const { etag = '' } = first.headers;
      expect([first.status, first.headers['cache-control'], etag]).toEqual([200, 'no-cache', expect.stringMatching(/^"[\w-]{43}"$/)]);
      const again = await facade.send({ path, headers: { 'if-none-match': `"other", W/${etag}` } });
      expect([again.status, again.text, again.headers.etag, again.headers['content-type']]).toEqual([304, '', etag, undefined]);
      const { status, headers, json } = await facade.send({ path, headers: { 'if-match': `"other", W/${etag}` } });
      expect([status, headers.etag, json['error']]).toEqual([412, etag, 'PRECONDITION_FAILED']);
      for (const match of [`"other", ${etag}`, '*']) expect((await facade.send({ path, headers: { 'if-match': match } })).status).toBe(200);
      expect((await facade.send({ path, headers: { 'if-match': 'no tag' } })).status).toBe(400);
      const head = await facade.send({ path, method: 'HEAD' });
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(Buffer.byteLength(first.text))]);
      expect(await facade.send({ path, method: 'OPTIONS' })).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
    },
  );

  it.each(['/openapi.json', '/openapi.yaml', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])(
    '%s has a smaller body and another tag per content coding, also for HEAD',
    async (path) => {
      await using facade = await serveFacade();
      const request = (coding: string, more: Partial<Sent> = {}) =>
        facade.send({ path, ...more, headers: { 'accept-encoding': coding, ...more.headers } });
      const plain = await facade.send({ path });
      const coded = await Promise.all(['br', 'gzip, deflate, br;q=0.5', 'br'].map((coding) => request(coding)));
      expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(Buffer.byteLength(plain.text)) });
      expect(coded.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', 'br']);
      const tags = [plain, ...coded].map(({ headers }) => headers.etag ?? '');
      expect([new Set(tags).size, tags[3]]).toEqual([3, tags[1]]);
      for (const { text, headers } of coded) {
        expect([text === plain.text, headers.vary, headers['content-type']]).toEqual([
          true,
          'Accept-Encoding',
          plain.headers['content-type'],
        ]);
        expect(Number(headers['content-length'])).toBeLessThan(Buffer.byteLength(plain.text) / 3);
      }
      const [, ofBrotli = '', ofGzip = ''] = tags;
      const again = await request('br', { headers: { 'if-none-match': ofBrotli } });
      expect([again.status, again.text, again.headers.etag, again.headers.vary]).toEqual([304, '', ofBrotli, 'Accept-Encoding']);
      expect(again.headers['content-encoding']).toBeUndefined();
      expect((await request('br', { headers: { 'if-none-match': ofGzip } })).status).toBe(200);
      expect((await request('br', { headers: { 'if-match': ofBrotli } })).status).toBe(200);
      expect((await request('br', { headers: { 'if-match': ofGzip } })).status).toBe(412);
      const head = await request('br', { method: 'HEAD' });
      const { date, 'x-correlation-id': id } = head.headers;
      expect([head.status, head.text, head.headers]).toEqual([200, '', { ...coded[0]?.headers, date, 'x-correlation-id': id }]);
    },
  );

  it('sends images and responses without an accepted coding uncompressed', async () => {
    await using facade = await serveFacade();
    const identity = await facade.send({ path: '/openapi.json', headers: { 'accept-encoding': 'identity' } });
    const others = await Promise.all(
      ['/docs/favicon-32x32.png', '/docs'].map((path) => facade.send({ path, headers: { 'accept-encoding': 'br' } })),
    );
    expect((await facade.send({ path: '/docs/favicon-32x32.png', headers: { 'if-match': '"other"' } })).status).toBe(412);
    expect([identity, ...others].map(({ status, headers }) => [status, headers['content-encoding']])).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
    ]);
  });

  it('sends the description uncompressed when compression is disabled', async () => {
    await using facade = await serveFacade({ compression: { enabled: false, minBytes: 0 } });
    const { headers } = await facade.send({ path: '/openapi.json', headers: { 'accept-encoding': 'br' } });
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('lists the servers and mounts below the path of an outer server', async () => {
    await using facade = await serveFacade({ wrap: (inner) => express().use('/shop', toExpress(inner)) });
    const { json } = await facade.send({ path: '/shop/openapi.json' });
    expect((json as unknown as Described).servers.map(({ url }) => url)).toEqual(['/shop', '/shop/api', '/shop/v1', '/shop/api/v1']);
    expect((await facade.send({ path: '/shop/docs' })).text).toContain('src="docs/swagger-ui-bundle.js"');
  });

  it('names the version in every server URL of a non-default version', async () => {
    const later = {
      path: 'rest/later.graphql',
      text: 'query GetBookLater($id: ID! @in(path: "book_id")) @endpoint(method: GET, path: "/tomes/{book_id}", since: 2) { book(id: $id) @result { id } }',
    };
    await using facade = await serveFacade({ documents: [...libraryDocuments, later] });
    const { json } = await facade.send({ path: '/v2/openapi.json' });
    const described = json as unknown as Described;
    expect(described.servers.map(({ url }) => url)).toEqual(['/v2', '/api/v2']);
    expect(Object.keys(described.paths)).toContain('/tomes/{book_id}');
    const first = await facade.send({ path: '/openapi.json' });
    expect(Object.keys((first.json as unknown as Described).paths)).not.toContain('/tomes/{book_id}');
    // The browser selects the first option.
    const page = await facade.send({ path: '/docs' });
    expect([...page.text.matchAll(/<option value="(\d)">/g)].map(([, version]) => version)).toEqual(['2', '1']);
  });

  it('rejects documents that use the paths of the description', async () => {
    const taken = ['/docs', '/docs/{book_id}', '/openapi.json'].map((path, index) => ({
      path: `rest/taken-${index}.graphql`,
      text: path.includes('{')
        ? `query Q${index}($id: ID! @in(path: "book_id")) @endpoint(method: GET, path: "${path}") { book(id: $id) @result { id } }`
        : `query Q${index}($id: ID! @in(query: "id")) @endpoint(method: GET, path: "${path}") { book(id: $id) @result { id } }`,
    }));
    await expect(serveFacade({ documents: taken })).rejects.toThrow(MappingInvalid);
    await expect(serveFacade({ documents: taken })).rejects.toThrow(
      /is reserved for the API description[\s\S]*is reserved for the API description[\s\S]*is reserved for the API description/,
    );
  });

  it('the docs page loads nothing from other origins and sends nothing to them', async () => {
    await using facade = await serveFacade();
    const page = await facade.send({ path: '/docs' });
    const script = await facade.send({ path: '/docs/page.js' });
    expect(page.text + script.text).not.toMatch(/https?:\/\//);
    expect(script.text).toContain('validatorUrl: null');
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self';.*connect-src 'self'.*frame-ancestors 'none'$/,
    );
    const linked = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path = '']) => `/${path}`);
    const statuses = await Promise.all(linked.map(async (path) => (await facade.send({ path })).status));
    expect(statuses).toEqual(linked.map(() => 200));
    expect(linked).toHaveLength(5);
  });

  it('the docs page shows a title with markup as text', async () => {
    await using facade = await serveFacade({ title: '<script>alert("&")</script>' });
    expect((await facade.send({ path: '/docs' })).text).toContain('<title>&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;</title>');
  });

  it('describes the body, signed headers and responses of each webhook event', async () => {
    const text = '"A book came"\nsubscription BookAdded @webhook(event: "book.added") { bookAdded { id @entity title } }';
    await using facade = await serveFacade({ webhooks: [{ path: 'webhooks/books.graphql', text }] });
    const { webhooks } = (await facade.send({ path: '/openapi.json' })).json as unknown as Described;
    expect(webhooks).toMatchObject({
      'book.added': {
        post: {
          operationId: 'BookAdded',
          summary: 'A book came',
          parameters: [{ name: 'webhook-id' }, { name: 'webhook-timestamp' }, { name: 'webhook-signature' }],
          responses: { '2XX': {}, 410: {} },
        },
      },
    });
  });
});
