import { compactText } from '../../data/print-json.ts';

/** The data of a field that determines its prefixes. */
export interface OpenedField {
  /** First slot of the prefixes of the field. */
  readonly slot: number;
  /** Whether the field is the first one of its object. */
  readonly isFirst: boolean;
  /** Response key in the compiled operation. Clients can use a different alias. */
  readonly responseKey: string;
  /** Constant JSON text after the colon. */
  readonly constant: string;
}

/**
 * JSON texts between values, by slot of the field and variant. A prefix consists of a brace or comma, the key and a colon. With
 * `AFTER_TEXT` it starts with the quote that ends the previous string. With `BEFORE_TEXT` it ends with the quote that starts the next
 * string.
 */
export type Openings = (string | undefined)[];

/** Number of slots per field. */
export const VARIANTS = 4;
export const BEFORE_TEXT = 1;
export const AFTER_TEXT = 2;

/** Cache of the field prefixes of one compiled operation, by the aliases of the client. */
export interface OpeningsCache {
  /**
   * @param isPassing Whether the aliases will not be used again. Their prefixes are then not cached, because weak maps slow down garbage
   * collection.
   */
  of(aliases: ReadonlyMap<string, string> | undefined, isPassing?: boolean): Openings;
}

interface AliasedOpenings {
  /** Prefixes without aliases. They identify the operation without holding it in memory. */
  readonly own: Openings;
  readonly openings: Openings;
}

/**
 * Prefixes for the aliases of one text, from the compiled operation that printed with them last. One operation has many variants. With
 * prefixes for each of them, a text would retain many times its counted size.
 */
const latest = new WeakMap<ReadonlyMap<string, string>, AliasedOpenings>();

/** Creates the cache. Prefixes for aliases are cached as long as the aliases exist and no other compiled operation prints with them. */
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

/** The caches that prefixes are read from and stored in. */
export interface OpeningsInUse {
  readonly openings: Openings;
  /** Prefixes without aliases. They serve most fields, because most fields of a client have no alias. */
  readonly ownOpenings: Openings;
  readonly aliases: ReadonlyMap<string, string> | undefined;
}

/** Makes a prefix that is needed for the first time and caches it. */
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
  while (openings.length <= slot) openings.push(undefined); // Holes would make all reads of the array slow.
  openings[slot] = text;
}
