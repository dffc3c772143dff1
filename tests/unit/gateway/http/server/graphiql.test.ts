import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createGraphiqlHandler } from '../../../../../gateway/http/server/graphiql.ts';
import { createPublicHandler } from '../../../../../gateway/http/server/public-handler.ts';
import { createMounts } from '../../../../../gateway/http/server/mounts.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { sendRaw, statusesOf } from '../../../../support/http/raw-http.ts';

const SESSION = { respond: async () => ({ status: 200, headers: {}, body: '{"tokens":[]}' }) };
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('GraphiQL', () => {
  let directory: string;
  let server: Server;
  let url: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-studio-'));
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    await rm(directory, { recursive: true });
  });

  async function serve(studio: string): Promise<void> {
    const handler = createPublicHandler({
      graphql: async (_request, response) => void response.end('graphql'),
      health: () => false,
      pages: createGraphiqlHandler(studio, SESSION),
      mounts: createMounts(),
      logger: silentLogger,
      maxUrlBytes: 1_000,
    });
    server = createServer(handler);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function serveBuilt(): Promise<void> {
    await mkdir(join(directory, 'studio', 'assets'), { recursive: true });
    await writeFile(join(directory, 'secret.txt'), 'secret');
    await writeFile(join(directory, 'studio', 'index.html'), '<!doctype html>');
    await writeFile(join(directory, 'studio', 'assets', 'main-abc123.js'), 'export {}');
    await serve(join(directory, 'studio'));
  }

  it.each([['/'], ['/studio'], ['/graphql']])('explains how to build the page when a browser opens %s without a build', async (path) => {
    await serve(join(directory, 'missing'));
    const response = await fetch(url + path, { headers: BROWSER });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toContain('npm run build');
  });

  it.each([
    ['/studio/../secret.txt'],
    ['/studio/..%2fsecret.txt'],
    ['/studio/%2e%2e/secret.txt'],
    ['/studio/assets/..%2f..%2f..%2fsecret.txt'],
    ['/studio//etc/passwd'],
    ['/studio/assets'],
    ['/studio/assets/nothing.js'],
    ['/studio/constructor'],
  ])('returns 404 for %s', async (path) => {
    await serveBuilt();
    const response = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(statusesOf(response)).toEqual([404]);
    expect(response).not.toContain('secret\n');
  });

  it('rejects POST to a page, and names GET', async () => {
    await serveBuilt();
    const response = await fetch(`${url}/studio`, { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('serves no page at /graphql to a client that prefers data', async () => {
    await serveBuilt();
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9']) {
      expect(await (await fetch(`${url}/graphql`, { headers: { accept } })).text()).toBe('graphql');
    }
    expect(await (await fetch(`${url}/graphql`, { method: 'POST', headers: BROWSER })).text()).toBe('graphql');
  });

  it.each([['/'], ['/studio'], ['/studio/'], ['/graphql'], ['/graphql?query={a}']])(
    'serves the page when a browser opens %s',
    async (path) => {
      await serveBuilt();
      const response = await fetch(url + path, { headers: BROWSER });
      expect(await response.text()).toBe('<!doctype html>');
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'Accept',
        'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self';"),
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it('serves the session data, and only to GET and HEAD', async () => {
    await serveBuilt();
    expect(await (await fetch(`${url}/studio/session.json`)).text()).toBe('{"tokens":[]}');
    expect((await fetch(`${url}/studio/session.json`, { method: 'POST' })).status).toBe(405);
  });

  it('allows clients to cache an asset for a year, and returns 304 for a cached one', async () => {
    await serveBuilt();
    const asset = `${url}/studio/assets/main-abc123.js`;
    const first = await fetch(asset);
    expect(await first.text()).toBe('export {}');
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(asset, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    expect((await fetch(asset, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});
