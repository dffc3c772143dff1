import type { CollectionMapping } from '../compile/result/collection.ts';
import type { PrintedItems } from '../compile/result/printed-items.ts';

/** An object in the data of a result. */
export type ResultObject = Readonly<Record<string, unknown>>;

export function isResultObject(value: unknown): value is ResultObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path of response names, or undefined if a value on the path is null. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const name of path) {
    if (!isResultObject(value)) return undefined;
    value = value[name];
  }
  return value;
}

/** Returns the items of a result. */
export function itemsOf(result: unknown, { list }: CollectionMapping): readonly unknown[] {
  if (list === 'itself') return Array.isArray(result) ? result : [];
  const items = (result as Readonly<Record<string, unknown>>)[list];
  if (!Array.isArray(items)) return [];
  return list === 'nodes' ? items : items.map((edge: { readonly node?: unknown } | null) => edge?.node ?? null);
}

/** The data of a collection, split into items and the rest. */
export interface TakenItems {
  /** The list as JSON text, as the response shows it. */
  readonly items: string;
  /** The data, with null instead of the list. */
  readonly data: unknown;
}

/**
 * Extracts the list from printed data.
 *
 * @returns undefined if there is no list, or its text may differ from the shown items, so that the data must be parsed
 */
export function takePrintedItems(text: string, { before, after, integers, unknowns }: PrintedItems): TakenItems | undefined {
  const start = before.length;
  const end = text.lastIndexOf(after) + 1;
  if (end <= start || !text.startsWith(before) || text[start] !== '[') return undefined;
  const list = text.slice(start, end);
  if (unknowns?.test(list) === true) return undefined;
  return { items: integers === undefined ? list : list.replace(integers, '$1$2'), data: JSON.parse(`${before}null${text.slice(end)}`) };
}
