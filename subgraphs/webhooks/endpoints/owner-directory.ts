import { eq } from 'drizzle-orm';
import { pgSchema } from 'drizzle-orm/pg-core';
import { id } from '../../kit/database/columns.ts';
import type { Database } from '../../kit/database/database.ts';
import type { ReadOwnerRoles } from '../delivery/check-owner.ts';

/** What the users service publishes: everybody who can act. */
const directory = pgSchema('users').view('directory', { id: id().notNull() }).existing();

/**
 * Owners as this graph knows them: whoever is in the directory has the roles of the credentials by which the webhook was written, for roles
 * stand in credentials alone here. A graph that keeps them itself reads them from there.
 */
export function createOwnerDirectory({ sql }: Database): ReadOwnerRoles {
  return async (owner) => {
    const known = await sql.select({ id: directory.id }).from(directory).where(eq(directory.id, owner.id));
    return known.length === 0 ? undefined : owner.roles;
  };
}
