import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAILURE_MODES, SECRET } from './failure-modes.ts';
import { ALL_THREE, ALL_WELL, requestUntilSuccess, type Shop, startShop } from './start-shop.ts';

/** Expected results, with the failure modes that lead to each. */
const EXPECTED = JSON.parse(readFileSync(new URL('expected-responses.json', import.meta.url), 'utf8')) as readonly {
  readonly failures: readonly string[];
  readonly response: { readonly errors?: readonly { readonly path?: readonly (string | number)[] }[] };
}[];

/** Returns the expected result of a failure mode, with the location of each failed field. */
function expectedResponse(name: string): unknown {
  const response = EXPECTED.find(({ failures }) => failures.includes(name))?.response;
  if (response?.errors === undefined) return response;
  return {
    ...response,
    errors: response.errors.map((error) => {
      const field = error.path?.findLast((step) => typeof step === 'string');
      return field === undefined ? error : Object.assign({}, error, { locations: [{ line: 1, column: ALL_THREE.indexOf(field) + 1 }] });
    }),
  };
}

/** Failure modes that would never end. */
const LATE = new Set(['hangs', 'hangs after the head', 'hangs within the body', 'drips', 'sends early hints forever']);

/** Text that a client must never read, whatever a subgraph sends. */
const LEAKS = new RegExp(
  `${SECRET.replaceAll('.', '\\.')}|127\\.0\\.0\\.1|169\\.254|ECONN|UND_ERR|stack|node_modules|nginx|SSH|TypeError|RangeError|polluted`,
  'i',
);

/** Failures in which the subgraph ends the connection before it responds. */
const ENDS_CONNECTION: ReadonlySet<string> = new Set(['closes the connection', 'resets the connection']);

describe('a query that uses three subgraphs, of which one fails', () => {
  // One attempt for each request, so that each failure is visible.
  const subgraphs = {
    maxResponseBytes: 131_072,
    maxErrors: 4,
    errorMessages: 'listed' as const,
    retry: { maxRetries: 0 },
    circuitBreaker: { enabled: false },
  };
  let patient: Shop;
  let hasty: Shop; // A gateway with a short deadline, for failure modes that never respond.

  beforeAll(async () => {
    patient = await startShop({ subgraphs });
    hasty = await startShop({ subgraphs, stockSettings: { requestTimeoutMs: 120 } });
  });
  afterAll(async () => {
    await patient[Symbol.asyncDispose]();
    await hasty[Symbol.asyncDispose]();
  });

  it('returns all data if no subgraph fails', async () => {
    expect(await patient.request(ALL_THREE)).toMatchObject({ status: 200, data: ALL_WELL, errors: [] });
  });

  it('has one expected result for each failure mode', () => {
    expect(EXPECTED.flatMap(({ failures }) => failures).toSorted()).toEqual(Object.keys(FAILURE_MODES).toSorted());
  });

  it.each(Object.keys(FAILURE_MODES))('returns the result that the table expects: %s', async (name) => {
    const shop = LATE.has(name) ? hasty : patient;
    shop.stock.reset();
    shop.stock.behave(FAILURE_MODES[name]);
    const { status, headers, text } = await shop.request(ALL_THREE);
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({
      status: 200,
      body: expectedResponse(name),
    });
    expect(text).not.toMatch(LEAKS);
    expect(headers.get('set-cookie')).toBeNull();
    expect(new Set(shop.stock.bodies).size).toBe(1);
    // A query on an idle connection that the subgraph closes is sent once more, on a new connection.
    expect(shop.stock.bodies.length).toBeLessThanOrEqual(ENDS_CONNECTION.has(name) ? 2 : 1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();

    shop.stock.behave();
    expect((await requestUntilSuccess(shop)).data).toEqual(ALL_WELL); // No state of the failure remains in a connection.
  });
});
