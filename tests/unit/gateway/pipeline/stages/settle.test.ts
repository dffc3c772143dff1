import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type ChargedOperation, settle } from '../../../../../gateway/pipeline/stages/charge.ts';

/** Charges an operation whose actual cost is the number of its items. */
function chargedFor(refunds: number[]): ChargedOperation {
  return {
    operation: { kind: 'query', isCounted: true, actualCost: (data: { items: unknown[] }) => data.items.length },
    variables: {},
    estimated: 1_000_000,
    budget: { isLimited: true, settle: (_kind: string, _estimated: number, actual: number) => void refunds.push(actual) },
  } as unknown as ChargedOperation;
}

const dataWith = (items: number): string => JSON.stringify({ items: Array.from({ length: items }, (_, index) => ({ id: `${index}` })) });

describe('the refund of an operation whose response is counted', () => {
  it('is made before a short response is sent', () => {
    const refunds: number[] = [];
    settle(chargedFor(refunds), { data: dataWith(10), errors: [] });
    expect(refunds).toEqual([10]);
  });

  it('is made once after a long response, which is parsed in several iterations of the event loop', async () => {
    const refunds: number[] = [];
    settle(chargedFor(refunds), { data: dataWith(100_000), errors: [] });
    expect(refunds).toEqual([]);
    while (refunds.length === 0) await nextIteration();
    await nextIteration();
    expect(refunds).toEqual([100_000]);
  });

  it('is made by the objects that the execution has counted, and otherwise by the braces of the text', () => {
    const refunds: number[] = [];
    const charged = chargedFor(refunds);
    const plain = { ...charged, operation: { ...charged.operation, isCounted: false } };
    const data = '{"items":[{"id":"{{"},{"id":"1"}]}';
    settle(plain, { data, objects: 2, errors: [] });
    settle(plain, { data, errors: [] });
    settle(plain, { data: 'null', objects: 0, errors: [] });
    expect(refunds).toEqual([2, 4, 0]);
  });

  it('is not made for data that cannot be parsed', async () => {
    const refunds: number[] = [];
    settle(chargedFor(refunds), { data: `${dataWith(100_000)}]`, errors: [] });
    for (let iteration = 0; iteration < 200; iteration += 1) await nextIteration();
    expect(refunds).toEqual([]);
  });
});
