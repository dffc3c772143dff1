import type { CollectionMapping } from '../compile/result/collection.ts';

/** An object of the data. */
export type DataObject = Readonly<Record<string, unknown>>;

export function isDataObject(value: unknown): value is DataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of response names; undefined where something on the way is null. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const name of path) {
    if (!isDataObject(value)) return undefined;
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
