import type { Connection } from '../kit/pagination/connection.ts';
import type { BookRow } from './tables.ts';

/** Resolver parent of `Book`: its row. */
export type BookParent = BookRow;

export type BookConnectionParent = Connection<BookRow>;
