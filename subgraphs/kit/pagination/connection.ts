import { type SQL, and, count } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { propertyOf } from '../loaders.ts';
import type { RequestContext } from '../request-context.ts';
import { type ChildSlice, countPerParent, slicePerParent } from './child-lists.ts';
import { type CursorValue, decodeCursor, encodeCursor } from './cursor.ts';
import { type ConnectionArguments, type SortKey, readFirst, readOffset } from './page-arguments.ts';
import { type SortOrder, isBehind, orderBy, readSortOrder } from './sort-order.ts';

/** Value of a connection field. GraphQL calls only the members that are selected, so nothing else is loaded. */
export interface Connection<Row> {
  nodes(): Promise<readonly Row[]>;
  edges(): Promise<readonly { readonly cursor: string; readonly node: Row }[]>;
  pageInfo(): Promise<PageInfo>;
  totalCount(): Promise<number>;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** Definition of a list. */
export interface ConnectionSource<Table extends PgTable, Filter> {
  readonly table: Table;
  readonly id: PgColumn;
  /** Columns by value of the sort enum. Each is NOT NULL, and texts have a fixed collation, because cursors compare by them. */
  readonly sortable: Readonly<Record<string, PgColumn>>;
  /** Default order. @defaultValue by id, ascending */
  readonly defaultSort?: readonly SortKey[];
  /** Makes the condition for the rows of the list. */
  where?(filter: Filter | null | undefined): SQL | undefined;
}

/** Arguments of a connection field with a filter. */
export type FilteredArguments<Filter> = ConnectionArguments & { readonly filter?: Filter | null | undefined };

/** A list at the root of a query, or of one parent. */
export interface ConnectionField<Row, Filter> {
  /** @throws GraphQLError `BAD_USER_INPUT` for arguments out of bounds */
  list(context: RequestContext, args: FilteredArguments<Filter>): Connection<Row>;
}

/** A list of each of many parents, loaded with one statement. */
export interface ChildConnectionField<Row, Filter> {
  /** @throws GraphQLError `BAD_USER_INPUT` for arguments out of bounds */
  listOf(context: RequestContext, parentId: string, args: FilteredArguments<Filter>): Connection<Row>;
}

interface PagePlan {
  readonly size: number;
  readonly offset: number;
  readonly order: SortOrder;
  readonly after: readonly CursorValue[] | undefined;
  readonly where: SQL | undefined;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
}

/** Defines a list at the root of a query. */
export function defineConnection<Table extends PgTable, Filter = never>(
  source: ConnectionSource<Table, Filter>,
): ConnectionField<Table['$inferSelect'], Filter> {
  type Row = Table['$inferSelect'];
  // The types of Drizzle support only tables that are known individually.
  const table: PgTable = source.table;
  return {
    list({ database }, args) {
      const plan = planPage(source, args);
      const behind = plan.after === undefined ? undefined : isBehind(plan.order, plan.after);
      return toConnection<Row>(source, plan, {
        page: async () => {
          const rows: readonly Row[] = await database.sql
            .select()
            .from(table)
            .where(and(plan.where, behind))
            .orderBy(...orderBy(plan.order))
            .limit(plan.size + 1)
            .offset(plan.offset);
          return cutPage(rows, plan.size);
        },
        total: async () => {
          const [row] = await database.sql.select({ total: count() }).from(table).where(plan.where);
          return row?.total ?? 0;
        },
      });
    },
  };
}

/** Defines a list of each parent; `parent` is the column with the id of the parent. */
export function defineChildConnection<Table extends PgTable, Filter = never>(
  source: ConnectionSource<Table, Filter> & { readonly parent: PgColumn },
): ChildConnectionField<Table['$inferSelect'], Filter> {
  type Row = Table['$inferSelect'];
  return {
    listOf({ loaders }, parentId, args) {
      const plan = planPage(source, args);
      // Siblings have equal arguments, and therefore share both loaders.
      const shape = JSON.stringify(args);
      return toConnection<Row>(source, plan, {
        page: async () => {
          const rows = await loaders.loadShaped(source, `page ${shape}`, parentId, () => slicePerParent<Row>(source, toSlice(plan)));
          return cutPage(rows, plan.size);
        },
        total: async () => loaders.loadShaped(source, `total ${shape}`, parentId, () => countPerParent(source, plan.where)),
      });
    },
  };
}

function toSlice(plan: PagePlan): ChildSlice {
  const where = and(plan.where, plan.after === undefined ? undefined : isBehind(plan.order, plan.after));
  return { where, orderBy: orderBy(plan.order), offset: plan.offset, limit: plan.size + 1 };
}

function planPage<Filter>(source: ConnectionSource<PgTable, Filter>, args: FilteredArguments<Filter>): PagePlan {
  const size = readFirst(args.first);
  const offset = readOffset(args.offset, args.after);
  const order = readSortOrder(args.sort?.length ? args.sort : (source.defaultSort ?? []), source.sortable, source.id);
  const columns = order.keys.map(({ column }) => column);
  const after = args.after === undefined || args.after === null ? undefined : decodeCursor(args.after, order.signature, columns);
  return { size, offset, order, after, where: source.where?.(args.filter) };
}

/** Cuts a page that was loaded with one additional row, which indicates a next page. */
function cutPage<Row>(rows: readonly Row[], size: number): Page<Row> {
  return { rows: rows.slice(0, size), hasNextPage: rows.length > size };
}

function toConnection<Row>(
  source: ConnectionSource<PgTable, never>,
  plan: PagePlan,
  read: { readonly page: () => Promise<Page<Row>>; readonly total: () => Promise<number> },
): Connection<Row> {
  const properties = plan.order.keys.map(({ column }) => propertyOf(source.table, column));
  const cursorOf = (row: Row) =>
    encodeCursor(
      plan.order.signature,
      properties.map((property) => (row as Readonly<Record<string, CursorValue>>)[property] ?? ''),
    );
  let pending: Promise<Page<Row>> | undefined;
  const page = async () => (pending ??= read.page());
  return {
    nodes: async () => (await page()).rows,
    edges: async () => (await page()).rows.map((node) => ({ cursor: cursorOf(node), node })),
    pageInfo: async () => {
      const { rows, hasNextPage } = await page();
      const [first] = rows;
      const last = rows.at(-1);
      return {
        hasNextPage,
        hasPreviousPage: plan.after !== undefined || plan.offset > 0,
        startCursor: first === undefined ? null : cursorOf(first),
        endCursor: last === undefined ? null : cursorOf(last),
      };
    },
    totalCount: read.total,
  };
}
