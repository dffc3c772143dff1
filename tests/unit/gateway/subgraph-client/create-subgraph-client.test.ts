import { getEventListeners, once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { createSubgraphClient } from '../../../../gateway/subgraph-client/create-subgraph-client.ts';
import {
  responding,
  type Behavior,
  type FakeSubgraphOptions,
  NEVER,
  REQUEST,
  settingsOf,
  startFakeSubgraph,
} from '../../../support/subgraphs/fake-subgraph.ts';
import { asErrorOf, rejectionOf } from '../../../support/errors/catch-error.ts';

const UNAVAILABLE = { code: 'SUBGRAPH_UNAVAILABLE', message: 'A service behind this gateway cannot be reached.' };
const TIMEOUT = { code: 'SUBGRAPH_TIMEOUT', message: 'A service behind this gateway did not respond in time.' };
const INVALID = { code: 'SUBGRAPH_INVALID_RESPONSE', message: 'A service behind this gateway returned an invalid response.' };

async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string; status: number }> {
  const { code, message, status } = asErrorOf(GatewayError, await rejectionOf(work));
  return { code, message, status };
}

async function failureWith(behave: Behavior, options: FakeSubgraphOptions = {}) {
  await using subgraph = await startFakeSubgraph(behave, options);
  return await failureOf(subgraph.request(REQUEST, NEVER));
}

async function respondWith(behave: Behavior, options: FakeSubgraphOptions = {}) {
  await using subgraph = await startFakeSubgraph(behave, options);
  return await subgraph.request(REQUEST, NEVER);
}

describe('createSubgraphClient, if a subgraph is unavailable or too slow', () => {
  it('throws SUBGRAPH_UNAVAILABLE without a host name for a refused connection', async () => {
    const subgraph = await startFakeSubgraph(responding('{}'));
    await subgraph[Symbol.asyncDispose]();
    await using client = createSubgraphClient({
      subgraphs: new Map([['accounts', { name: 'accounts', url: subgraph.url }]]),
      settings: settingsOf(),
      logger: silentLogger,
    });
    expect(await failureOf(client(REQUEST, NEVER))).toEqual({ ...UNAVAILABLE, status: 503 });
  });

  it('names the subgraph and the reason if all error messages are sent, for development', async () => {
    const subgraph = await startFakeSubgraph(responding('{}'));
    await subgraph[Symbol.asyncDispose]();
    await using client = createSubgraphClient({
      subgraphs: new Map([['accounts', { name: 'accounts', url: subgraph.url }]]),
      settings: settingsOf({ errorMessages: 'all' }),
      logger: silentLogger,
    });
    const { code, message } = await failureOf(client(REQUEST, NEVER));
    expect(code).toBe('SUBGRAPH_UNAVAILABLE');
    expect(message).toMatch(/^Subgraph "accounts": A service behind this gateway cannot be reached\. \(connect ECONNREFUSED .*\)$/);
  });

  it('throws SUBGRAPH_TIMEOUT if a subgraph does not respond', async () => {
    expect(await failureWith(() => {}, { settings: { requestTimeoutMs: 50 } })).toMatchObject(TIMEOUT);
  });

  it('throws SUBGRAPH_TIMEOUT for a slow body, regardless of the received bytes', async () => {
    const drip: Behavior = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":');
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    };
    expect(await failureWith(drip, { settings: { requestTimeoutMs: 80 } })).toMatchObject(TIMEOUT);
  });

  it('throws SUBGRAPH_TIMEOUT for a request that waits too long for a connection', async () => {
    await using subgraph = await startFakeSubgraph(() => {}, { settings: { requestTimeoutMs: 80, maxConnections: 1 } });
    const failures = await Promise.all([failureOf(subgraph.request(REQUEST, NEVER)), failureOf(subgraph.request(REQUEST, NEVER))]);
    expect(failures.map(({ code }) => code)).toEqual(['SUBGRAPH_TIMEOUT', 'SUBGRAPH_TIMEOUT']);
  });

  it('throws SUBGRAPH_UNAVAILABLE for a connection that is reset before the response', async () => {
    expect(await failureWith((request) => request.socket.resetAndDestroy())).toMatchObject(UNAVAILABLE);
  });

  it('throws SUBGRAPH_INVALID_RESPONSE for a connection that is reset within the body', async () => {
    const failure = await failureWith((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":{', () => request.socket.resetAndDestroy());
    });
    expect(failure).toMatchObject(INVALID);
  });

  it.each([502, 503, 429])('throws SUBGRAPH_UNAVAILABLE for an HTML page with status %i', async (status) => {
    expect(await failureWith(responding('<h1>Sorry</h1>', 'text/html', status))).toMatchObject(UNAVAILABLE);
  });

  it('throws SUBGRAPH_UNAVAILABLE for JSON with status 500 that is not GraphQL', async () => {
    expect(await failureWith(responding('{"message":"boom at db-7.internal"}', 'application/json', 500))).toMatchObject(UNAVAILABLE);
  });
});

describe('createSubgraphClient, with invalid responses', () => {
  it.each([
    ['an HTML page', '<h1>It works!</h1>', 'text/html'],
    ['a media type that is not JSON', '{"data":{}}', 'text/plain'],
    ['another kind of JSON', '{"data":{}}', 'application/problem+json'],
    ['an empty body', '', 'application/json'],
    ['a text that is not JSON', '{"data":', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a text', '"data"', 'application/json'],
    ['neither data nor errors', '{}', 'application/json'],
    ['data that is a list', '{"data":[]}', 'application/json'],
    ['data that is a text', '{"data":"x"}', 'application/json'],
    ['null data without an error', '{"data":null}', 'application/json'],
    ['errors that are a text', '{"data":{},"errors":"x"}', 'application/json'],
    ['errors that are an object', '{"data":{},"errors":{"message":"x"}}', 'application/json'],
    ['an error that is null', '{"data":{},"errors":[null]}', 'application/json'],
    ['an error without a message', '{"data":{},"errors":[{"path":["me"]}]}', 'application/json'],
    ['an error whose message is no text', '{"data":{},"errors":[{"message":{"a":1}}]}', 'application/json'],
  ])('throws SUBGRAPH_INVALID_RESPONSE for %s', async (_what, text, type) => {
    expect(await failureWith(responding(text, type))).toEqual({ ...INVALID, status: 503 });
  });

  it('throws SUBGRAPH_INVALID_RESPONSE without a media type', async () => {
    expect(await failureWith((_request, response) => void response.end('{"data":{}}'))).toMatchObject(INVALID);
  });

  it('throws SUBGRAPH_INVALID_RESPONSE for a response that is not HTTP', async () => {
    expect(await failureWith((request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n'))).toMatchObject(INVALID);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
    let requested = 0;
    await using subgraph = await startFakeSubgraph((_request, response) => {
      requested += 1;
      response.writeHead(status, { location: '/elsewhere', 'content-type': 'application/json' }).end('{"data":{}}');
    });
    expect(await failureOf(subgraph.request(REQUEST, NEVER))).toMatchObject(INVALID);
    expect(requested).toBe(1);
  });

  it('does not decompress a gzip response that was not requested', async () => {
    const bomb = gzipSync(`{"data":{"a":"${'x'.repeat(100_000)}"}}`);
    const failure = await failureWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(failure).toMatchObject(INVALID);
  });

  it('reads nothing of a body with an announced length of 9 MiB', async () => {
    const failure = await failureWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(9 * 1_048_576) });
      response.write('{"data":');
    });
    expect(failure).toMatchObject(INVALID);
  });

  it('stops reading a chunked body of 9 MiB at the limit', async () => {
    const piece = 'x'.repeat(1_048_576);
    const failure = await failureWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let index = 0; index < 9; index += 1) response.write(piece);
      response.end();
    });
    expect(failure).toMatchObject(INVALID);
  });

  it('accepts a body of exactly the limit and rejects one byte more', async () => {
    const text = '{"data":{"a":"1"}}';
    expect(await respondWith(responding(text), { settings: { maxResponseBytes: text.length } })).toEqual({
      data: { a: '1' },
      needsNoEscape: true,
    });
    expect(await failureWith(responding(text), { settings: { maxResponseBytes: text.length - 1 } })).toMatchObject(INVALID);
  });

  it('serves the next request after an invalid response', async () => {
    let requested = 0;
    await using subgraph = await startFakeSubgraph((_request, response) => {
      requested += 1;
      response.writeHead(200, { 'content-type': requested === 1 ? 'text/html' : 'application/json' }).end('{"data":{"a":1}}');
    });
    await failureOf(subgraph.request(REQUEST, NEVER));
    expect(await subgraph.request(REQUEST, NEVER)).toEqual({ data: { a: 1 }, needsNoEscape: true });
  });
});

describe('createSubgraphClient, when the caller aborts a request', () => {
  it('throws the reason of an aborted signal and sends nothing', async () => {
    let requested = 0;
    await using subgraph = await startFakeSubgraph(() => {
      requested += 1;
    });
    const reason = new Error('left');
    await expect(subgraph.request(REQUEST, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(requested).toBe(0);
  });

  it('throws the reason and closes the connection of an active request', async () => {
    const controller = new AbortController();
    const reason = new GatewayError('GATEWAY_TIMEOUT', 'too long');
    const sockets: Socket[] = [];
    await using subgraph = await startFakeSubgraph((request) => {
      sockets.push(request.socket);
      controller.abort(reason);
    });
    await expect(subgraph.request(REQUEST, controller.signal)).rejects.toBe(reason);
    for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
    expect(sockets).toHaveLength(1);
  });

  it('throws the reason while a body is being received', async () => {
    const controller = new AbortController();
    const reason = new Error('left');
    await using subgraph = await startFakeSubgraph((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":', () => setImmediate(() => controller.abort(reason)));
    });
    await expect(subgraph.request(REQUEST, controller.signal)).rejects.toBe(reason);
  });

  it('never sends an aborted request that waits for a connection', async () => {
    const controller = new AbortController();
    const bodies: string[] = [];
    await using subgraph = await startFakeSubgraph(
      (_request, response, body) => {
        bodies.push(body);
        controller.abort(new Error('left'));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"a":1}}');
      },
      { settings: { maxConnections: 1 } },
    );
    const [first, waiting, last] = await Promise.allSettled([
      subgraph.request({ ...REQUEST, body: 'first' }, NEVER),
      subgraph.request({ ...REQUEST, body: 'waiting' }, controller.signal),
      subgraph.request({ ...REQUEST, body: 'last' }, NEVER),
    ]);
    expect([first.status, waiting.status, last.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(bodies).toEqual(['first', 'last']);
  });

  it('adds no listeners to the signal of 50 active requests', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    await using subgraph = await startFakeSubgraph((request, response, body) => {
      listeners = Math.max(listeners, getEventListeners(signal, 'abort').length);
      responding('{"data":{}}')(request, response, body);
    });
    await Promise.all(Array.from({ length: 50 }, () => subgraph.request(REQUEST, signal)));
    expect(listeners).toBe(0); // Node.js would print a warning for the eleventh listener.
  });
});

describe('createSubgraphClient, on disposal', () => {
  it('ends active requests, queued requests and pending retries', async () => {
    const requested: string[] = [];
    await using subgraph = await startFakeSubgraph(
      (_request, response, body) => {
        if (requested.push(body) === 1) response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '2' }).end();
      },
      { settings: { bulkhead: { maxConcurrent: 1 } } },
    );
    const all = [1, 2, 3].map(() => failureOf(subgraph.request(REQUEST, NEVER)));
    while (requested.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    await subgraph[Symbol.asyncDispose]();
    for (const { code } of await Promise.all(all)) expect(['SUBGRAPH_UNAVAILABLE', 'SUBGRAPH_TIMEOUT']).toContain(code);
  });
});

describe('createSubgraphClient, with valid responses', () => {
  it('sends a POST with the headers of the gateway and none of the caller', async () => {
    const seen: Record<string, unknown> = {};
    await respondWith((request, response, body) => {
      Object.assign(seen, { method: request.method, url: request.url, body, headers: request.headers });
      responding('{"data":{}}')(request, response, body);
    });
    expect(seen).toMatchObject({ method: 'POST', url: '/graphql', body: REQUEST.body });
    expect(seen['headers']).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      'accept-encoding': 'identity',
      'x-correlation-id': 'trace-1',
    });
    expect(seen['headers']).not.toHaveProperty('cookie');
    expect(seen['headers']).not.toHaveProperty('gatefold-identity');
  });

  it('returns the data unchanged', async () => {
    expect(await respondWith(responding('{"data":{"me":{"name":"Zoë \\u00e9 \\ud83d\\ude00"}}}'))).toEqual({
      data: { me: { name: 'Zoë é 😀' } },
      needsNoEscape: false,
    });
  });

  it.each(['application/graphql-response+json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])(
    'accepts the media type %s',
    async (type) => {
      expect(await respondWith(responding('{"data":{"a":1}}', type))).toEqual({ data: { a: 1 }, needsNoEscape: true });
    },
  );

  it.each(['{"data":{"a":1},"errors":[]}', '{"data":{"a":1},"errors":null}'])('returns no errors for %s', async (text) => {
    expect(await respondWith(responding(text))).toEqual({ data: { a: 1 }, needsNoEscape: true });
  });

  it('returns the errors of a GraphQL response with status 401', async () => {
    const text = '{"errors":[{"message":"Who are you?","extensions":{"code":"UNAUTHENTICATED"}}]}';
    expect(await respondWith(responding(text, 'application/json', 401))).toEqual({
      errors: [{ message: 'Who are you?', code: 'UNAUTHENTICATED' }],
      needsNoEscape: true,
    });
  });

  it('removes keys that would set a prototype', async () => {
    const text = '{"data":{"a":{"__proto__":{"admin":true},"b":1},"c":[{"\\u005f_proto__":{"admin":true}}],"__proto__":{"admin":true}}}';
    const { data } = await respondWith(responding(text));
    expect(JSON.stringify(data)).toBe('{"a":{"b":1},"c":[{}]}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('waits for the final response after early hints', async () => {
    const response = respondWith((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"a":1}}');
    });
    expect(await response).toEqual({ data: { a: 1 }, needsNoEscape: true });
  });

  it('reuses connections for sequential requests', async () => {
    await using subgraph = await startFakeSubgraph(responding('{"data":{}}'), { settings: { maxConnections: 64 } });
    for (let index = 0; index < 20; index += 1) await subgraph.request(REQUEST, NEVER);
    expect(await subgraph.countConnections()).toBeLessThanOrEqual(2);
  });

  it('opens at most the maximum number of connections and completes all requests', async () => {
    await using subgraph = await startFakeSubgraph(responding('{"data":{}}'), { settings: { maxConnections: 2 } });
    await Promise.all(Array.from({ length: 20 }, () => subgraph.request(REQUEST, NEVER)));
    expect(await subgraph.countConnections()).toBeLessThanOrEqual(2);
  });

  it('logs the message of an unexpected error and does not return it', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (facts: unknown) => void lines.push(facts) };
    const { errors } = await respondWith(responding('{"data":null,"errors":[{"message":"db-7 is down"}]}'), { logger });
    expect(JSON.stringify(errors)).not.toContain('db-7');
    expect(lines).toEqual([{ subgraph: 'accounts', requestId: 'trace-1', errors: ['db-7 is down'] }]);
  });

  it('prefers the URL of the settings over the URL of the supergraph', async () => {
    await using subgraph = await startFakeSubgraph(responding('{"data":{"a":1}}'));
    await using client = createSubgraphClient({
      subgraphs: new Map([['accounts', { name: 'accounts', url: 'http://accounts.invalid' }]]),
      settings: settingsOf({ override: { accounts: { url: subgraph.url } } }),
      logger: silentLogger,
    });
    expect(await client(REQUEST, NEVER)).toEqual({ data: { a: 1 }, needsNoEscape: true });
  });
});
