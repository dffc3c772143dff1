import type { Connection } from '../kit/pagination/connection.ts';
import type { UserRow } from './tables.ts';

/** A `User` is resolved from its row. */
export interface UserParent extends UserRow {
  /** Whether the mutation that returns the user has created it for its caller, who sees all of it. @defaultValue false */
  readonly isCreatedByCaller?: boolean;
}

export type UserConnectionParent = Connection<UserRow>;
