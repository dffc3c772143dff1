import { findTextProblems } from '../kit/writes/text-problems.ts';
import type { UserError } from '../kit/writes/user-errors.ts';

/** Fields of a book that a caller can set. */
export interface BookContent {
  readonly title: string;
  readonly author: string;
  readonly price: number;
  readonly inStock: boolean;
}

/** A merge patch (RFC 7396): an absent field is unchanged. Null would clear a field, which no field of a book allows. */
export type BookPatch = { readonly [Field in keyof BookContent]?: BookContent[Field] | null };

const MAX_TITLE_LENGTH = 200;
const MAX_AUTHOR_LENGTH = 100;
const MAX_PRICE = 100_000;
const CENTS = 100;
const FIELDS = ['title', 'author', 'price', 'inStock'] as const;

/** Validates the fields of a book in the argument `argument`. Returns no entries when they are valid. */
export function findBookProblems(content: Partial<BookContent>, argument: string): readonly UserError[] {
  const { title, author, price } = content;
  return [
    ...(title === undefined ? [] : findTextProblems(`${argument}.title`, title, MAX_TITLE_LENGTH)),
    ...(author === undefined ? [] : findTextProblems(`${argument}.author`, author, MAX_AUTHOR_LENGTH)),
    ...(price === undefined || isPrice(price)
      ? []
      : [badInput(`${argument}.price`, `The price must be from 0 to ${MAX_PRICE}, with at most two decimals.`)]),
  ];
}

/** Reads the fields that a patch sets, and the errors for fields that it sets to null. */
export function readBookPatch(patch: BookPatch): { readonly changes: Partial<BookContent>; readonly problems: readonly UserError[] } {
  const nulls = FIELDS.filter((field) => patch[field] === null);
  const named = FIELDS.filter((field) => patch[field] !== undefined && patch[field] !== null);
  const changes: Partial<BookContent> = Object.fromEntries(named.map((field) => [field, patch[field]]));
  const problems = nulls.map((field) => badInput(`patch.${field}`, 'This field cannot be null. Omit it to leave it unchanged.'));
  return { changes, problems: [...problems, ...findBookProblems(changes, 'patch')] };
}

/** Normalizes the content for storage: texts without surrounding white space, and prices in whole cents. */
export function toStored({ title, author, price, inStock }: BookContent): BookContent {
  return { title: title.trim(), author: author.trim(), price: Math.round(price * CENTS) / CENTS, inStock };
}

/** Whether the content `after` equals the content `before`. */
export function isSameBook(before: BookContent, after: BookContent): boolean {
  return FIELDS.every((field) => before[field] === after[field]);
}

/**
 * Whether a price has at most two decimals, within the precision of binary fractions: a client may compute 35 × 0.01 = 0.35000000000000003.
 */
function isPrice(price: number): boolean {
  const cents = price * CENTS;
  return price >= 0 && price <= MAX_PRICE && Math.abs(cents - Math.round(cents)) <= cents * 4 * Number.EPSILON;
}

function badInput(field: string, message: string): UserError {
  return { field, message, code: 'BAD_USER_INPUT' };
}
