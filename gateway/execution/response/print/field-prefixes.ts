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
export type FieldPrefixes = (string | undefined)[];

/** Number of slots per field. */
export const VARIANTS = 4;
export const BEFORE_TEXT = 1;
export const AFTER_TEXT = 2;

/** Cache of the field prefixes of one compiled operation, by the aliases of the client. */
export interface FieldPrefixCache {
  /**
   * @param isTransient Whether the aliases will not be used again. Their prefixes are then not cached, because weak maps slow down garbage
   * collection.
   */
  of(aliases: ReadonlyMap<string, string> | undefined, isTransient?: boolean): FieldPrefixes;
}

interface AliasedFieldPrefixes {
  /** Prefixes without aliases. They identify the operation without holding it in memory. */
  readonly own: FieldPrefixes;
  readonly fieldPrefixes: FieldPrefixes;
}

/**
 * Prefixes for the aliases of one text, from the compiled operation that printed with them last. One operation has many variants. With
 * prefixes for each of them, a text would retain many times its counted size.
 */
const latest = new WeakMap<ReadonlyMap<string, string>, AliasedFieldPrefixes>();

/** Creates the cache. Prefixes for aliases are cached as long as the aliases exist and no other compiled operation prints with them. */
export function createFieldPrefixCache(): FieldPrefixCache {
  const own: FieldPrefixes = [];
  return {
    of(aliases, isTransient = false) {
      if (aliases === undefined) return own;
      if (isTransient) return [];
      const known = latest.get(aliases);
      if (known?.own === own) return known.fieldPrefixes;
      const fieldPrefixes: FieldPrefixes = [];
      latest.set(aliases, { own, fieldPrefixes });
      return fieldPrefixes;
    },
  };
}

/** The caches that prefixes are read from and stored in. */
export interface FieldPrefixesInUse {
  readonly fieldPrefixes: FieldPrefixes;
  /** Prefixes without aliases. They serve most fields, because most fields of a client have no alias. */
  readonly ownFieldPrefixes: FieldPrefixes;
  readonly aliases: ReadonlyMap<string, string> | undefined;
}

/** Makes a prefix that is needed for the first time and caches it. */
export function makeFieldPrefix(
  { fieldPrefixes, ownFieldPrefixes, aliases }: FieldPrefixesInUse,
  field: OpenedField,
  variant: number,
): string {
  const slot = field.slot + variant;
  const alias = aliases?.get(field.responseKey);
  const text =
    alias === undefined
      ? (ownFieldPrefixes[slot] ?? compactText(printFieldPrefix(field, field.responseKey, variant)))
      : printFieldPrefix(field, alias, variant);
  if (alias === undefined) storePrefix(ownFieldPrefixes, slot, text);
  if (fieldPrefixes !== ownFieldPrefixes) storePrefix(fieldPrefixes, slot, text);
  return text;
}

function printFieldPrefix(field: OpenedField, key: string, variant: number): string {
  const before = (variant & AFTER_TEXT) === 0 ? '' : '"';
  const after = (variant & BEFORE_TEXT) === 0 ? field.constant : '"';
  return `${before}${field.isFirst ? '{' : ','}${JSON.stringify(key)}:${after}`;
}

function storePrefix(fieldPrefixes: FieldPrefixes, slot: number, text: string): void {
  while (fieldPrefixes.length <= slot) fieldPrefixes.push(undefined); // Holes would make all reads of the array slow.
  fieldPrefixes[slot] = text;
}
