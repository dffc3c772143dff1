import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';

/** Tolerance for rough estimates: beyond this factor they would not bound anything. */
const FACTOR = 1.5;
/** Memory of code that runs for the first time. @unit bytes */
const FIXED_BYTES = 1_500_000;

export const MAX_BYTES = 2_000_000;
/** The tables of `lru-cache` are allocated for all entries, so bounds in bytes are tested with few entries. */
export const MAX_ENTRIES = 2_000;

/** A store that requests of clients or responses of subgraphs fill. */
export interface Store {
  /** Number of entries, far beyond the bound. */
  readonly entries: number;
  /** Memory that the store may retain. @unit bytes */
  readonly bound: number;
  /** @returns the store, so that it still exists when memory is measured, and a function that puts one entry into it */
  readonly open: () => { readonly store: unknown; readonly put: (index: number) => unknown };
}

/** Creates texts that share no memory with each other. */
export const textOf = (length: number, seed: number | string): string => Buffer.alloc(length, `${seed}.`).toString('latin1');
/** Creates a text in which a character takes two bytes. */
export const wideTextOf = (length: number, seed: number | string): string => Buffer.from(`€${textOf(length, seed)}`).toString();
/** Creates a principal with the longest subject that a token can name. */
export const longCaller = (index: number): Principal => ({
  ...ANONYMOUS,
  kind: 'user',
  issuer: 'https://issuer.example',
  id: textOf(4_000, index),
});

/** Fills a store and measures the heap. SHOW_BYTES prints the result. @returns the memory retained beyond the bound. @unit bytes */
export async function bytesBeyondBound(name: string, { entries, bound, open }: Store): Promise<number> {
  const before = await retainedBytes();
  const opened = open();
  for (let index = 0; index < entries; index += 1) await opened.put(index);
  const allowed = FACTOR * bound + FIXED_BYTES;
  const grown = await grownBytes(before, allowed);
  if (process.env['SHOW_BYTES'] !== undefined) console.info(name, grown, bound);
  if (opened.store === undefined) throw new Error('The store does not exist.'); // The store is referenced until here.
  return grown - allowed;
}
