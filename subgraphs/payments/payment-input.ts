import type { UserError } from '../kit/writes/user-errors.ts';

/** Minimum and maximum amount. @unit minor units of the currency */
const MIN_AMOUNT = 1;
const MAX_AMOUNT = 100_000_000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Input of a payment. */
export interface PaymentInput {
  readonly amount: number;
  readonly currency: string;
}

/** Validates amount and currency. Returns no entries when they are valid. Currencies are the uppercase codes of ISO 4217. */
export function findPaymentProblems({ amount, currency }: PaymentInput): readonly UserError[] {
  const problems: UserError[] = [];
  if (!Number.isInteger(amount) || amount < MIN_AMOUNT || amount > MAX_AMOUNT) {
    problems.push({
      field: 'input.amount',
      message: `The amount must be an integer from ${MIN_AMOUNT} to ${MAX_AMOUNT} minor units.`,
      code: 'BAD_USER_INPUT',
    });
  }
  if (!CURRENCIES.has(currency)) {
    problems.push({
      field: 'input.currency',
      message: 'The currency must be an ISO 4217 code of three uppercase letters.',
      code: 'BAD_USER_INPUT',
    });
  }
  return problems;
}
