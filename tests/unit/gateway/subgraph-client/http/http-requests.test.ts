import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../../gateway/platform/errors.ts';
import { SubgraphFailure } from '../../../../../gateway/subgraph-client/failures.ts';
import type { HttpResult, HttpCall, SubgraphRequest } from '../../../../../gateway/supergraph/subgraph-executor.ts';
import { asErrorOf, rejectionOf } from '../../../../support/errors/catch-error.ts';
import {
  type Behavior,
  type FakeSubgraphOptions,
  NEVER,
  REQUEST,
  responding,
  startFakeSubgraph,
} from '../../../../support/subgraphs/fake-subgraph.ts';

const GET_BOOK: HttpCall = { source: 'api', method: 'GET', target: '/books/1?x=%20', headers: {}, template: '/books/{$args.id}' };

/** Sends one request to a back end with the given behavior. */
async function send(
  behave: Behavior,
  { http = {}, request = {}, ...options }: FakeSubgraphOptions & { http?: Partial<HttpCall>; request?: Partial<SubgraphRequest> } = {},
) {
  await using backEnd = await startFakeSubgraph(behave, { ...options, isBackEnd: true });
  return await backEnd.request({ ...REQUEST, body: '', ...request, http: { ...GET_BOOK, ...http } }, NEVER);
}

async function resultOf(behave: Behavior, options: Parameters<typeof send>[1] = {}): Promise<HttpResult | undefined> {
  return (await send(behave, options)).http;
}

async function failureOf(behave: Behavior, options: Parameters<typeof send>[1] = {}): Promise<SubgraphFailure> {
  return asErrorOf(SubgraphFailure, await rejectionOf(send(behave, { settings: { retry: { maxRetries: 0 } }, ...options })));
}

/** Returns a behavior that records what it received. */
function recording(): {
  readonly seen: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[];
  behave: Behavior;
} {
  const seen: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  return {
    seen,
    behave(request, response, body) {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      responding('{}')(request, response, body);
    },
  };
}

describe('HTTP requests to a back end that fails', () => {
  it.each([
    ['a redirect', responding('', 'application/json', 302), 'SUBGRAPH_INVALID_RESPONSE'],
    ['not modified without a condition', responding('', 'application/json', 304), 'SUBGRAPH_INVALID_RESPONSE'],
    ['an HTML page', responding('<h1>It works</h1>', 'text/html'), 'SUBGRAPH_INVALID_RESPONSE'],
    ['truncated JSON', responding('{"a":'), 'SUBGRAPH_INVALID_RESPONSE'],
    [
      'JSON that is not UTF-8',
      (_request, response) => void response.writeHead(200).end(Buffer.from([0x22, 0xff, 0x22])),
      'SUBGRAPH_INVALID_RESPONSE',
    ],
    ['an HTML page with status 503', responding('<h1>Sorry</h1>', 'text/html', 503), 'SUBGRAPH_UNAVAILABLE'],
    [
      'an HTML page in Latin-1 with status 500',
      (_request, response) => void response.writeHead(500).end(Buffer.from([0xff])),
      'SUBGRAPH_UNAVAILABLE',
    ],
    ['status 500 without a body', responding('', 'application/json', 500), 'SUBGRAPH_UNAVAILABLE'],
    ['a reset connection', (request) => void request.socket.resetAndDestroy(), 'SUBGRAPH_UNAVAILABLE'],
  ] satisfies readonly (readonly [string, Behavior, string])[])('throws for %s', async (_what, behave, code) => {
    expect((await failureOf(behave)).code).toBe(code);
  });

  it('refuses a compressed body, however small it is', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000, 0x20));
    const failure = await failureOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(failure.code).toBe('SUBGRAPH_INVALID_RESPONSE');
  });

  it.each([true, false])('refuses a body above the limit (with Content-Length: %s)', async (isSized) => {
    const body = JSON.stringify('x'.repeat(2_000));
    const failure = await failureOf(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...(isSized ? { 'content-length': body.length } : {}) });
        response.write(body.slice(0, 10));
        response.end(body.slice(10));
      },
      { settings: { maxResponseBytes: 1_000 } },
    );
    expect(failure.code).toBe('SUBGRAPH_INVALID_RESPONSE');
  });

  it('throws SUBGRAPH_TIMEOUT for a body that arrives too slowly', async () => {
    const failure = await failureOf(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      },
      { settings: { requestTimeoutMs: 60 } },
    );
    expect(failure.code).toBe('SUBGRAPH_TIMEOUT');
  });

  it('returns the response of a failed service for the mapping of its errors', async () => {
    const failure = await failureOf(responding('{"reason":"full"}', 'application/problem+json', 503));
    expect(failure.facts).toMatchObject({ isOutage: true, mayRepeat: true, received: { status: 503, body: { reason: 'full' } } });
    const html = await failureOf(responding('<p>', 'text/html', 500));
    expect(html.facts).toMatchObject({ isOutage: true, received: { status: 500, body: undefined } });
  });

  it('rejects a header value with a line break', async () => {
    const { seen, behave } = recording();
    const error = await rejectionOf(send(behave, { http: { headers: { 'x-name': 'a\r\nx-admin: 1' } } }));
    expect(asErrorOf(GatewayError, error).code).toBe('BAD_USER_INPUT');
    expect(seen).toEqual([]);
  });
});

describe('HTTP requests to a back end', () => {
  it('returns a response with status 404 and its body', async () => {
    expect(await resultOf(responding('{"error":"none"}', 'application/json', 404))).toMatchObject({ status: 404, body: { error: 'none' } });
    expect(await resultOf(responding('<p>none', 'text/html', 404))).toMatchObject({ status: 404, body: undefined });
  });

  it('reads JSON of any media type, plain text and empty bodies', async () => {
    expect(await resultOf(responding('[1]', 'application/hal+json; charset=utf-8'))).toMatchObject({ status: 200, body: [1] });
    expect(await resultOf(responding('12', 'text/plain; charset=utf-8'))).toMatchObject({ body: '12' });
    expect(
      await resultOf((_request, response) => void response.writeHead(200, { 'content-type': 'text/html', 'content-length': 0 }).end()),
    ).toMatchObject({
      body: undefined,
    });
    expect(await resultOf((_request, response) => void response.writeHead(204).end())).toMatchObject({ status: 204, body: undefined });
    expect(await resultOf((_request, response) => void response.writeHead(200).end('{"a":1}'))).toMatchObject({ body: { a: 1 } });
  });

  it('decodes plain text in the charset of its media type', async () => {
    const sending = (bytes: readonly number[], charset: string): Behavior => {
      return (_request, response) =>
        void response.writeHead(200, { 'content-type': `text/plain; charset=${charset}` }).end(Buffer.from(bytes));
    };
    expect(await resultOf(sending([0x80, 0xe9], 'windows-1252'))).toMatchObject({ body: '€é' });
    expect(await resultOf(sending([0xe9], '"ISO-8859-1"'))).toMatchObject({ body: 'é' });
    expect(await resultOf(sending([0xc3, 0xa9], 'unknown'))).toMatchObject({ body: 'é' });
    expect((await failureOf(sending([0xc0, 0xaf], 'utf-8'))).code).toBe('SUBGRAPH_INVALID_RESPONSE');
    expect((await failureOf(sending([0x81], 'shift_jis'))).code).toBe('SUBGRAPH_INVALID_RESPONSE');
  });

  it('reads a large text and a large JSON document', async () => {
    const text = 'é'.repeat(300_000);
    expect(await resultOf(responding(text, 'text/plain'))).toMatchObject({ body: text });
    expect(await resultOf(responding(JSON.stringify({ text })))).toMatchObject({ body: { text } });
  });

  it('sends GET and DELETE without a body, its length and its type', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { seen, behave } = recording();
      await send(behave, { http: { method } });
      expect(seen).toMatchObject([{ method, url: '/books/1?x=%20', body: '' }]);
      expect(Object.keys(seen[0]?.headers ?? {})).toEqual(['host', 'accept', 'x-correlation-id', 'accept-encoding']);
    }
  });

  it('sends a body with its length, and an empty one with POST', async () => {
    const { seen, behave } = recording();
    await send(behave, { http: { method: 'POST', headers: { 'content-type': 'application/json' } }, request: { body: '{"é":1}' } });
    await send(behave, { http: { method: 'POST' } });
    expect(seen).toMatchObject([
      { body: '{"é":1}', headers: { 'content-type': 'application/json', 'content-length': '8' } },
      { body: '', headers: { 'content-length': '0' } },
    ]);
  });

  it('forwards nothing of the client unless a rule of the subgraph says so', async () => {
    const { seen, behave } = recording();
    const context = {
      ...REQUEST.context,
      headers: { authorization: 'Bearer a', 'x-tenant': 't', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
    };
    const settings = { headers: { propagate: ['authorization'], set: { 'x-internal': 'secret' } } };
    await send(behave, { request: { context }, settings, identitySecret: 's'.repeat(32) });
    await send(behave, {
      request: { context },
      settings: { ...settings, override: { accounts: { headers: { propagate: ['x-tenant'], set: { 'x-key': 'k' } } } } },
      identitySecret: 's'.repeat(32),
      sendsIdentity: true,
    });
    const [first, second] = seen.map(({ headers }) => headers);
    expect(Object.keys(first ?? {})).toEqual(['host', 'accept', 'x-correlation-id', 'accept-encoding']);
    expect(second).toMatchObject({ 'x-tenant': 't', 'x-key': 'k', 'gatefold-identity': expect.any(String) });
    expect(second).not.toHaveProperty('authorization');
  });

  it('prefers rules of the configuration to headers of the connector, and changes of hooks to both', async () => {
    const { seen, behave } = recording();
    await send(behave, {
      http: { headers: { 'x-a': 'schema', 'x-b': 'schema', 'x-c': 'schema', host: 'evil.example' } },
      request: { headers: { 'x-c': 'hook', 'x-d': null } },
      settings: { override: { accounts: { headers: { set: { 'x-b': 'rule', 'x-c': 'rule', 'x-d': 'rule' } } } } },
    });
    expect(seen[0]?.headers).toMatchObject({ 'x-a': 'schema', 'x-b': 'rule', 'x-c': 'hook', host: expect.stringContaining('127.0.0.1') });
    expect(seen[0]?.headers).not.toHaveProperty('x-d');
  });
});

describe('policies of HTTP requests', () => {
  const retry = { maxRetries: 2, baseDelayMs: 0 };

  it.each([
    ['GET', 'query', 3],
    ['PUT', 'mutation', 3],
    ['DELETE', 'mutation', 3],
    ['POST', 'query', 1],
    ['PATCH', 'mutation', 1],
  ] as const)('sends a %s in a %s that failed %i times in total', async (method, kind, times) => {
    let sent = 0;
    await rejectionOf(
      send(
        (request, response, body) => {
          sent += 1;
          responding('', 'application/json', 503)(request, response, body);
        },
        { http: { method }, request: { kind }, settings: { retry } },
      ),
    );
    expect(sent).toBe(times);
  });

  it('opens the breaker of one source only', async () => {
    await using backEnd = await startFakeSubgraph(responding('', 'application/json', 500), {
      isBackEnd: true,
      settings: { retry: { maxRetries: 0 }, circuitBreaker: { failures: 2, window: 2 } },
    });
    const codes: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const error = await rejectionOf(backEnd.request({ ...REQUEST, body: '', http: GET_BOOK }, NEVER));
      codes.push(asErrorOf(GatewayError, error).code);
    }
    expect(codes).toEqual(['SUBGRAPH_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE', 'CIRCUIT_OPEN']);
  });

  it('sends equal GET requests once, unless their headers differ', async () => {
    let sent = 0;
    await using backEnd = await startFakeSubgraph(
      (request, response, body) => {
        sent += 1;
        setTimeout(() => responding('{"a":1}')(request, response, body), 30);
      },
      { isBackEnd: true, settings: { dedupe: true } },
    );
    const get = (http: Partial<HttpCall>) => backEnd.request({ ...REQUEST, body: '', http: { ...GET_BOOK, ...http } }, NEVER);
    const responses = await Promise.all([
      get({}),
      get({}),
      get({ headers: { 'x-a': '1' } }),
      get({ method: 'POST' }),
      get({ method: 'POST' }),
    ]);
    expect(sent).toBe(4);
    expect(responses.map(({ http }) => http?.body)).toEqual(Array.from({ length: 5 }, () => ({ a: 1 })));
  });
});
