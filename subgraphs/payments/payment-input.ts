import type { UserError } from '../kit/writes/user-errors.ts';

/** Smallest and largest payment. @unit minor units of the currency */
const MIN_AMOUNT = 1;
const MAX_AMOUNT = 100_000_000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** What a caller says of a payment. */
export interface PaymentInput {
  readonly amount: number;
  readonly currency: string;
}

/** What is wrong with the amount and currency of a payment; empty when nothing is. Currencies are the capitals of ISO 4217. */
export function findPaymentProblems({ amount, currency }: PaymentInput): readonly UserError[] {
  const problems: UserError[] = [];
  if (!Number.isInteger(amount) || amount < MIN_AMOUNT || amount > MAX_AMOUNT) {
    problems.push({ field: 'input.amount', message: `Give ${MIN_AMOUNT} to ${MAX_AMOUNT} minor units.`, code: 'BAD_USER_INPUT' });
  }
  if (!CURRENCIES.has(currency)) {
    problems.push({ field: 'input.currency', message: 'Give a currency code of ISO 4217, three capitals.', code: 'BAD_USER_INPUT' });
  }
  return problems;
}
