/**
 * Deepest value that is copied. @unit levels
 */
const MAX_DEPTH = 500;

/**
 * A copy of what was parsed from JSON, sharing nothing with it that could be changed.
 *
 * @throws RangeError when it is nested too deeply
 */
export function copyJson<T>(value: T): T {
  return copy(value, MAX_DEPTH) as T;
}

function copy(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw new RangeError('A value is nested too deeply.');
  if (Array.isArray(value)) return value.map((item) => copy(item, levels - 1));
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) result[key] = copy(item, levels - 1);
  return result;
}
