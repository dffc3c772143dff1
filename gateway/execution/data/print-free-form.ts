/**
 * Deepest nesting in a value of a scalar that may have any form: as deep as clients may nest theirs, and what readers of JSON are known to
 * take. Nothing else of an answer is nested deeper than its operation, so that answers need not be searched for it when they come.
 *
 * @unit levels
 */
const MAX_DEPTH = 64;

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
