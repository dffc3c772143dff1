import { describe, expect, it } from '@jest/globals';
import { type OrderPatch, findQtyProblems, readOrderPatch } from '../../../../subgraphs/orders/order-input.ts';

describe('the input of an order', () => {
  it.each([0, -1, 1_001, 2_147_483_647])('rejects the quantity %d and names the field', (qty) => {
    expect(findQtyProblems(qty, 'input.qty')).toEqual([
      { field: 'input.qty', message: 'The quantity must be from 1 to 1000.', code: 'BAD_USER_INPUT' },
    ]);
  });

  it.each([1, 1_000])('accepts the boundary quantity %d', (qty) => {
    expect(findQtyProblems(qty, 'input.qty')).toEqual([]);
  });

  it.each<[OrderPatch, readonly string[], object]>([
    [{ status: null, qty: null }, ['patch.status', 'patch.qty'], {}],
    [{ status: 'CONFIRMED', qty: 0 }, ['patch.qty'], { status: 'CONFIRMED', qty: 0 }],
    [{ qty: 3 }, [], { qty: 3 }],
    [{}, [], {}],
  ])('the patch %j has the invalid fields %j and the changes %j', (patch, failures, changes) => {
    const read = readOrderPatch(patch);
    expect(read.problems.map(({ field }) => field)).toEqual(failures);
    expect(read.changes).toEqual(changes);
  });
});
