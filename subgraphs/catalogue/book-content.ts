import { findTextProblems } from '../kit/writes/text-problems.ts';
import type { UserError } from '../kit/writes/user-errors.ts';

/** What a caller may set of a book. */
export interface BookContent {
  readonly title: string;
  readonly author: string;
  readonly price: number;
  readonly inStock: boolean;
}

/** A merge patch (RFC 7396): absent keeps, and null clears, which no field of a book allows. */
export type BookPatch = { readonly [Field in keyof BookContent]?: BookContent[Field] | null };

const MAX_TITLE_LENGTH = 200;
const MAX_AUTHOR_LENGTH = 100;
const MAX_PRICE = 100_000;
const CENTS = 100;
const FIELDS = ['title', 'author', 'price', 'inStock'] as const;

/** What is wrong with a book that a caller sends under the argument `argument`; empty when nothing is. */
export function findBookProblems(content: Partial<BookContent>, argument: string): readonly UserError[] {
  const { title, author, price } = content;
  return [
    ...(title === undefined ? [] : findTextProblems(`${argument}.title`, title, MAX_TITLE_LENGTH)),
    ...(author === undefined ? [] : findTextProblems(`${argument}.author`, author, MAX_AUTHOR_LENGTH)),
    ...(price === undefined || isPrice(price)
      ? []
      : [badInput(`${argument}.price`, `Give a price of 0 to ${MAX_PRICE} with at most two decimals.`)]),
  ];
}

/** The fields that a patch names, or the problems of those it sets to null. */
export function readBookPatch(patch: BookPatch): { readonly changes: Partial<BookContent>; readonly problems: readonly UserError[] } {
  const nulls = FIELDS.filter((field) => patch[field] === null);
  const named = FIELDS.filter((field) => patch[field] !== undefined && patch[field] !== null);
  const changes: Partial<BookContent> = Object.fromEntries(named.map((field) => [field, patch[field]]));
  const problems = nulls.map((field) => badInput(`patch.${field}`, 'It cannot be null: leave it out to keep it.'));
  return { changes, problems: [...problems, ...findBookProblems(changes, 'patch')] };
}

/** The content as it is stored: names have no white space around them, and prices whole cents. */
export function toStored({ title, author, price, inStock }: BookContent): BookContent {
  return { title: title.trim(), author: author.trim(), price: Math.round(price * CENTS) / CENTS, inStock };
}

/** Whether writing `after` over `before` would change nothing. */
export function isSameBook(before: BookContent, after: BookContent): boolean {
  return FIELDS.every((field) => before[field] === after[field]);
}

/** Two decimals, as near as binary fractions come to them: clients reckon, and 35 times 0.01 is 0.35000000000000003. */
function isPrice(price: number): boolean {
  const cents = price * CENTS;
  return price >= 0 && price <= MAX_PRICE && Math.abs(cents - Math.round(cents)) <= cents * 4 * Number.EPSILON;
}

function badInput(field: string, message: string): UserError {
  return { field, message, code: 'BAD_USER_INPUT' };
}
