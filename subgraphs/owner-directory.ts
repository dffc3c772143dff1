import { eq } from 'drizzle-orm';
import { pgSchema } from 'drizzle-orm/pg-core';
import { id } from './kit/database/columns.ts';
import type { Database } from './kit/database/database.ts';
import { isRowId } from './kit/ids.ts';
import type { OwnerDirectory } from './webhooks/owners/owner-directory.ts';

/** View that the users service publishes: all users. */
const directory = pgSchema('users').view('directory', { id: id().notNull() }).existing();

/**
 * Creates the directory of webhook owners of the reference graph. A user in the directory has the permissions of the credentials with which
 * the webhook was written, because in this graph only credentials contain permissions.
 */
export function createOwnerDirectory({ sql }: Database): OwnerDirectory {
  return async (owner) => {
    if (!isRowId(owner.id)) return undefined;
    const known = await sql.select({ id: directory.id }).from(directory).where(eq(directory.id, owner.id));
    return known.length === 0 ? undefined : owner;
  };
}
