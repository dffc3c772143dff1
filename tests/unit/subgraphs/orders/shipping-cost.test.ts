import { describe, expect, it } from '@jest/globals';
import { shippingCost } from '../../../../subgraphs/orders/shipping-cost.ts';

describe('the shipping cost', () => {
  it.each([
    [1, 49.99, false, 5.4],
    [1, 49.99, true, 10.8],
    [3, 12, false, 6.4],
    [7, 0.1, true, 16.8],
    [1, 50, false, 0],
    [1000, 100_000, true, 0],
  ])('%d pieces for a total of %d, express: %s, cost %d', (qty, total, express, cost) => {
    expect(shippingCost({ qty, total }, express)).toBe(cost);
  });
});
