import { eq } from 'drizzle-orm';
import { pgSchema } from 'drizzle-orm/pg-core';
import { id } from '../../kit/database/columns.ts';
import type { Database } from '../../kit/database/database.ts';
import type { ReadOwnerRoles } from '../delivery/check-owner.ts';

/** View that the users service publishes: all users. */
const directory = pgSchema('users').view('directory', { id: id().notNull() }).existing();

/**
 * Creates the directory of owners of this graph. A user in the directory has the roles of the credentials with which the webhook was
 * written, because in this graph only credentials contain roles. A graph that stores roles would read them here.
 */
export function createOwnerDirectory({ sql }: Database): ReadOwnerRoles {
  return async (owner) => {
    const known = await sql.select({ id: directory.id }).from(directory).where(eq(directory.id, owner.id));
    return known.length === 0 ? undefined : owner.roles;
  };
}
