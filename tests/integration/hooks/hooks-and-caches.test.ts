import { describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput, Hooks } from '../../../gateway/index.ts';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse } from '../../support/http/http-client.ts';

const PAGE = `/graphql?query=${encodeURIComponent('query Page($id: ID = "1") { page(id: $id) { text } }')}`;
const CACHED = /^public, max-age=60/;

async function start(hooks: Hooks, config: Omit<GatewayConfigInput, 'supergraph'> = {}): Promise<CachedGraph & { get: Get }> {
  const graph = await startCachedGraph(config, { hooks });
  const client = createHttpClient({ origin: graph.url });
  return Object.assign(graph, { get: async (headers = {}) => client.get(PAGE, { headers }) });
}

type Get = (headers?: Readonly<Record<string, string>>) => Promise<HttpResponse>;
const isOfA = ({ headers }: { readonly headers: object }): boolean => 'caller-a' in headers;
const A = { 'caller-a': '1' };

describe('a response that a hook changes for one caller', () => {
  it('is not stored by HTTP caches, and another caller gets the unchanged cached response', async () => {
    await using graph = await start({
      onResponse: ({ request }) => (isOfA(request) ? { headers: { 'x-of': 'a' }, extensions: { of: 'a' } } : undefined),
    });
    const first = await graph.get(A);
    expect([first.headers['cache-control'], first.headers['etag'], first.headers['x-of']]).toEqual(['no-store', undefined, 'a']);
    expect(first.text).toContain('"of":"a"');
    for (let time = 0; time < 3; time += 1) {
      const other = await graph.get();
      expect(other.headers['cache-control']).toMatch(CACHED);
      expect([other.headers['x-of'], other.text.includes('"of"')]).toEqual([undefined, false]);
    }
    const again = await graph.get(A); // also with the memo that the other caller has left
    expect([again.headers['cache-control'], again.headers['x-of'], graph.requested.length]).toEqual(['no-store', 'a', 1]);
  });

  it('is not served to another caller if onSubgraphResponse changed it', async () => {
    await using graph = await start({
      onSubgraphResponse({ request, data }) {
        if (request === undefined || !isOfA(request)) return undefined;
        return { data: Object.fromEntries(Object.keys(data() ?? {}).map((key) => [key, { id: '1', text: 'secret "of a"' }])) };
      },
    });
    const first = await graph.get(A);
    expect([first.body, first.headers['cache-control']]).toEqual([{ data: { page: { text: 'secret "of a"' } } }, 'no-store']);
    expect((await graph.get()).text).not.toContain('secret');
  });

  it('is not served to a caller whose request is in progress at the same time', async () => {
    await using graph = await start(
      { onSubgraphRequest: ({ request }) => (request !== undefined && isOfA(request) ? { headers: { 'x-of': 'a' } } : undefined) },
      { graphql: { dedupe: true }, subgraphs: { dedupe: true } },
    );
    const release = graph.hold();
    const pending = [graph.get(A), graph.get(), graph.get(A)];
    while (graph.requested.length < 3) await new Promise(setImmediate);
    release();
    await Promise.all(pending);
    expect(graph.requested.map(({ headers }) => headers?.['x-of'] ?? 'none').toSorted((a, b) => a.localeCompare(b))).toEqual([
      'a',
      'a',
      'none',
    ]);
  });
});

describe('a long response that several requests share', () => {
  it('has the extensions of a hook only for the request that it added them for', async () => {
    let responses = 0;
    await using graph = await start(
      { onResponse: () => ((responses += 1) === 1 ? { extensions: { of: 'first' } } : undefined) },
      { graphql: { dedupe: true } },
    );
    const client = createHttpClient({ origin: graph.url });
    const body = { query: 'query Page($id: ID!) { page(id: $id) { text } }', variables: { id: 'x'.repeat(5_000) } };
    const release = graph.hold();
    const pending = [1, 2, 3].map(async () => client.post('/graphql', body));
    while (graph.requested.length === 0) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 50)); // the other requests join
    release();
    const texts = (await Promise.all(pending)).map(({ text }) => text).toSorted((a, b) => b.length - a.length);
    expect(graph.requested).toHaveLength(1);
    expect(texts[0]).toMatch(/"extensions":\{"of":"first"\}\}$/);
    const without = texts[0]?.replace(',"extensions":{"of":"first"}', '');
    expect(texts.slice(1)).toEqual([without, without]);
  });
});

describe('a request that a hook changes', () => {
  it('with other variables is not stored by HTTP caches under the URL of the client', async () => {
    await using graph = await start({ onOperation: ({ request }) => (isOfA(request) ? { variables: { id: 'a' } } : undefined) });
    const [ofA, other, again] = [await graph.get(A), await graph.get(), await graph.get(A)];
    expect([ofA.text.includes(String.raw`\"a\"`), ofA.headers['cache-control']]).toEqual([true, 'no-store']);
    expect([other.text.includes(String.raw`\"a\"`), CACHED.test(other.headers['cache-control'] ?? '')]).toEqual([false, true]);
    expect(again.text).toBe(ofA.text); // the response cache of the gateway knows the variables
  });

  it('with a header that reaches subgraphs has a separate cached response', async () => {
    await using graph = await start(
      { onRequest: ({ headers }) => (isOfA({ headers }) ? { headers: { tenant: 'a' } } : undefined) },
      { subgraphs: { headers: { propagate: ['tenant'] } } },
    );
    const [ofA, other] = [await graph.get(A), await graph.get()];
    expect([ofA.headers['cache-control'], graph.requested.length]).toEqual(['no-store', 2]);
    expect(other.headers['cache-control']).toMatch(CACHED);
    await graph.get(A);
    expect(graph.requested.length).toBe(2);
  });

  it.each([
    ['a header of the gateway', { 'Gatefold-Identity': 'x' }],
    ['the correlation id', { 'x-correlation-id': 'x' }],
    ['a value with a line break', { tenant: 'a\r\nhost: b' }],
  ])('with %s is an error of the hook', async (_what, headers) => {
    await using graph = await start({ onRequest: () => ({ headers }) });
    const { status, text } = await graph.get();
    expect([status, graph.requested.length]).toEqual([500, 0]);
    expect(text).toContain('INTERNAL_SERVER_ERROR');
  });
});

it('onSubgraphResponse receives status, headers and extensions of the subgraph', async () => {
  const received: unknown[] = [];
  const hooks: Hooks = {
    onSubgraphResponse: ({ status, headers, extensions }) => void received.push([status, headers['content-type'], extensions]),
  };
  await using library = await startLibraryGateway({ hooks });
  await createHttpClient({ origin: library.url }).post('/graphql', { query: '{ book(id: 1) { title } }' });
  expect(received).toEqual([[200, 'application/json', {}]]);
});
