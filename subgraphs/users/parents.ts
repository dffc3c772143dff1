import type { Connection } from '../kit/pagination/connection.ts';
import type { UserRow } from './tables.ts';

/** Resolver parent of `User`: its row. */
export interface UserParent extends UserRow {
  /** Whether the current mutation created the user for its caller, who may read all fields. @defaultValue false */
  readonly isCreatedByCaller?: boolean;
}

export type UserConnectionParent = Connection<UserRow>;
