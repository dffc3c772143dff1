import { describe, expect, it } from '@jest/globals';
import { findPaymentProblems } from '../../../../subgraphs/payments/payment-input.ts';

describe('the input of a payment', () => {
  it.each([
    [{ amount: 0, currency: 'EUR' }, ['input.amount']],
    [{ amount: -5, currency: 'EUR' }, ['input.amount']],
    [{ amount: 100_000_001, currency: 'EUR' }, ['input.amount']],
    [{ amount: 1, currency: 'eur' }, ['input.currency']],
    [{ amount: 1, currency: 'XQZ' }, ['input.currency']],
    [{ amount: 1, currency: '' }, ['input.currency']],
    [{ amount: 0, currency: 'EURO' }, ['input.amount', 'input.currency']],
  ])('%j has the invalid fields %j', (input, fields) => {
    expect(findPaymentProblems(input).map(({ field }) => field)).toEqual(fields);
  });

  it.each([
    { amount: 1, currency: 'EUR' },
    { amount: 100_000_000, currency: 'JPY' },
  ])('accepts the boundary values %j', (input) => {
    expect(findPaymentProblems(input)).toEqual([]);
  });
});
