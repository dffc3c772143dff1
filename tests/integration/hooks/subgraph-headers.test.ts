import { describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import type { RequestHeaders } from '../../../gateway/platform/request-headers.ts';
import type { SubgraphExecutor, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';

const TIME = '{ now { time } }';
const PAGE = '{ page(id: 1) { id } }';

type Responses = NonNullable<GatewayConfigInput['responses']>;

/** Requests one operation of a gateway whose subgraph responds with these properties. */
async function request(responses: Responses, sent: Partial<SubgraphResponse>, { query = TIME, method = 'POST', token = '' } = {}) {
  let count = 0;
  const executor: SubgraphExecutor = async ({ body }) => {
    count += 1;
    const roots = [...(JSON.parse(body) as { query: string }).query.matchAll(/(\w+)(?::\s*\w+)?(?:\([^)]*\))?\s*\{/g)].map(
      ([, key = '']) => key,
    );
    return { data: Object.fromEntries(roots.map((key) => [key, { id: '1', time: String(count) }])), ...sent };
  };
  const dispose = { [Symbol.asyncDispose]: async () => undefined };
  await using graph = await startCachedGraph({ responses }, { subgraphExecutor: () => Object.assign(executor, dispose) });
  const client = createHttpClient({ origin: graph.url });
  const headers = token === '' ? {} : { authorization: `Bearer ${signToken({ sub: token }, { key: DEVELOPMENT_KEY })}` };
  const send = async (): Promise<HttpResponse> =>
    method === 'POST'
      ? client.post('/graphql', { query }, { headers })
      : client.get(`/graphql?query=${encodeURIComponent(query)}`, { headers });
  return [await send(), await send()] as const;
}

const head = (headers: RequestHeaders) => ({ head: { status: 200, headers } });

describe('headers of subgraphs', () => {
  const rules = { 'Set-Cookie': 'append', link: 'first', sunset: 'last' } as const;
  const headers = { 'set-cookie': ['a=1', 'b=2'], link: '</docs>', sunset: 'tomorrow', server: 'subgraph/1', age: '5' };

  it('without a rule are not passed on', async () => {
    const [{ headers: received }] = await request({}, head(headers));
    expect([received['set-cookie'], received['link'], received['server']]).toEqual([undefined, undefined, undefined]);
  });

  it('with a rule are passed on, and all others are not', async () => {
    const [{ headers: received }] = await request({ headers: rules }, head(headers));
    expect([received['set-cookie'], received['link'], received['sunset'], received['server'], received['age']]).toEqual([
      ['a=1', 'b=2'],
      '</docs>',
      'tomorrow',
      undefined,
      undefined,
    ]);
  });

  it('are never part of a response that caches may share', async () => {
    for (const { headers: received } of await request({ headers: rules }, head(headers), { query: PAGE, method: 'GET' })) {
      expect(received['cache-control']).toMatch(/^public/);
      expect([received['set-cookie'], received['link']]).toEqual([undefined, undefined]);
    }
  });

  it('with an invalid value are dropped, and the response is served', async () => {
    const [{ status, headers: received }] = await request({ headers: rules }, head({ link: 'a\u0000b', sunset: 'later' }));
    expect([status, received['link'], received['sunset']]).toEqual([200, undefined, 'later']);
  });

  it.each<[string, Record<string, 'append' | 'mostRestrictive'>, string]>([
    ['of one connection', { connection: 'append' }, 'this header of a subgraph must not be passed on'],
    ['for other origins', { 'access-control-allow-origin': 'append' }, 'this header of a subgraph must not be passed on'],
    ['about caching with another rule', { 'cache-control': 'append' }, 'expected mostRestrictive'],
    ['not about caching with mostRestrictive', { link: 'mostRestrictive' }, 'expected append, first or last'],
  ])('%s cannot have a rule', (_what, wrong, message) => {
    expect(() => resolveGatewayConfig({ responses: { headers: wrong } })).toThrow(message);
  });
});

describe('Cache-Control of subgraphs with the rule mostRestrictive', () => {
  const rules: Responses = { headers: { 'cache-control': 'mostRestrictive' } };
  const cacheControlOf = async (sent: Partial<SubgraphResponse>, options?: Parameters<typeof request>[2]) => {
    const [{ headers }] = await request(rules, sent, options);
    return [headers['cache-control'], headers['vary']];
  };

  it('lets only the client store the response, for its credentials', async () => {
    const vary = expect.stringMatching(/Authorization/);
    expect(await cacheControlOf(head({ 'cache-control': 'public, max-age=30' }))).toEqual(['private, max-age=30', vary]);
    expect(await cacheControlOf(head({ 'cache-control': 'public, max-age=30' }), { token: 'alice' })).toEqual([
      'private, max-age=30',
      vary,
    ]);
  });

  it('has no effect on a response with errors', async () => {
    const errors = [{ message: 'x', code: 'NOT_FOUND', path: ['now'] }];
    expect(await cacheControlOf({ ...head({ 'cache-control': 'max-age=30' }), errors })).toEqual(['no-store', expect.any(String)]);
  });

  it('forbids storing if the subgraph sends none', async () => {
    expect(await cacheControlOf(head({}))).toEqual(['no-store', expect.any(String)]);
  });

  it('does not change a response that caches may share', async () => {
    const sent = { ...head({ 'cache-control': 'max-age=5' }), cacheControl: 'max-age=60' };
    expect((await cacheControlOf(sent, { query: PAGE, method: 'GET' }))[0]).toMatch(/^public, max-age=60/);
  });
});

describe('extensions of subgraphs', () => {
  const extensions = { trace: { id: 7 }, secret: 'x' };

  it('are dropped without a list', async () => {
    const [{ body }] = await request({}, { extensions });
    expect(body['extensions']).toBeUndefined();
  });

  it('reach the client if they are listed', async () => {
    const [{ body }] = await request({ extensions: ['trace', 'other'] }, { extensions });
    expect(body['extensions']).toEqual({ trace: { id: 7 } });
  });

  it('are never part of a response that caches may share', async () => {
    for (const { text } of await request({ extensions: ['trace'] }, { extensions }, { query: PAGE, method: 'GET' })) {
      expect(text).not.toContain('trace');
    }
  });

  it.each(['cost', 'eventId', '__proto__'])('cannot list the name %s', (name) => {
    expect(() => resolveGatewayConfig({ responses: { extensions: [name] } })).toThrow('responses.extensions');
  });
});
