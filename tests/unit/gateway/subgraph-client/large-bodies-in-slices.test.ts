import { describe, expect, it } from '@jest/globals';
import { respondingSized, codeOf, query } from './large-bodies-server.ts';
import { type Behavior, NEVER, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';

const ITEMS = Array.from({ length: 20_000 }, (_, id) => ({ id: String(id), name: `name ${id}`, tags: ['a', 'b'], price: id / 7 }));
const BODY = JSON.stringify({ data: { items: ITEMS } });
const SETTINGS = { requestTimeoutMs: 60_000, maxResponseBytes: 33_554_432 };

const chunked =
  (text: string): Behavior =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(text);

/** Counts the iterations of the event loop until a promise is settled. */
async function iterationsDuring(work: Promise<unknown>): Promise<number> {
  let count = 0;
  let isOver = false;
  const next = (): void => {
    count += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  await work.finally(() => {
    isOver = true;
  });
  return count;
}

describe('large bodies that are received and parsed in slices', () => {
  it.each([
    ['with a length', respondingSized],
    ['in chunks', chunked],
  ])('do not block the event loop %s', async (_how, respondingWith) => {
    await using subgraph = await startFakeSubgraph(respondingWith(BODY), { settings: SETTINGS });
    const response = subgraph.request(query('large'), NEVER);
    expect(await iterationsDuring(response)).toBeGreaterThan(BODY.length / 262_144);
    expect(await response).toEqual({ data: { items: ITEMS }, needsNoEscape: true, isLarge: true });
  });

  it('are matched with their requests over several concurrent connections', async () => {
    const behave: Behavior = (request, response, body) => respondingSized(BODY.replace('"name 0"', `"${body}"`))(request, response, body);
    await using subgraph = await startFakeSubgraph(behave, { settings: SETTINGS });
    const names = Array.from({ length: 12 }, (_, index) => `caller ${index}`);
    const responses = await Promise.all(names.map((name) => subgraph.request(query(name, name), NEVER)));
    const firstNames = responses.map(({ data }) => (data as { items: typeof ITEMS }).items[0]?.name);
    expect(firstNames).toEqual(names);
    for (const { data } of responses) expect((data as { items: unknown[] }).items.slice(1)).toEqual(ITEMS.slice(1));
  });

  it.each([
    ['that ends too early', BODY.slice(0, -3)],
    ['with a comma too many', BODY.replace('},{"id":"15000"', '},,{"id":"15000"')],
    ['with text at the end', `${BODY} {}`],
  ])('cause SUBGRAPH_INVALID_RESPONSE if malformed: %s', async (_what, text) => {
    await using subgraph = await startFakeSubgraph(respondingSized(text), { settings: SETTINGS });
    expect(await codeOf(subgraph.request(query('large'), NEVER))).toBe('SUBGRAPH_INVALID_RESPONSE');
  });

  it.each(['__proto__', '\\u005f_proto__'])('do not contain the key %s after parsing', async (key) => {
    const text = BODY.replace('{"id":"15000"', `{"${key}":{"admin":true},"id":"15000"`);
    await using subgraph = await startFakeSubgraph(respondingSized(text), { settings: SETTINGS });
    const { data } = await subgraph.request(query('large'), NEVER);
    expect(data).toEqual({ items: ITEMS });
    expect(Object.hasOwn((data as { items: object[] }).items[15_000] ?? {}, '__proto__')).toBe(false);
  });

  it.each(['__proto__', '\\u005f_proto__'])('do not contain the key %s at any position around a step of the search', async (key) => {
    const behave: Behavior = (request, response, body) => {
      const start = '{"data":{"a":"';
      const member = `","b":{"${key}":{"admin":true}},"items":`;
      const filler = 'x'.repeat(1_048_576 - Number(body) - start.length);
      respondingSized(`${start}${filler}${member}${JSON.stringify(ITEMS.slice(0, 2_000))}}}`)(request, response, body);
    };
    await using subgraph = await startFakeSubgraph(behave, { settings: SETTINGS });
    for (let offset = 0; offset < 32; offset += 1) {
      const { data } = await subgraph.request(query(String(offset)), NEVER);
      expect(Object.hasOwn((data as { b: object }).b, '__proto__')).toBe(false);
      expect((data as { items: unknown[] }).items).toHaveLength(2_000);
    }
  });

  it('contain text that is not ASCII, and must be UTF-8', async () => {
    const items = ITEMS.map(({ id, tags, price }) => ({ id, name: `näme ${id} 😀€`, tags, price }));
    const bytes = Buffer.from(JSON.stringify({ data: { items } }));
    const sending =
      (body: Buffer): Behavior =>
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    await using subgraph = await startFakeSubgraph(sending(bytes), { settings: SETTINGS });
    expect(await subgraph.request(query('large'), NEVER)).toMatchObject({ data: { items }, needsNoEscape: true });
    bytes[bytes.lastIndexOf('ä') + 1] = 0xff; // Inside of a string, so that the text would be JSON.
    await using other = await startFakeSubgraph(sending(bytes), { settings: SETTINGS });
    expect(await codeOf(other.request(query('large'), NEVER))).toBe('SUBGRAPH_INVALID_RESPONSE');
  });

  it('end with the reason of the signal when aborted during parsing', async () => {
    await using subgraph = await startFakeSubgraph(respondingSized(BODY), { settings: SETTINGS });
    for (let iterations = 1; iterations < 40; iterations += 6) {
      const controller = new AbortController();
      const response = subgraph.request(query('large'), controller.signal);
      const result = response.then(
        () => 'answered',
        (error: unknown) => String(error),
      );
      for (let count = 0; count < iterations; count += 1) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(new Error('gone'));
      expect(['answered', 'Error: gone']).toContain(await result);
    }
    expect(await codeOf(subgraph.request(query('large'), NEVER))).toBe('answered');
  });
});
