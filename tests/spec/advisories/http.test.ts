import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { queryByWebSocket } from '../../support/websocket/query-by-websocket.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';

let graph: CachedGraph;
let http: HttpClient;
beforeAll(async () => {
  graph = await startCachedGraph();
  http = createHttpClient({ origin: graph.url });
});
afterAll(async () => graph[Symbol.asyncDispose]());

const PAGE = `/graphql?query=${encodeURIComponent('{ page(id: 1) { id } }')}`;

describe.each([['GHSA-hff2-gcpx-8f4p'], ['GHSA-9q82-xgwf-vj6h']])('%s: requests that a page of another site can send', (_id) => {
  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['text/plain; application/json'],
    ['application/json-but-not-really'],
    ['text/plain;charset=utf-8, application/json'],
    [';'],
  ])('POST with the content type "%s" runs no operation', async (type) => {
    const before = graph.requested.length;
    const body = '{"query":"mutation { publish(id: 1) { id } }"}';
    const { status } = await http.send({ method: 'POST', path: '/graphql', headers: { 'content-type': type }, body });
    expect([400, 415]).toContain(status);
    expect(graph.requested).toHaveLength(before);
  });

  it.each([['text/plain'], ['message/http'], ['x'], ['application/json; charset=utf-7']])(
    'GET with the content type "%s" runs no mutation',
    async (type) => {
      const before = graph.requested.length;
      const path = `/graphql?query=${encodeURIComponent('mutation { publish(id: 1) { id } }')}`;
      const { status } = await http.get(path, { headers: { 'content-type': type } });
      expect([400, 405, 415]).toContain(status);
      expect(graph.requested).toHaveLength(before);
    },
  );

  it.each([['text/plain'], ['multipart/form-data; boundary=x'], ['message/x'], ['application/xml']])(
    'GET of a query with the content type "%s" returns 415 with any browser credentials',
    async (type) => {
      for (const authorization of [undefined, 'Basic YTpi', 'Negotiate x']) {
        const headers = { 'content-type': type, ...(authorization === undefined ? {} : { authorization }) };
        expect((await http.get(PAGE, { headers })).status).toBe(415);
      }
    },
  );
});

describe('GHSA-8r69-3cvp-wxc3: freshness of several operations in one request', () => {
  it.each([
    ['two operations', [{ query: '{ page(id: 1) { id } }' }, { query: '{ me { id } }' }]],
    ['one operation in a list', [{ query: '{ page(id: 1) { id } }' }]],
    ['lists within lists', [[{ query: '{ page(id: 1) { id } }' }]]],
    ['an empty list', []],
  ])('rejects %s with a response that must not be stored', async (_what, batch) => {
    const { status, headers, text } = await http.post('/graphql', batch);
    expect({ status, stored: headers['cache-control'] ?? 'no-store' }).toEqual({ status: 400, stored: 'no-store' });
    expect(text).toContain('BATCHING_DISABLED');
  });

  it('applies the stricter policy to a query with a public and a private root', async () => {
    const { headers } = await http.get(`/graphql?query=${encodeURIComponent('{ page(id: 1) { id } me { id } }')}`);
    expect(headers['cache-control']).toMatch(/private|no-store/);
  });
});

describe('CVE-2023-41317: anonymous operations without a name', () => {
  const SUBSCRIPTION = 'subscription { a }';
  it.each([
    ['POST', (query: string) => http.post('/graphql', { query })],
    ['GET', (query: string) => http.get(`/graphql?query=${encodeURIComponent(query)}`)],
    [
      'GET of multipart',
      (query: string) => http.get(`/graphql?query=${encodeURIComponent(query)}`, { headers: { accept: 'multipart/mixed' } }),
    ],
    [
      'GET of an event stream',
      (query: string) => http.get(`/graphql?query=${encodeURIComponent(query)}`, { headers: { accept: 'text/event-stream' } }),
    ],
  ])('a query and a subscription by %s get responses, and the gateway stays up', async (_transport, send) => {
    expect((await send('{ page(id: 1) { id } }')).status).toBeLessThan(500);
    expect((await send(SUBSCRIPTION)).status).toBeLessThan(500);
    expect((await http.get('/health')).status).toBe(200);
  });
});

describe('versions with fixes of advisories', () => {
  const atLeast = (version: string, least: string): boolean => {
    const [have, want] = [version, least].map((text) => text.split('.').map(Number));
    const index = want?.findIndex((part, at) => part !== have?.[at]) ?? -1;
    return index === -1 || (have?.[index] ?? 0) > (want?.[index] ?? 0);
  };
  const readJson = async (file: string) =>
    JSON.parse(await readFile(join(packageRoot, file), 'utf8')) as Record<string, Record<string, unknown>>;

  it.each([
    ['CVE-2024-37890 and the other advisories of ws up to 8.21.0, #2329', 'ws', '8.23.0'],
    ['CVE-2023-26144 and its nested variant', 'graphql', '16.15.0'],
    ['CVE-2026-32621', '@apollo/gateway', '2.14.4'],
    ['CVE-2026-32621', '@apollo/composition', '2.14.4'],
    ['CVE-2026-32621', '@apollo/federation-internals', '2.14.4'],
    ['CVE-2026-32621', '@apollo/subgraph', '2.14.4'],
    ['unbounded decompression', 'undici', '7.30.0'],
  ])('%s: every copy of %s in the lock file is at least %s', async (_id, name, least) => {
    const { packages = {} } = await readJson('package-lock.json');
    const copies = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
    expect(copies).not.toEqual([]);
    const old = copies.map(([path, entry]) => [path, String((entry as { version?: unknown }).version)] as const);
    // Other copies belong only to the tools of the project, and the gateway does not load them.
    const ours = old.filter(([path]) => path === `node_modules/${name}`);
    expect(ours.filter(([, version]) => !atLeast(version, least))).toEqual([]);
  });

  it('CVE-2026-21637, -21710, -21717: the running Node is a supported version', async () => {
    const { engines = {} } = await readJson('package.json');
    expect(engines['node']).toBe('>=20.19');
    expect(atLeast(process.versions.node, '20.19.0')).toBe(true);
  });
});

describe('WebSocket', () => {
  it.each([['graphql-ws'], ['subscriptions-transport-ws'], ['']])(
    'CVE-2026-35523: rejects the older protocol "%s", which bypassed authentication',
    async (subprotocol) => {
      await expect(openRawWebSocket(graph.url, { subprotocol })).rejects.toThrow();
    },
  );

  it('CVE-2026-30241: rejects an operation with the same code as POST', async () => {
    const query = `{ ${Array.from({ length: 40 }, (_, index) => `a${index}: page(id: 1) { id }`).join(' ')} }`;
    const { body } = await http.post<{ errors?: readonly { extensions: { code: string } }[] }>('/graphql', { query });
    const reported = (await queryByWebSocket(graph.url, { query })) as typeof body;
    const codes = body.errors?.map(({ extensions }) => extensions.code);
    expect(codes).not.toEqual([]);
    expect(reported.errors?.map(({ extensions }) => extensions.code)).toEqual(codes);
  });

  it('CVE-2023-41317: responds to an unnamed anonymous subscription and stays up', async () => {
    expect(await queryByWebSocket(graph.url, { query: 'subscription { a }' })).toHaveProperty('errors');
    expect((await http.get('/health')).status).toBe(200);
  });
});
