import { and, ilike, isNull } from 'drizzle-orm';
import { escapeLike } from '../kit/like-pattern.ts';
import { rowsById } from '../kit/loaders.ts';
import { defineConnection } from '../kit/pagination/connection.ts';
import { users } from './tables.ts';

export interface UserFilter {
  readonly name?: string | null;
}

/** Rows by id, of removed users too: what they wrote still names them. */
export const usersById = rowsById(users, users.id);

/** All users but the removed ones. */
export const userList = defineConnection({
  table: users,
  id: users.id,
  sortable: { ID: users.id, NAME: users.name, CREATED_AT: users.createdAt },
  where: (filter: UserFilter | null | undefined) =>
    and(isNull(users.deletedAt), filter?.name ? ilike(users.name, `%${escapeLike(filter.name)}%`) : undefined),
});
