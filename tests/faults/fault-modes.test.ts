import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULT_MODES, SECRET } from './fault-modes.ts';
import { ALL_THREE, ALL_WELL, type Shop, startShop } from './start-shop.ts';

/** Each answer with the faults that lead to it. */
const EXPECTED = JSON.parse(readFileSync(new URL('expected-answers.json', import.meta.url), 'utf8')) as readonly {
  readonly faults: readonly string[];
  readonly answer: unknown;
}[];

/** What a client must never read, whatever a subgraph says. */
const LEAKS = new RegExp(
  `${SECRET.replaceAll('.', '\\.')}|127\\.0\\.0\\.1|169\\.254|ECONN|UND_ERR|stack|node_modules|nginx|SSH|TypeError|RangeError|polluted`,
  'i',
);

describe('a query that touches three subgraphs, of which one fails', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop({
      // One attempt each time, and each failure seen as what it is.
      subgraphs: {
        requestTimeoutMs: 120,
        maxResponseBytes: 131_072,
        maxErrors: 4,
        retry: { maxRetries: 0 },
        circuitBreaker: { enabled: false },
      },
    });
  });
  afterAll(async () => shop[Symbol.asyncDispose]());
  afterEach(() => shop.stock.reset());

  it('given none that fails, when asked, then all is there', async () => {
    expect(await shop.ask(ALL_THREE)).toMatchObject({ status: 200, data: ALL_WELL, errors: [] });
  });

  it('given the table of faults, when compared with the table of answers, then both name the same', () => {
    expect(EXPECTED.flatMap(({ faults }) => faults).toSorted()).toEqual(Object.keys(FAULT_MODES).toSorted());
  });

  it.each(Object.keys(FAULT_MODES))(
    'given a subgraph of which one says: %s, when asked, then the client reads what the table says',
    async (name) => {
      shop.stock.behave(FAULT_MODES[name]);
      const { status, headers, text } = await shop.ask(ALL_THREE);
      expect({ status, body: JSON.parse(text) as unknown }).toEqual({
        status: 200,
        body: EXPECTED.find(({ faults }) => faults.includes(name))?.answer,
      });
      expect(text).not.toMatch(LEAKS);
      expect(headers.get('set-cookie')).toBeNull();
      expect(shop.stock.bodies).toHaveLength(1);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();

      shop.stock.behave();
      expect((await shop.ask(ALL_THREE)).data).toEqual(ALL_WELL); // and nothing of it is left behind in a connection
    },
  );
});
