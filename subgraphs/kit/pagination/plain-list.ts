import { type SQL, and, desc, lt } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { isRowId } from '../ids.ts';
import { clientError } from '../client-error.ts';
import type { RequestContext } from '../request-context.ts';
import { slicePerParent } from './child-lists.ts';
import { readFirst } from './page-arguments.ts';

/** Arguments of a plain list: at most `first` items after the item with the id `after`. */
export interface PlainListArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Loads the newest rows of a table. @throws GraphQLError `BAD_USER_INPUT` for arguments out of range */
export async function newestRows<Table extends PgTable>(
  { database }: RequestContext,
  source: { readonly table: Table; readonly id: PgColumn },
  args: PlainListArguments,
): Promise<readonly Table['$inferSelect'][]> {
  const { table, id }: { readonly table: PgTable; readonly id: PgColumn } = source;
  return database.sql.select().from(table).where(isOlder(id, args)).orderBy(desc(id)).limit(readFirst(args.first));
}

/**
 * Loads the newest rows of each of many parents with one statement.
 *
 * @throws GraphQLError `BAD_USER_INPUT` for arguments out of range
 */
export async function newestRowsOf<Table extends PgTable>(
  { loaders }: RequestContext,
  source: { readonly table: Table; readonly id: PgColumn; readonly parent: PgColumn },
  parentId: string,
  args: PlainListArguments,
): Promise<readonly Table['$inferSelect'][]> {
  const slice = { where: and(isOlder(source.id, args)), orderBy: [desc(source.id)], offset: 0, limit: readFirst(args.first) };
  return loaders.loadShaped(source, JSON.stringify(args), parentId, () => slicePerParent<Table['$inferSelect']>(source, slice));
}

function isOlder(id: PgColumn, { after }: PlainListArguments): SQL | undefined {
  if (after === undefined || after === null) return undefined;
  if (!isRowId(after)) throw clientError('BAD_USER_INPUT', '`after` must be the id of the last item of the previous page.');
  return lt(id, after);
}
