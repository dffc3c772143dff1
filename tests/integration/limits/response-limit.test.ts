import { describe, expect, it } from '@jest/globals';
import { type ShopGraph, startShopGraph } from '../../fixtures/shop-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';

const QUERY = '{ page { text } item(id: "1") { name left stars } }';

const startWith = (maxResponseBytesPerOperation: number): Promise<ShopGraph> =>
  startShopGraph({ config: { subgraphs: { maxResponseBytesPerOperation, errorMessages: 'listed' } } });

describe('the limit for the subgraph responses of one operation', () => {
  it('makes the missing fields fail, and returns the data that was received before', async () => {
    // The response of the subgraph with `page` and the name of the item fits. The following responses do not.
    await using shop = await startWith(90);
    const { status, body } = await createHttpClient({ origin: shop.url }).post<Result>('/graphql', { query: QUERY });
    expect({ status, data: body.data }).toEqual({ status: 200, data: { page: { text: expect.any(String) }, item: null } });
    // Both other subgraphs have a non-null field of the item.
    expect(body.errors).toHaveLength(2);
    for (const error of body.errors ?? []) {
      expect(error).toMatchObject({
        message: 'The operation needs more than 90 bytes of data from the services behind this gateway. Request fewer objects.',
        path: expect.arrayContaining(['item']),
        extensions: { code: 'SUBGRAPH_RESPONSE_LIMIT_EXCEEDED' },
      });
    }
  });

  it('responds with status 400 by REST', async () => {
    await using shop = await startWith(90);
    const { status, body } = await createHttpClient({ origin: shop.url }).get('/items/1');
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'SUBGRAPH_RESPONSE_LIMIT_EXCEEDED' } });
  });

  it('counts each operation of several clients separately', async () => {
    await using shop = await startWith(300);
    const client = createHttpClient({ origin: shop.url });
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.post<Result>('/graphql', { query: QUERY })));
    for (const { body } of responses) expect(body.errors).toBeUndefined();
  });
});

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}
