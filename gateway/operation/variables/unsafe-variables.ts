/** Key count from which the keys of an object are cached. For smaller objects, listing the keys again is faster. @unit keys */
const LARGE = 1_000;

const known = new WeakMap<object, readonly string[]>();

/** Lists the own keys of a value from a client. The keys of a large object are cached: listing 85,000 keys takes more than 10 ms. */
export function ownKeys(value: object): readonly string[] {
  const remembered = known.get(value);
  if (remembered !== undefined) return remembered;
  const keys = Object.keys(value);
  if (keys.length >= LARGE) known.set(value, keys);
  return keys;
}

/**
 * Returns an error message if the value of a variable is too deep or has a reserved key, otherwise undefined. Coercion, planning and JSON
 * all recurse, so the depth is checked before any of them starts.
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

/** Does not use `Object.values`, which costs three times as much for an object with many thousands of keys. */
function findInObject(values: Readonly<Record<string, unknown>>, levelsLeft: number): string | undefined {
  for (const key of ownKeys(values)) {
    const reason = findReason(values[key], levelsLeft);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
