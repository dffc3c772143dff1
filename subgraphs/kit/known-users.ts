import { eq } from 'drizzle-orm';
import { pgSchema } from 'drizzle-orm/pg-core';
import { id } from './database/columns.ts';
import type { Sql } from './database/database.ts';
import { refusal } from './refusal.ts';

/** What the users service publishes: everybody who can act. */
const directory = pgSchema('users').view('directory', { id: id().notNull() }).existing();

/**
 * A token outlives the user it was made for, and what a removed user makes would be nobody's.
 *
 * @throws GraphQLError `FORBIDDEN`
 */
export async function requireKnownUser(sql: Sql, userId: string): Promise<void> {
  const known = await sql.select({ id: directory.id }).from(directory).where(eq(directory.id, userId));
  if (known.length === 0) throw refusal('FORBIDDEN', 'Only users of this service may do this.');
}
