/**
 * Returns a quantile of values, such as the 99th percentile for 0.99. It is one of the values.
 *
 * @throws Error when there are no values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('There are no values.');
  return value;
}
