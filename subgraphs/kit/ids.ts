const GREATEST_BIGINT = 9_223_372_036_854_775_807n;

/**
 * Whether `id` can name a row: a positive integer within `bigint`, written the one way the graph writes it.
 * Anything else names nothing; it must not reach the database, which would refuse it as an error.
 */
export function isRowId(id: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(id) && BigInt(id) <= GREATEST_BIGINT;
}
