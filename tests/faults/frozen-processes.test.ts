import { describe, expect, it } from '@jest/globals';
import { startShop } from './start-shop.ts';
import { startStockProcess } from './start-stock-process.ts';

const RESPONSE = '{"data":{"warehouse":{"city":"Oslo"}}}';
const WAREHOUSE = '{ warehouse { city } products { name } }';

describe('a subgraph whose process is frozen', () => {
  it('misses the deadline while its process is stopped, and responds when it continues', async () => {
    await using stock = await startStockProcess(RESPONSE);
    await using shop = await startShop({ stockUrl: stock.url, stockSettings: { requestTimeoutMs: 400 } });
    expect(await shop.request(WAREHOUSE)).toMatchObject({ data: { warehouse: { city: 'Oslo' } }, errors: [] });

    stock.freeze();
    const frozen = await shop.request(WAREHOUSE);
    expect(frozen).toMatchObject({ status: 200, data: { warehouse: null, products: [{}, {}, {}] }, codes: ['SUBGRAPH_TIMEOUT'] });

    stock.thaw();
    expect(await shop.request(WAREHOUSE)).toMatchObject({ data: { warehouse: { city: 'Oslo' } }, errors: [] });
  });

  it('cannot be reached after its process was killed', async () => {
    const stock = await startStockProcess(RESPONSE);
    await using shop = await startShop({ stockUrl: stock.url });
    expect((await shop.request(WAREHOUSE)).errors).toEqual([]);
    await stock[Symbol.asyncDispose]();
    expect(await shop.request(WAREHOUSE)).toMatchObject({ status: 200, data: { warehouse: null }, codes: ['SUBGRAPH_UNAVAILABLE'] });
  });
});

describe('a gateway whose event loop stalls', () => {
  it('counts no response as late that arrived within the deadline during the stall', async () => {
    await using stock = await startStockProcess(RESPONSE, 200);
    await using shop = await startShop({ stockUrl: stock.url, stockSettings: { requestTimeoutMs: 2_000 } });
    await shop.request(WAREHOUSE); // The operation is planned, and connections are open.
    const controller = new AbortController();
    const request = {
      principal: { kind: 'anonymous', id: '', roles: new Set<string>(), scopes: new Set<string>(), claims: {} },
      document: { text: '{ warehouse { city } }' },
      transport: 'rest',
      headers: {},
      correlationId: 'stall',
      signal: controller.signal,
    } as const;
    await shop.gateway.executeToObject(request);
    const before = stock.requested;
    const responses = Array.from({ length: 20 }, () => shop.gateway.executeToObject(request));
    while (stock.requested < before + responses.length) await new Promise((resolve) => setTimeout(resolve, 1));
    const end = performance.now() + 2_500;
    while (performance.now() < end);
    expect((await Promise.all(responses)).flatMap(({ errors }) => errors)).toEqual([]);
  });
});
