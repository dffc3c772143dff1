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

/** Creates the cache. What was made for aliases is kept as long as these are. */
export function createOpeningsCache(): OpeningsCache {
  const own: Openings = [];
  const known = new WeakMap<ReadonlyMap<string, string>, Openings>();
  return {
    of(aliases, isPassing = false) {
      if (aliases === undefined) return own;
      if (isPassing) return [];
      let openings = known.get(aliases);
      if (openings === undefined) {
        openings = [];
        known.set(aliases, openings);
      }
      return openings;
    },
  };
}

/** Makes the opening of a field that is needed for the first time, and keeps it. */
export function makeOpening(
  openings: Openings,
  field: OpenedField,
  variant: number,
  aliases: ReadonlyMap<string, string> | undefined,
): string {
  const key = aliases?.get(field.responseKey) ?? field.responseKey;
  const before = (variant & AFTER_TEXT) === 0 ? '' : '"';
  const after = (variant & BEFORE_TEXT) === 0 ? field.constant : '"';
  const text = `${before}${field.isFirst ? '{' : ','}${JSON.stringify(key)}:${after}`;
  // Holes would make all reads slow.
  while (openings.length <= field.slot + variant) openings.push(undefined);
  openings[field.slot + variant] = text;
  return text;
}
