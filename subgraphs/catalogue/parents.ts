import type { Connection } from '../kit/pagination/connection.ts';
import type { BookRow } from './tables.ts';

/** A `Book` is resolved from its row. */
export type BookParent = BookRow;

export type BookConnectionParent = Connection<BookRow>;
