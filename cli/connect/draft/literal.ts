import type { FieldType } from './drafted-subgraph.ts';

/** Writes a default value as a literal of GraphQL. Returns undefined if the type does not allow it. */
export function literalOf(value: unknown, type: FieldType): string | undefined {
  const { levels } = type;
  if (value === undefined || value === null) return undefined;
  if (levels.length > 1) {
    if (!Array.isArray(value)) return undefined;
    const items = (value as readonly unknown[]).map((item) => literalOf(item, { ...type, levels: levels.slice(1) }));
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  return scalarLiteral(value, type);
}

function scalarLiteral(value: unknown, { name, enumeration, object }: FieldType): string | undefined {
  if (object !== undefined) return undefined;
  if (enumeration !== undefined) return enumeration.values.find(({ jsonValue }) => jsonValue === value)?.name;
  if (typeof value === 'boolean') return name === 'Boolean' ? String(value) : undefined;
  if (typeof value === 'string') return TEXTS.has(name) && !/\p{Cs}/u.test(value) ? JSON.stringify(value) : undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  if (name === 'Float') return String(value);
  if (name === 'ID' && Number.isSafeInteger(value)) return JSON.stringify(String(value));
  const isInt = Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  return isInt && (name === 'Int' || name === 'BigInt') ? String(value) : undefined;
}

/** Scalars whose values are texts. */
const TEXTS: ReadonlySet<string> = new Set(['String', 'ID', 'DateTime', 'Date', 'Time', 'UUID']);
