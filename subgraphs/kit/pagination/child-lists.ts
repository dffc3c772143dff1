import { type SQL, and, count, getTableColumns, gt, lte, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { isRowId } from '../ids.ts';
import { type LoaderDefinition, isOneOf, propertyOf } from '../loaders.ts';

/** Child rows of a table, and the column with their parent. */
export interface ChildRows {
  readonly table: PgTable;
  /** Column with the id of the parent. */
  readonly parent: PgColumn;
}

export interface ChildSlice {
  readonly where: SQL | undefined;
  readonly orderBy: readonly SQL[];
  readonly offset: number;
  readonly limit: number;
}

/** Defines a loader of a slice of rows per parent, with one statement for all parents. */
export function slicePerParent<Row>({ table, parent }: ChildRows, slice: ChildSlice): LoaderDefinition<readonly Row[]> {
  const parentProperty = propertyOf(table, parent);
  return {
    async load(parentIds, database) {
      const ids = parentIds.filter(isRowId);
      if (ids.length === 0) return parentIds.map(() => []);
      const rowNumber = sql<number>`row_number() over (partition by ${parent} order by ${sql.join([...slice.orderBy], sql`, `)})`.as(
        'place',
      );
      const positioned = database
        .select({ ...getTableColumns(table), rowNumber })
        .from(table)
        .where(and(isOneOf(parent, ids), slice.where))
        .as('placed');
      const rows: readonly Readonly<Record<string, unknown>>[] = await database
        .select()
        .from(positioned)
        .where(and(gt(positioned.rowNumber, slice.offset), lte(positioned.rowNumber, slice.offset + slice.limit)))
        .orderBy(positioned.rowNumber);
      const byParent = new Map<unknown, unknown[]>();
      for (const row of rows) {
        const siblings = byParent.get(row[parentProperty]);
        if (siblings === undefined) byParent.set(row[parentProperty], [row]);
        else siblings.push(row);
      }
      return parentIds.map((id) => (byParent.get(id) ?? []) as readonly Row[]);
    },
  };
}

/** Defines a loader of the number of rows per parent, with one statement for all parents. */
export function countPerParent({ table, parent }: ChildRows, where: SQL | undefined): LoaderDefinition<number> {
  return {
    async load(parentIds, database) {
      const ids = parentIds.filter(isRowId);
      if (ids.length === 0) return parentIds.map(() => 0);
      const rows = await database
        .select({ parent: sql<string>`${parent}::text`, total: count() })
        .from(table)
        .where(and(isOneOf(parent, ids), where))
        .groupBy(parent);
      const totals = new Map(rows.map((row) => [row.parent, row.total]));
      return parentIds.map((id) => totals.get(id) ?? 0);
    },
  };
}
