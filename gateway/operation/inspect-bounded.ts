import { ownKeys } from './own-keys.ts';

/** Items of a list, or keys of an object, that are printed. */
const MAX_ITEMS = 10;
/** Levels of nesting that are printed. */
const MAX_LEVELS = 2;
/** Longest string that is printed. @unit UTF-16 code units */
const MAX_STRING = 400;

/** Prints a value of a client for a message, as graphql-js does, but of large values only the beginning. The keys of an object are listed once. */
export function inspectBounded(value: unknown, levels = 0): string {
  if (typeof value === 'string') return JSON.stringify(value.length > MAX_STRING ? `${value.slice(0, MAX_STRING)}…` : value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (levels > MAX_LEVELS) return '[Array]';
    const items = value.slice(0, MAX_ITEMS).map((item: unknown) => inspectBounded(item, levels + 1));
    const rest = value.length - items.length;
    if (rest > 0) items.push(rest === 1 ? '... 1 more item' : `... ${rest} more items`);
    return `[${items.join(', ')}]`;
  }
  const { entries, isWhole } = firstEntries(value);
  if (entries.length === 0) return '{}';
  if (levels > MAX_LEVELS) return '[Object]';
  const printed = entries.map(([key, item]) => `${key}: ${inspectBounded(item, levels + 1)}`);
  if (!isWhole) printed.push('...');
  return `{ ${printed.join(', ')} }`;
}

/** The beginning of a list or an object; every other value as it is. */
export function toBoundedValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : Object.fromEntries(firstEntries(value).entries);
}

function firstEntries(value: object): { readonly entries: readonly (readonly [string, unknown])[]; readonly isWhole: boolean } {
  const keys = ownKeys(value);
  const entries = keys.slice(0, MAX_ITEMS).map((key) => [key, (value as Readonly<Record<string, unknown>>)[key]] as const);
  return { entries, isWhole: entries.length === keys.length };
}
