import { ownKeys } from './own-keys.ts';

/**
 * What makes the value of a variable unfit to be looked at more closely, in words; undefined when nothing does.
 * Coercion, planning and JSON all recurse, so depth is bounded before any of them starts.
 */
export function findUnsafeVariable(name: string, raw: Readonly<Record<string, unknown>>, maxDepth: number): string | undefined {
  if (!Object.hasOwn(raw, name)) return undefined;
  const reason = findReason(raw[name], maxDepth);
  return reason === undefined ? undefined : `Variable "$${name}" ${reason}.`;
}

function findReason(value: unknown, levelsLeft: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levelsLeft === 0) return 'is nested too deeply';
  if (Array.isArray(value)) return findInList(value, levelsLeft - 1);
  if (Object.hasOwn(value, '__proto__')) return 'has a key "__proto__", which is reserved';
  return findInObject(value as Readonly<Record<string, unknown>>, levelsLeft - 1);
}

function findInList(values: readonly unknown[], levelsLeft: number): string | undefined {
  for (const value of values) {
    const reason = findReason(value, levelsLeft);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Without `Object.values`, which costs three times as much for an object with many thousands of keys. */
function findInObject(values: Readonly<Record<string, unknown>>, levelsLeft: number): string | undefined {
  for (const key of ownKeys(values)) {
    const reason = findReason(values[key], levelsLeft);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
