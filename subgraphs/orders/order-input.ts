import type { UserError } from '../kit/writes/user-errors.ts';
import type { OrderContent } from './order-change.ts';
import type { OrderStatus } from './order-status.ts';

const MIN_QTY = 1;
const MAX_QTY = 1_000;

/** A merge patch (RFC 7396): absent keeps, and null clears, which no field of an order allows. */
export interface OrderPatch {
  readonly status?: OrderStatus | null;
  readonly qty?: number | null;
}

/** What is wrong with a quantity sent as `field`; empty when nothing is. */
export function findQtyProblems(qty: number, field: string): readonly UserError[] {
  if (qty >= MIN_QTY && qty <= MAX_QTY) return [];
  return [{ field, message: `Give a quantity of ${MIN_QTY} to ${MAX_QTY}.`, code: 'BAD_USER_INPUT' }];
}

/** The fields that a patch names, or the problems of those that cannot be so. */
export function readOrderPatch({ status, qty }: OrderPatch): {
  readonly changes: Partial<OrderContent>;
  readonly problems: readonly UserError[];
} {
  const nulls = [...(status === null ? ['patch.status'] : []), ...(qty === null ? ['patch.qty'] : [])];
  const problems = nulls.map(
    (field): UserError => ({ field, message: 'It cannot be null: leave it out to keep it.', code: 'BAD_USER_INPUT' }),
  );
  return {
    changes: { ...(status == null ? {} : { status }), ...(qty == null ? {} : { qty }) },
    problems: [...problems, ...(qty == null ? [] : findQtyProblems(qty, 'patch.qty'))],
  };
}
