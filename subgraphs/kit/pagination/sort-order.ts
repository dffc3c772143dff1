import { type SQL, asc, desc, eq, gt, lt, or, and } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { clientError } from '../client-error.ts';
import type { CursorValue } from './cursor.ts';
import type { SortKey } from './page-arguments.ts';

/** A total order: its last column is the id, so no two rows are equal. */
export interface SortOrder {
  /** Name of the order in cursors. */
  readonly signature: string;
  readonly keys: readonly { readonly column: PgColumn; readonly direction: 'ASC' | 'DESC' }[];
}

/** @throws GraphQLError `BAD_USER_INPUT` when a field appears twice */
export function readSortOrder(sort: readonly SortKey[], sortable: Readonly<Record<string, PgColumn>>, id: PgColumn): SortOrder {
  const keys = sort.map(({ field, direction = 'ASC' }) => {
    const column = Object.hasOwn(sortable, field) ? sortable[field] : undefined;
    if (column === undefined) throw new Error(`The list has no column to sort by ${field}.`);
    return { field, column, direction };
  });
  if (new Set(keys.map(({ column }) => column)).size < keys.length) throw clientError('BAD_USER_INPUT', '`sort` contains a field twice.');
  // Columns after the id have no effect.
  const untilId = keys.slice(0, keys.findIndex(({ column }) => column === id) + 1 || keys.length);
  const signature = untilId.map(({ field, direction }) => `${field} ${direction}`).join(', ');
  const direction = untilId.at(-1)?.direction ?? 'ASC';
  return untilId.at(-1)?.column === id ? { signature, keys: untilId } : { signature, keys: [...untilId, { column: id, direction }] };
}

export function orderBy({ keys }: SortOrder): readonly SQL[] {
  return keys.map(({ column, direction }) => (direction === 'ASC' ? asc(column) : desc(column)));
}

/** Makes the condition for rows after a position: after it in the first column, or equal there and after it in the next, and so on. */
export function isBehind({ keys }: SortOrder, position: readonly CursorValue[]): SQL | undefined {
  const alternatives = keys.map(({ column, direction }, depth) => {
    const level = keys.slice(0, depth).map((key, index) => eq(key.column, position[index]));
    return and(...level, direction === 'ASC' ? gt(column, position[depth]) : lt(column, position[depth]));
  });
  return or(...alternatives);
}
