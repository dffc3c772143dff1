import type { UserError } from '../kit/writes/user-errors.ts';
import type { OrderContent } from './order-change.ts';
import type { OrderStatus } from './order-status.ts';

const MIN_QTY = 1;
const MAX_QTY = 1_000;

/** A merge patch (RFC 7396): an absent field is unchanged. Null would clear a field, which no field of an order allows. */
export interface OrderPatch {
  readonly status?: OrderStatus | null;
  readonly qty?: number | null;
}

/** Validates the quantity of `field`. Returns no entries when it is valid. */
export function findQtyProblems(qty: number, field: string): readonly UserError[] {
  if (qty >= MIN_QTY && qty <= MAX_QTY) return [];
  return [{ field, message: `The quantity must be from ${MIN_QTY} to ${MAX_QTY}.`, code: 'BAD_USER_INPUT' }];
}

/** Reads the fields that a patch sets, and the errors of invalid ones. */
export function readOrderPatch({ status, qty }: OrderPatch): {
  readonly changes: Partial<OrderContent>;
  readonly problems: readonly UserError[];
} {
  const nulls = [...(status === null ? ['patch.status'] : []), ...(qty === null ? ['patch.qty'] : [])];
  const problems = nulls.map(
    (field): UserError => ({ field, message: 'This field cannot be null. Omit it to leave it unchanged.', code: 'BAD_USER_INPUT' }),
  );
  return {
    changes: { ...(status == null ? {} : { status }), ...(qty == null ? {} : { qty }) },
    problems: [...problems, ...(qty == null ? [] : findQtyProblems(qty, 'patch.qty'))],
  };
}
