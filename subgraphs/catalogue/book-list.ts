import { type SQL, and, eq, sql as raw } from 'drizzle-orm';
import { rowsById } from '../kit/loaders.ts';
import { defineConnection } from '../kit/pagination/connection.ts';
import { isStorable } from '../kit/storable-text.ts';
import { books } from './tables.ts';

/** Filter of a list of books. */
export interface BookFilter {
  readonly author?: string | null;
  readonly inStock?: boolean | null;
}

/** Loads books by id within one request. */
export const booksById = rowsById(books, books.id);

export const bookList = defineConnection<typeof books, BookFilter>({
  table: books,
  id: books.id,
  sortable: { ID: books.id, TITLE: books.title, PRICE: books.price, CREATED_AT: books.createdAt },
  where: (filter) => and(isBy(filter?.author), isInStock(filter?.inStock)),
});

function isBy(author: string | null | undefined): SQL | undefined {
  if (author === null || author === undefined) return undefined;
  return isStorable(author) ? raw`lower(${books.author}) = lower(${author})` : raw`false`;
}

function isInStock(inStock: boolean | null | undefined): SQL | undefined {
  return inStock === null || inStock === undefined ? undefined : eq(books.inStock, inStock);
}
