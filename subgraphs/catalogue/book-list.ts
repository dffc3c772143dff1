import { and, eq, sql as raw } from 'drizzle-orm';
import { rowsById } from '../kit/loaders.ts';
import { defineConnection } from '../kit/pagination/connection.ts';
import { books } from './tables.ts';

/** What narrows a list of books. */
export interface BookFilter {
  readonly author?: string | null;
  readonly inStock?: boolean | null;
}

/** Books by id, for one request. */
export const booksById = rowsById(books, books.id);

export const bookList = defineConnection<typeof books, BookFilter>({
  table: books,
  id: books.id,
  sortable: { ID: books.id, TITLE: books.title, PRICE: books.price, CREATED_AT: books.createdAt },
  where: (filter) =>
    and(
      filter?.author == null ? undefined : isAuthor(filter.author),
      filter?.inStock == null ? undefined : eq(books.inStock, filter.inStock),
    ),
});

function isAuthor(author: string): ReturnType<typeof raw> {
  // No text in the database has a NUL, and asking with one is an error there.
  return author.includes('\0') ? raw`false` : raw`lower(${books.author}) = lower(${author})`;
}
