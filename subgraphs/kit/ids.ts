const GREATEST_BIGINT = 9_223_372_036_854_775_807n;

/**
 * Whether `id` can be the id of a row: a positive integer within `bigint`, in canonical form. Other texts must not reach the database,
 * which would report them as an error.
 */
export function isRowId(id: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(id) && BigInt(id) <= GREATEST_BIGINT;
}
