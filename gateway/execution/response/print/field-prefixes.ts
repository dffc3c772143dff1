import { compactText } from '../../data/print-json.ts';

/** A field, as far as its openings go. */
export interface OpenedField {
  /** The slot of the first of its openings. */
  readonly slot: number;
  /** Whether it opens the object. */
  readonly isFirst: boolean;
  /** Where the compiled operation has it; clients may call it otherwise. */
  readonly responseKey: string;
  /** JSON text that always follows the colon. */
  readonly constant: string;
}

/**
 * The texts between values, by slot of the field and what stands around: brace or comma, key, colon; with the quote that
 * ends a string before them (`AFTER_TEXT`), and with the one that begins a string after them (`BEFORE_TEXT`).
 */
export type Openings = (string | undefined)[];

/** Slots per field. */
export const VARIANTS = 4;
export const BEFORE_TEXT = 1;
export const AFTER_TEXT = 2;

/** Openings by the client's names for the response keys of one compiled operation. */
export interface OpeningsCache {
  /** @param isPassing whether the aliases will not come again: then nothing is kept, because weak maps make garbage collection slow */
  of(aliases: ReadonlyMap<string, string> | undefined, isPassing?: boolean): Openings;
}

interface AliasedOpenings {
  /** Openings without aliases of the operation for which these were made; identifies it without keeping it in memory. */
  readonly own: Openings;
  readonly openings: Openings;
}

/**
 * Openings with the aliases of one text, for the compiled operation that printed with them last. One operation has many variants, and
 * with openings for each of them a text would retain many times its counted size.
 */
const latest = new WeakMap<ReadonlyMap<string, string>, AliasedOpenings>();

/** Creates the cache. What was made for aliases is kept as long as these are, and until another compiled operation prints with them. */
export function createOpeningsCache(): OpeningsCache {
  const own: Openings = [];
  return {
    of(aliases, isPassing = false) {
      if (aliases === undefined) return own;
      if (isPassing) return [];
      const known = latest.get(aliases);
      if (known?.own === own) return known.openings;
      const openings: Openings = [];
      latest.set(aliases, { own, openings });
      return openings;
    },
  };
}

/** By what name openings are found, and where they are kept. */
export interface OpeningsInUse {
  readonly openings: Openings;
  /** Those without aliases; most fields of a client have no alias, whatever others have. */
  readonly ownOpenings: Openings;
  readonly aliases: ReadonlyMap<string, string> | undefined;
}

/** Makes the opening of a field that is needed for the first time, and keeps it. */
export function makeOpening({ openings, ownOpenings, aliases }: OpeningsInUse, field: OpenedField, variant: number): string {
  const slot = field.slot + variant;
  const alias = aliases?.get(field.responseKey);
  const text =
    alias === undefined
      ? (ownOpenings[slot] ?? compactText(printOpening(field, field.responseKey, variant)))
      : printOpening(field, alias, variant);
  if (alias === undefined) keep(ownOpenings, slot, text);
  if (openings !== ownOpenings) keep(openings, slot, text);
  return text;
}

function printOpening(field: OpenedField, key: string, variant: number): string {
  const before = (variant & AFTER_TEXT) === 0 ? '' : '"';
  const after = (variant & BEFORE_TEXT) === 0 ? field.constant : '"';
  return `${before}${field.isFirst ? '{' : ','}${JSON.stringify(key)}:${after}`;
}

function keep(openings: Openings, slot: number, text: string): void {
  while (openings.length <= slot) openings.push(undefined); // holes would make all reads slow
  openings[slot] = text;
}
