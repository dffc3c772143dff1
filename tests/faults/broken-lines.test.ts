import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type FailureProxy, type LineFailure, startFailureProxy } from './failure-proxy.ts';
import { ALL_THREE, ALL_WELL, requestUntilSuccess, type Shop, startShop } from './start-shop.ts';
import { startSubgraphServer, type SubgraphServer } from './subgraph-server.ts';

/** Number of bytes within the head of a response: the connection breaks within the head and after it. */
const WITHIN_HEAD = 20;
const WITHIN_BODY = 170;

describe('a connection to one of three subgraphs that breaks', () => {
  let stock: SubgraphServer;
  let line: FailureProxy;
  let patient: Shop;
  let hasty: Shop; // A gateway with a short deadline, for connections that are too late.

  beforeAll(async () => {
    stock = await startSubgraphServer('stock');
    line = await startFailureProxy(stock.port);
    const options = {
      stockUrl: `http://127.0.0.1:${line.port}/graphql`,
      subgraphs: { retry: { maxRetries: 0 }, circuitBreaker: { enabled: false } },
    };
    patient = await startShop(options);
    hasty = await startShop({ ...options, stockSettings: { requestTimeoutMs: 200 } });
  });
  afterAll(async () => {
    await patient[Symbol.asyncDispose]();
    await hasty[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
    await stock[Symbol.asyncDispose]();
  });
  afterEach(() => line.set({ kind: 'none' }));

  const failures: readonly (readonly [string, LineFailure, string])[] = [
    ['that forwards nothing', { kind: 'blackhole' }, 'SUBGRAPH_TIMEOUT'],
    ['that is slower than the deadline', { kind: 'latency', ms: 400 }, 'SUBGRAPH_TIMEOUT'],
    ['that sends single bytes', { kind: 'drip', everyMs: 5 }, 'SUBGRAPH_TIMEOUT'],
    ['that is reset before the first byte', { kind: 'reset', afterBytes: 0 }, 'SUBGRAPH_UNAVAILABLE'],
    ['that is reset within the head', { kind: 'reset', afterBytes: WITHIN_HEAD }, 'SUBGRAPH_UNAVAILABLE'],
    ['that is reset within the body', { kind: 'reset', afterBytes: WITHIN_BODY }, 'SUBGRAPH_INVALID_RESPONSE'],
    ['that is half-closed before the first byte', { kind: 'half-close', afterBytes: 0 }, 'SUBGRAPH_UNAVAILABLE'],
    ['that is half-closed within the body', { kind: 'half-close', afterBytes: WITHIN_BODY }, 'SUBGRAPH_INVALID_RESPONSE'],
  ];

  it.each(failures)('returns the data of the other two and fails its fields with a connection %s', async (_what, failure, code) => {
    const shop = code === 'SUBGRAPH_TIMEOUT' ? hasty : patient;
    line.set(failure);
    const { status, data, codes } = await shop.request(ALL_THREE);
    expect(status).toBe(200);
    expect(data).toEqual({ products: ALL_WELL.products.map((product) => ({ ...product, count: null })) });
    expect(codes).toEqual([code, code, code]);

    line.set({ kind: 'none' });
    expect((await requestUntilSuccess(shop)).data).toEqual(ALL_WELL);
  });

  it('returns all data if the connection is slightly late', async () => {
    line.set({ kind: 'latency', ms: 20 });
    expect(await patient.request(ALL_THREE)).toMatchObject({ status: 200, data: ALL_WELL, errors: [] });
  });
});
