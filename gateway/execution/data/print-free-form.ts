/**
 * Deepest nesting in a value of a scalar that may have any form. It is far above what anybody means, and below what
 * readers of JSON are known to give up on.
 *
 * @unit levels
 */
const MAX_DEPTH = 500;

/**
 * A value of any form as JSON text.
 *
 * @throws RangeError when it is nested too deeply
 */
export function printFreeForm(value: unknown): string {
  if (isDeeperThan(value, MAX_DEPTH)) throw new RangeError('A value is nested too deeply.');
  return JSON.stringify(value);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeeperThan(item, levels - 1)) return true;
  return false;
}
