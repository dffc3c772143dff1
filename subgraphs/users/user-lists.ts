import { type SQL, and, ilike, isNull, sql as raw } from 'drizzle-orm';
import { escapeLike } from '../kit/like-pattern.ts';
import { rowsById } from '../kit/loaders.ts';
import { defineConnection } from '../kit/pagination/connection.ts';
import { isStorable } from '../kit/storable-text.ts';
import { users } from './tables.ts';

/** Filter of a list of users. */
export interface UserFilter {
  readonly name?: string | null;
}

/** Loads users by id, including removed ones, because their posts and orders refer to them. */
export const usersById = rowsById(users, users.id);

/** List of all users that were not removed. */
export const userList = defineConnection({
  table: users,
  id: users.id,
  sortable: { ID: users.id, NAME: users.name, CREATED_AT: users.createdAt },
  where: (filter: UserFilter | null | undefined) => and(isNull(users.deletedAt), isCalled(filter?.name)),
});

function isCalled(name: string | null | undefined): SQL | undefined {
  if (name === null || name === undefined) return undefined;
  return isStorable(name) ? ilike(users.name, `%${escapeLike(name)}%`) : raw`false`;
}
