import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';

const QUERY = 'query ($id: ID!) { book(id: $id) { id } }';

describe('point 03: unknown keys, over HTTP', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway({
      config: { budget: { mode: 'enforce', headers: true, anonymous: { capacity: 10_000, refillPerSecond: 1 } } },
      clock: { now: () => Date.now(), monotonic: () => 1_000 }, // Budgets do not refill.
    });
  });
  afterAll(async () => library[Symbol.asyncDispose]());

  /** Sends a value with many keys for a variable. @returns the remaining budget, and the response */
  async function send(keys: number) {
    const id = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key${index}`, index]));
    const response = await fetch(`${library.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query: QUERY, variables: { id } }),
    });
    const left = Number(/;r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
    return { status: response.status, left, text: await response.text() };
  }

  it('are charged by the bytes of the request, although it is rejected', async () => {
    const [first, small, large] = [await send(10), await send(10), await send(60_000)];
    expect([first.status, small.status, large.status]).toEqual([400, 400, 400]);
    expect(large.text.length).toBeLessThan(5_000);
    const error = first.left - small.left;
    expect(small.left - large.left).toBeGreaterThan(error);
  });
});
