import { and, desc, notInArray, sql as raw } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { cursors } from '../tables.ts';
import type { OwnerStream } from './owner-stream.ts';

/**
 * Where an owner's roles have changed, the stream with the new ones goes on where the one with the old ones was. Streams that are still wanted
 * are other endpoints' and leave nothing.
 */
export async function inheritCursor({ sql }: Database, { key, family }: OwnerStream, wanted: readonly string[]): Promise<void> {
  const [left] = await sql
    .select()
    .from(cursors)
    .where(and(raw`starts_with(${cursors.streamKey}, ${family})`, notInArray(cursors.streamKey, [...wanted])))
    .orderBy(desc(cursors.updatedAt))
    .limit(1);
  if (left !== undefined)
    await sql
      .insert(cursors)
      .values({ ...left, streamKey: key })
      .onConflictDoNothing();
}
