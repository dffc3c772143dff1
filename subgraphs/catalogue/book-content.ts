/** What a caller may set of a book. */
export interface BookContent {
  readonly title: string;
  readonly author: string;
  readonly price: number;
  readonly inStock: boolean;
}

/** A merge patch (RFC 7386): absent keeps, and null clears, which no field of a book allows. */
export type BookPatch = { readonly [Field in keyof BookContent]?: BookContent[Field] | null };

export interface BookProblem {
  readonly field: string;
  readonly message: string;
  readonly code: 'BAD_USER_INPUT';
}

const MAX_TITLE_LENGTH = 200;
const MAX_AUTHOR_LENGTH = 100;
const MAX_PRICE = 100_000;
const FIELDS = ['title', 'author', 'price', 'inStock'] as const;

/** What is wrong with a book that a caller sends under the argument `argument`; empty when nothing is. */
export function findBookProblems(content: Partial<BookContent>, argument: string): readonly BookProblem[] {
  const { title, author, price } = content;
  return [
    ...(title === undefined || isText(title, MAX_TITLE_LENGTH) ? [] : [problem(`${argument}.title`, lengthRule(MAX_TITLE_LENGTH))]),
    ...(author === undefined || isText(author, MAX_AUTHOR_LENGTH) ? [] : [problem(`${argument}.author`, lengthRule(MAX_AUTHOR_LENGTH))]),
    ...(price === undefined || isPrice(price)
      ? []
      : [problem(`${argument}.price`, `Give a price of 0 to ${MAX_PRICE} with at most two decimals.`)]),
  ];
}

/** The fields that a patch names, or the problems of those it sets to null. */
export function readBookPatch(patch: BookPatch): { readonly changes: Partial<BookContent>; readonly problems: readonly BookProblem[] } {
  const nulls = FIELDS.filter((field) => patch[field] === null);
  const named = FIELDS.filter((field) => patch[field] !== undefined && patch[field] !== null);
  const changes: Partial<BookContent> = Object.fromEntries(named.map((field) => [field, patch[field]]));
  const problems = nulls.map((field) => problem(`patch.${field}`, 'It cannot be null: leave it out to keep it.'));
  return { changes, problems: [...problems, ...findBookProblems(changes, 'patch')] };
}

/** Whether writing `after` over `before` would change nothing. */
export function isSameBook(before: BookContent, after: BookContent): boolean {
  return FIELDS.every((field) => before[field] === after[field]);
}

/** Length is counted in characters as the database counts them; a NUL or half a surrogate pair cannot be stored. */
function isText(value: string, maxLength: number): boolean {
  const length = Array.from(value).length;
  return length >= 1 && length <= maxLength && value.trim() !== '' && !value.includes('\u0000') && !LONE_SURROGATE.test(value);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isPrice(price: number): boolean {
  return price >= 0 && price <= MAX_PRICE && Math.round(price * 100) / 100 === price;
}

function lengthRule(maxLength: number): string {
  return `Give 1 to ${maxLength} characters, not only white space.`;
}

function problem(field: string, message: string): BookProblem {
  return { field, message, code: 'BAD_USER_INPUT' };
}
