import type { ScriptSession } from '../kit/database/database.ts';
import { continueIds, insertRows } from './insert-rows.ts';
import { createPeopleRows } from './people-rows.ts';

/** Fills the empty tables of users and posts. The data is the same every time. */
export async function seedPeople(session: ScriptSession): Promise<void> {
  const { users, posts, comments } = createPeopleRows();
  await insertRows(session, 'users.users', users);
  await insertRows(session, 'posts.posts', posts);
  await insertRows(session, 'posts.comments', comments);
  for (const table of ['users.users', 'posts.posts', 'posts.comments']) await continueIds(session, table);
}
