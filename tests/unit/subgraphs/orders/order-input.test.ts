import { describe, expect, it } from '@jest/globals';
import { type OrderPatch, findQtyProblems, readOrderPatch } from '../../../../subgraphs/orders/order-input.ts';

describe('what a caller sends of an order', () => {
  it.each([0, -1, 1_001, 2_147_483_647])('given the quantity %d, when checked, then the field is named', (qty) => {
    expect(findQtyProblems(qty, 'input.qty')).toEqual([
      { field: 'input.qty', message: 'The quantity must be from 1 to 1000.', code: 'BAD_USER_INPUT' },
    ]);
  });

  it.each([1, 1_000])('given the quantity %d at the edge, when checked, then nothing is wrong', (qty) => {
    expect(findQtyProblems(qty, 'input.qty')).toEqual([]);
  });

  it.each<[OrderPatch, readonly string[], object]>([
    [{ status: null, qty: null }, ['patch.status', 'patch.qty'], {}],
    [{ status: 'CONFIRMED', qty: 0 }, ['patch.qty'], { status: 'CONFIRMED', qty: 0 }],
    [{ qty: 3 }, [], { qty: 3 }],
    [{}, [], {}],
  ])('given the patch %j, when read, then the fields at fault are %j and the changes %j', (patch, faults, changes) => {
    const read = readOrderPatch(patch);
    expect(read.problems.map(({ field }) => field)).toEqual(faults);
    expect(read.changes).toEqual(changes);
  });
});
