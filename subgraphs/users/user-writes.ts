import { and, eq, isNull, sql as raw } from 'drizzle-orm';
import { ownerOrAdmin } from '../kit/access-rules.ts';
import { classifyDatabaseFailure } from '../kit/database/database-failure.ts';
import type { Sql } from '../kit/database/database.ts';
import { onlyRow } from '../kit/database/only-row.ts';
import { isRowId } from '../kit/ids.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteResult, performWrite } from '../kit/writes/perform-write.ts';
import { checkVersion, refuseIfAny, writeRejected } from '../kit/writes/user-errors.ts';
import { type UserRow, users } from './tables.ts';
import { type UserContent, type UserPatch, findUserProblems, isSameUser, readUserPatch } from './user-input.ts';

/** User that a write changes, and the version that the caller has read. */
export interface UserTarget {
  readonly id: string;
  readonly expectedVersion?: number | null | undefined;
}

/** Name of a removed user. */
const TOMBSTONE_NAME = 'Deleted user';

/** Registers a user. Any caller may do this. */
export async function createUser(
  context: RequestContext,
  content: UserContent,
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<UserRow>> {
  return performWrite(context, {
    once: { operation: 'createUser', input: content, key: idempotencyKey },
    async effect({ sql, now }) {
      refuseIfAny(findUserProblems(content, 'input'));
      const row = { ...content, name: content.name.trim(), createdAt: now, updatedAt: now };
      return onlyRow(await orUsed('input.email', sql.insert(users).values(row).returning()));
    },
  });
}

/**
 * Writes the fields of a patch. A patch without changes does not increment the version.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function updateUser(context: RequestContext, target: UserTarget, patch: UserPatch): Promise<WriteResult<UserRow>> {
  ownerOrAdmin(context, target.id);
  const { changes, problems } = readUserPatch(patch);
  return performWrite(context, {
    async effect({ sql, now }) {
      refuseIfAny(problems);
      const before = await lockUser(sql, target);
      const { name, email, age } = { ...before, ...changes };
      const after = { name: name.trim(), email, age };
      if (isSameUser(before, after)) return before;
      const changed = sql
        .update(users)
        .set({ ...after, updatedAt: now, version: raw`${users.version} + 1` })
        .where(eq(users.id, before.id))
        .returning();
      return onlyRow(await orUsed('patch.email', changed));
    },
  });
}

/**
 * Removes all personal data from the row, which remains as a tombstone.
 *
 * @returns the user before the removal
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function deleteUser(context: RequestContext, target: UserTarget): Promise<WriteResult<UserRow>> {
  ownerOrAdmin(context, target.id);
  return performWrite(context, {
    async effect({ sql, now }) {
      const user = await lockUser(sql, target);
      await sql
        .update(users)
        .set({ name: TOMBSTONE_NAME, email: null, age: null, deletedAt: now, updatedAt: now, version: user.version + 1 })
        .where(eq(users.id, user.id));
      return user;
    },
  });
}

/** Reads and locks a user until the transaction ends. */
async function lockUser(sql: Sql, { id, expectedVersion }: UserTarget): Promise<UserRow> {
  const [user] = isRowId(id)
    ? await sql
        .select()
        .from(users)
        .where(and(eq(users.id, id), isNull(users.deletedAt)))
        .for('update')
    : [];
  if (user === undefined) throw writeRejected('NOT_FOUND', 'id', 'No user with this id exists.');
  checkVersion(expectedVersion, user.version);
  return user;
}

/** Converts a violation of the unique address. The database checks it, because a prior query would have a race condition. */
async function orUsed<Result>(field: string, statement: PromiseLike<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    if (classifyDatabaseFailure(error) !== 'unique-violation') throw error;
    throw writeRejected('CONFLICT', field, 'This e-mail address belongs to another user.');
  }
}
