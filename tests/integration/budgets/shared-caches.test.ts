import { beforeEach, describe, expect, it } from '@jest/globals';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';

const PAGE = '{ page(id: 1) { id text } }';
const ROUTES = `
  query Page($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/pages/{id}") { page(id: $id) @result { id text } }
`;

const pathOf = (query: string): string => `/graphql?query=${encodeURIComponent(query)}`;
const reportedIn = ({ headers }: HttpResponse) => [headers['ratelimit-policy'], headers['ratelimit']].map((value) => typeof value);
const NOTHING = ['undefined', 'undefined'];
const POINTS = ['string', 'string'];

async function start(): Promise<CachedGraph> {
  const bucket = { capacity: 1_000, refillPerSecond: 1 };
  const graph = await startCachedGraph({ budget: { mode: 'enforce', anonymous: bucket, signedIn: bucket } });
  graph.gateway.mount(createRestFacade({ gateway: graph.gateway, documents: [{ path: 'page.graphql', text: ROUTES }] }));
  return graph;
}

describe('the remaining points of a caller', () => {
  const shared = sharedByTests(start);
  let client: HttpClient;
  beforeEach(() => {
    client = createHttpClient({ origin: shared().url });
  });

  it.each([
    ['/graphql', pathOf(PAGE)],
    ['REST', '/pages/1'],
  ])('are absent from a response by %s that a shared cache may store, from its 304, and from cache hits', async (_name, path) => {
    const first = await client.get(path);
    expect([first.status, String(first.headers['cache-control'])]).toEqual([200, expect.stringMatching(/^public/)]);
    const hit = await client.get(path);
    const unchanged = await client.get(path, { headers: { 'if-none-match': '*' } });
    expect(unchanged.status).toBe(304);
    expect([first, hit, unchanged].map(reportedIn)).toEqual([NOTHING, NOTHING, NOTHING]);
  });

  it.each([
    ['a private response', () => pathOf('{ me { id } }')],
    ['a response that is not stored', () => pathOf('{ now { time } }')],
    ['a rejected document', () => pathOf('{ nothing }')],
  ])('are part of %s', async (_what, path) => {
    const response = await client.get(path(), { token: signToken({ sub: '1' }, { key: DEVELOPMENT_KEY }) });
    expect(String(response.headers['cache-control'])).not.toMatch(/^public/);
    expect(reportedIn(response)).toEqual(POINTS);
  });

  it('are part of a response to POST, which caches do not store', async () => {
    expect(reportedIn(await client.post('/graphql', { query: PAGE }))).toEqual(POINTS);
  });

  it('are part of a private REST response', async () => {
    const response = await client.get('/pages/1', { token: signToken({ sub: '1' }, { key: DEVELOPMENT_KEY }) });
    expect([response.headers['cache-control'], ...reportedIn(response)]).toEqual([expect.stringMatching(/^private/), ...POINTS]);
  });
});
