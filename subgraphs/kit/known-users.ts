import { eq } from 'drizzle-orm';
import { pgSchema } from 'drizzle-orm/pg-core';
import { id } from './database/columns.ts';
import type { Sql } from './database/database.ts';
import { notAUser } from './access-rules.ts';

/** View that the users service publishes: all users. */
const directory = pgSchema('users').view('directory', { id: id().notNull() }).existing();

/**
 * Requires that a user exists. A token can outlive its user, and objects of a removed user would have no owner.
 *
 * @throws GraphQLError `FORBIDDEN`
 */
export async function requireKnownUser(sql: Sql, userId: string): Promise<void> {
  const known = await sql.select({ id: directory.id }).from(directory).where(eq(directory.id, userId));
  if (known.length === 0) throw notAUser();
}
