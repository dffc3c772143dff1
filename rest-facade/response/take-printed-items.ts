import type { PrintedItems } from '../compile/result/printed-items.ts';

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
