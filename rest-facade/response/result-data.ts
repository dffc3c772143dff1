import type { CollectionMapping } from '../compile/result/collection.ts';
import type { PrintedItems } from '../compile/result/printed-items.ts';

/** An object of the data. */
export type ResultObject = Readonly<Record<string, unknown>>;

export function isResultObject(value: unknown): value is ResultObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of response names; undefined where something on the way is null. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const name of path) {
    if (!isResultObject(value)) return undefined;
    value = value[name];
  }
  return value;
}

/** The items of a result, which is of the graph. */
export function itemsOf(result: unknown, { list }: CollectionMapping): readonly unknown[] {
  if (list === 'itself') return Array.isArray(result) ? result : [];
  const items = (result as Readonly<Record<string, unknown>>)[list];
  if (!Array.isArray(items)) return [];
  return list === 'nodes' ? items : items.map((edge: { readonly node?: unknown } | null) => edge?.node ?? null);
}

/** The data of a collection, taken apart. */
export interface TakenItems {
  /** The list as the answer shows it, as JSON text. */
  readonly items: string;
  /** The data with null in place of the list. */
  readonly data: unknown;
}

/**
 * Cuts the list out of printed data.
 *
 * @returns undefined where there is no list, or its text is not for certain what the answer shows: then the data must be read
 */
export function takePrintedItems(text: string, { before, after, integers, unknowns }: PrintedItems): TakenItems | undefined {
  const start = before.length;
  const end = text.lastIndexOf(after) + 1;
  if (end <= start || !text.startsWith(before) || text[start] !== '[') return undefined;
  const list = text.slice(start, end);
  if (unknowns?.test(list) === true) return undefined;
  return { items: integers === undefined ? list : list.replace(integers, '$1$2'), data: JSON.parse(`${before}null${text.slice(end)}`) };
}
