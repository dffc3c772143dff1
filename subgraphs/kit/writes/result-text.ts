type Stored =
  | { readonly date: string }
  | { readonly list: readonly Stored[] }
  | { readonly fields: Readonly<Record<string, Stored>> }
  | Plain;
type Plain = { readonly plain: string | number | boolean | null };

/** Encodes a row as text that `decodeResult` converts back to an equal row. Plain JSON would lose the dates. */
export function encodeResult(value: unknown): string {
  return JSON.stringify(wrap(value));
}

export function decodeResult(text: string): unknown {
  return unwrap(JSON.parse(text) as Stored);
}

function wrap(value: unknown): Stored {
  if (value === null || value === undefined) return { plain: null };
  if (value instanceof Date) return { date: value.toISOString() };
  if (Array.isArray(value)) return { list: value.map(wrap) };
  if (typeof value === 'object') return { fields: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, wrap(field)])) };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { plain: value };
  throw new TypeError(`A recorded result can contain only rows of plain values, not a ${typeof value}.`);
}

function unwrap(stored: Stored): unknown {
  if ('plain' in stored) return stored.plain;
  if ('date' in stored) return new Date(stored.date);
  if ('list' in stored) return stored.list.map(unwrap);
  return Object.fromEntries(Object.entries(stored.fields).map(([name, field]) => [name, unwrap(field)]));
}
