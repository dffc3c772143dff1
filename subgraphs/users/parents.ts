import type { Connection } from '../kit/pagination/connection.ts';
import type { UserRow } from './tables.ts';

/** A `User` is resolved from its row. */
export type UserParent = UserRow;

export type UserConnectionParent = Connection<UserRow>;
