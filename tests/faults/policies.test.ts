import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../gateway/platform/clock.ts';
import { ALL_THREE, ALL_WELL, requestUntilSuccess, startShop } from './start-shop.ts';
import type { Misbehavior, SubgraphServer } from './subgraph-server.ts';
import { eventually } from '../support/time/eventually.ts';

const WITHOUT_STOCK = { products: ALL_WELL.products.map((product) => ({ ...product, count: null })) };
const RESTOCK = 'mutation { restock(id: "1", count: 5) { id count } }';

const reset: Misbehavior = ({ socket }) => socket.resetAndDestroy();
const hang: Misbehavior = () => {};

/** Fails the given number of times, and responds correctly afterwards. */
function failing(times: number, fail: Misbehavior): Misbehavior {
  let left = times;
  return async (exchange) => {
    left -= 1;
    if (left >= 0) return fail(exchange);
    return exchange.response.setHeader('content-type', 'application/json').end(await exchange.respond());
  };
}

const rejecting =
  (status: number, headers: Readonly<Record<string, string>> = {}): Misbehavior =>
  ({ response }) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end('no');

function movableClock(): Clock & { advance(ms: number): void } {
  let offset = 0;
  return {
    now: () => Date.now(),
    monotonic: () => offset,
    advance(ms) {
      offset += ms;
    },
  };
}

describe('a circuit breaker', () => {
  const subgraphs = { retry: { maxRetries: 0 } };

  it('lets 5 of 20 requests reach a subgraph that is down, and all reach the other two', async () => {
    await using shop = await startShop({ subgraphs, clock: movableClock() });
    shop.stock.behave(reset);
    const responses = [];
    for (let index = 0; index < 20; index += 1) responses.push(await shop.request(ALL_THREE));
    expect(shop.stock.bodies).toHaveLength(5);
    expect(shop.prices.bodies).toHaveLength(20);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    for (const { data } of responses) expect(data).toEqual(WITHOUT_STOCK);
    expect(responses[4]?.codes).toEqual(Array.from({ length: 3 }, () => 'SUBGRAPH_UNAVAILABLE'));
    expect(responses[5]?.codes).toEqual(Array.from({ length: 3 }, () => 'CIRCUIT_OPEN'));
    expect(responses[5]?.errors.map(({ path }) => path)).toEqual([0, 1, 2].map((index) => ['products', index, 'count']));
  });

  it('lets one request through after a second, whatever else is requested meanwhile', async () => {
    const clock = movableClock();
    await using shop = await startShop({ subgraphs, clock });
    shop.stock.behave(reset);
    for (let index = 0; index < 5; index += 1) await shop.request(ALL_THREE);
    clock.advance(999);
    expect((await shop.request(ALL_THREE)).codes[0]).toBe('CIRCUIT_OPEN');
    expect(shop.stock.bodies).toHaveLength(5);

    clock.advance(1);
    const held: (() => void)[] = [];
    shop.stock.behave(({ socket }) => held.push(() => socket.resetAndDestroy()));
    const ended: unknown[] = [];
    const tries = Array.from({ length: 10 }, async () => ended.push((await shop.request(ALL_THREE)).codes[0]));
    await eventually(() => ended.length === 9);
    expect(ended).toEqual(Array.from({ length: 9 }, () => 'CIRCUIT_OPEN'));
    expect(shop.stock.bodies).toHaveLength(6);
    held[0]?.();
    await Promise.all(tries);
    expect(ended.at(-1)).toBe('SUBGRAPH_UNAVAILABLE');

    shop.stock.behave();
    clock.advance(1_000);
    expect((await shop.request(ALL_THREE)).data).toEqual(ALL_WELL);
    expect((await shop.request(ALL_THREE)).data).toEqual(ALL_WELL);
  });

  it('waits 30 seconds if the failing subgraph requests it', async () => {
    const clock = movableClock();
    await using shop = await startShop({ subgraphs, clock });
    shop.stock.behave(rejecting(503, { 'retry-after': '30' }));
    for (let index = 0; index < 5; index += 1) await shop.request(ALL_THREE);
    shop.stock.behave();
    clock.advance(29_999);
    expect((await shop.request(ALL_THREE)).codes[0]).toBe('CIRCUIT_OPEN');
    clock.advance(1);
    expect((await shop.request(ALL_THREE)).data).toEqual(ALL_WELL);
  });

  it('stays closed after 20 invalid responses: one bad query must not block other callers', async () => {
    await using shop = await startShop({ subgraphs, clock: movableClock() });
    shop.stock.behave(({ response }) => response.setHeader('content-type', 'application/json').end('[]'));
    for (let index = 0; index < 20; index += 1) await shop.request(ALL_THREE);
    expect(shop.stock.bodies).toHaveLength(20);
  });

  it('rejects a mutation while it is open, without sending it to the subgraph', async () => {
    await using shop = await startShop({ subgraphs, clock: movableClock() });
    shop.stock.behave(reset);
    for (let index = 0; index < 5; index += 1) await shop.request(ALL_THREE);
    expect((await shop.request(RESTOCK)).codes).toEqual(['CIRCUIT_OPEN']);
    expect(shop.stock.bodies).toHaveLength(5);
  });
});

describe('a retry', () => {
  const subgraphs = { retry: { baseDelayMs: 0 }, circuitBreaker: { enabled: false } };
  const countOf = ({ bodies }: SubgraphServer) => bodies.length;

  it.each([
    ['a reset before the first byte', reset],
    ['a closed connection', ({ socket }) => socket.destroy()],
    ['502', rejecting(502)],
    ['503', rejecting(503)],
    ['504', rejecting(504)],
    ['429', rejecting(429)],
    ['503 with a Retry-After in the past', rejecting(503, { 'retry-after': 'Fri, 02 Jan 1970 00:00:00 GMT' })],
    ['429 without Retry-After', rejecting(429, { 'retry-after': '0' })],
  ] as readonly (readonly [string, Misbehavior])[])('sends a query again after %s and gets a response', async (_what, fail) => {
    await using shop = await startShop({ subgraphs });
    shop.stock.behave(failing(1, fail));
    expect(await shop.request(ALL_THREE)).toMatchObject({ status: 200, data: ALL_WELL, errors: [] });
    expect(countOf(shop.stock)).toBe(2);
  });

  it.each([
    ['a reset before the first byte', reset],
    ['503', rejecting(503, { 'retry-after': '0' })],
    ['429', rejecting(429)],
  ] as readonly (readonly [string, Misbehavior])[])('sends a mutation exactly once after %s', async (_what, fail) => {
    await using shop = await startShop({ subgraphs });
    shop.stock.behave(failing(1, fail));
    expect((await shop.request(RESTOCK)).codes).toEqual(['SUBGRAPH_UNAVAILABLE']);
    expect(countOf(shop.stock)).toBe(1);
  });

  it.each([
    ['500', rejecting(500), 'SUBGRAPH_UNAVAILABLE'],
    ['an HTML page', ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), 'SUBGRAPH_INVALID_RESPONSE'],
    ['503 with a Retry-After beyond the limit', rejecting(503, { 'retry-after': '3600' }), 'SUBGRAPH_UNAVAILABLE'],
    [
      'a reset within the body',
      ({ response, socket }) =>
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":', () => socket.resetAndDestroy()),
      'SUBGRAPH_INVALID_RESPONSE',
    ],
  ] as readonly (readonly [string, Misbehavior, string])[])('does not send a query again after %s', async (_what, fail, code) => {
    await using shop = await startShop({ subgraphs });
    shop.stock.behave(failing(1, fail));
    expect((await shop.request(ALL_THREE)).codes[0]).toBe(code);
    expect(countOf(shop.stock)).toBe(1);
  });

  it('is limited to a tenth of 100 requests plus a reserve of ten when the subgraph is down', async () => {
    await using shop = await startShop({ subgraphs });
    shop.stock.behave(reset);
    for (let index = 0; index < 100; index += 1) await shop.request('{ warehouse { city } }');
    expect(countOf(shop.stock)).toBeGreaterThan(110);
    expect(countOf(shop.stock)).toBeLessThanOrEqual(120);
  });
});

describe('a bulkhead', () => {
  it('of two slots and a queue of three fails five of ten requests and runs two at a time', async () => {
    await using shop = await startShop({
      subgraphs: { requestTimeoutMs: 400, bulkhead: { maxConcurrent: 2, maxQueued: 3 }, circuitBreaker: { enabled: false } },
    });
    shop.stock.behave(hang);
    const rejected: unknown[] = [];
    const all = Array.from({ length: 10 }, async () => {
      const { codes } = await shop.request('{ warehouse { city } }');
      if (codes[0] === 'SUBGRAPH_UNAVAILABLE') rejected.push(codes);
      return codes[0];
    });
    await eventually(() => rejected.length === 5);
    expect(shop.stock.bodies.length).toBeLessThanOrEqual(2); // The deadlines of the other requests have not passed yet.
    expect((await Promise.all(all)).map(String).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'SUBGRAPH_TIMEOUT'),
      ...Array.from({ length: 5 }, () => 'SUBGRAPH_UNAVAILABLE'),
    ]);
    expect(shop.stock.bodies.length).toBeLessThanOrEqual(5);
  });

  it('serves other subgraphs while one hangs with all its slots taken', async () => {
    await using shop = await startShop({ subgraphs: { requestTimeoutMs: 1_000, bulkhead: { maxConcurrent: 1, maxQueued: 1 } } });
    shop.stock.behave(hang);
    const slow = [shop.request('{ warehouse { city } }'), shop.request('{ warehouse { open } }')];
    await eventually(() => shop.stock.bodies.length === 1);
    expect((await shop.request('{ products { name price } }')).errors).toEqual([]);
    expect((await Promise.all(slow)).map(({ codes }) => codes[0])).toEqual(['SUBGRAPH_TIMEOUT', 'SUBGRAPH_TIMEOUT']);
  });

  it('never sends a queued request whose client has disconnected', async () => {
    await using shop = await startShop({ subgraphs: { requestTimeoutMs: 1_000, bulkhead: { maxConcurrent: 1, maxQueued: 5 } } });
    shop.stock.behave(hang);
    const leaving = new AbortController();
    const first = shop.request('{ warehouse { city } }');
    await eventually(() => shop.stock.bodies.length === 1);
    const second = shop.request('{ warehouse { open } }', { signal: leaving.signal }).catch(() => 'left');
    const third = shop.request('{ products { name } }');
    await third; // The second request has arrived by now.
    leaving.abort();
    expect(await second).toBe('left');
    await first;
    shop.stock.behave();
    expect((await shop.request('{ warehouse { city open } }')).errors).toEqual([]);
    expect(shop.stock.bodies.filter((body) => body.includes('open') && !body.includes('city'))).toEqual([]);
  });
});

describe('a client disconnect', () => {
  it('aborts the subgraph request of a query', async () => {
    await using shop = await startShop();
    shop.stock.behave(hang);
    const leaving = new AbortController();
    const response = shop.request(ALL_THREE, { signal: leaving.signal }).catch(() => 'left');
    await eventually(() => shop.stock.busy.now === 1);
    leaving.abort();
    expect(await response).toBe('left');
    await eventually(() => shop.stock.hungUp === 1);
    expect(shop.stock.busy.now).toBe(0);
  });

  it('lets the subgraph request of a mutation finish', async () => {
    await using shop = await startShop();
    let finish = (): void => {};
    shop.stock.behave(async ({ response, respond }) => {
      const text = await respond();
      finish = () => void response.setHeader('content-type', 'application/json').end(text);
    });
    const leaving = new AbortController();
    const response = shop.request(RESTOCK, { signal: leaving.signal }).catch(() => 'left');
    await eventually(() => shop.stock.bodies.length === 1);
    leaving.abort();
    expect(await response).toBe('left');
    await shop.request('{ products { name } }'); // In this time, the request of a query would have been aborted.
    finish();
    await eventually(() => shop.stock.busy.now === 0);
    expect(shop.stock.hungUp).toBe(0);
  });
});

describe('a deadline', () => {
  it('returns the data of the other subgraphs when one hangs beyond the operation deadline', async () => {
    await using shop = await startShop({ graphql: { operationTimeoutMs: 500 } });
    await requestUntilSuccess(shop); // The operation is planned, and connections are open.
    shop.stock.behave(hang);
    const { status, data, codes } = await shop.request(ALL_THREE);
    expect({ status, data, code: codes[0] }).toEqual({ status: 200, data: WITHOUT_STOCK, code: 'GATEWAY_TIMEOUT' });
  });

  it('returns 503 when it passes before anything could respond', async () => {
    await using shop = await startShop({ graphql: { operationTimeoutMs: 500 } });
    shop.stock.behave(hang);
    const { status, codes, headers } = await shop.request('{ warehouse { city } }');
    expect({ status, codes, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, codes: ['GATEWAY_TIMEOUT'], retryAfter: '1' });
  });
});

describe('the status of a subgraph', () => {
  it.each([401, 403, 429, 503])('%i results in status 200 for the client in both media types', async (status) => {
    await using shop = await startShop({ subgraphs: { retry: { maxRetries: 0 } } });
    shop.stock.behave(rejecting(status, { 'www-authenticate': 'Basic', 'retry-after': '77' }));
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const { status: own, headers, codes } = await shop.request(ALL_THREE, { headers: { accept } });
      expect({ own, challenge: headers.get('www-authenticate'), retryAfter: headers.get('retry-after') }).toEqual({
        own: 200,
        challenge: null,
        retryAfter: null,
      });
      expect(codes[0]).toMatch(/^SUBGRAPH_/);
    }
  });
});

describe('errors in addition to data', () => {
  it('have the client’s paths when they are deep in entities and the client used aliases', async () => {
    await using shop = await startShop();
    shop.stock.behave(async ({ response, respond }) => {
      const body = JSON.parse(await respond()) as { data: { _entities: Record<string, unknown>[] } };
      const [, , third = {}] = body.data._entities;
      const key = Object.keys(third).find((name) => Array.isArray(third[name])) ?? '';
      const positions = third[key] as Record<string, unknown>[];
      const [shelf = ''] = Object.keys(positions[1] ?? {})
        .toSorted()
        .slice(-1); // Skips `__typename`.
      positions[1] = { ...positions[1], [shelf]: null };
      const errors = [{ message: 'Nobody knows.', path: ['_entities', 2, key, 1, shelf], extensions: { code: 'NOT_FOUND' } }];
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...body, errors }));
    });
    const { data, errors } = await shop.request('{ things: products { label: name where: places { on: shelf } } }');
    expect(errors).toMatchObject([{ message: 'Nobody knows.', path: ['things', 2, 'where', 1, 'on'], extensions: { code: 'NOT_FOUND' } }]);
    expect(data).toMatchObject({ things: [{}, {}, { where: [{ on: 'a3' }, { on: null }] }] });
  });
});
