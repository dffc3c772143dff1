import { and, eq, isNull } from 'drizzle-orm';
import { ownerOrAdmin } from '../kit/access-rules.ts';
import { classifyDatabaseFailure } from '../kit/database/database-failure.ts';
import type { Sql } from '../kit/database/database.ts';
import { isRowId } from '../kit/ids.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteOutcome, performWrite } from '../kit/writes/perform-write.ts';
import { WriteRefused, checkVersion, writeRefused } from '../kit/writes/user-errors.ts';
import { type UserRow, users } from './tables.ts';
import { type UserContent, type UserPatch, findUserProblems, readUserPatch } from './user-input.ts';

/** Which user a write is about, and which version of it the caller saw. */
export interface UserTarget {
  readonly id: string;
  readonly expectedVersion?: number | null | undefined;
}

/** What a removed user is called. */
const TOMBSTONE_NAME = 'Deleted user';

/** Registers a user; open to everybody. */
export async function createUser(
  context: RequestContext,
  content: UserContent,
  idempotencyKey?: string | null,
): Promise<WriteOutcome<UserRow>> {
  return performWrite(context, {
    operation: 'createUser',
    input: content,
    idempotencyKey,
    async effect({ sql, now }) {
      const problems = findUserProblems(content, 'input');
      if (problems.length > 0) throw new WriteRefused(problems);
      const row = { ...content, name: content.name.trim(), createdAt: now, updatedAt: now };
      const [user] = await orTaken('input.email', sql.insert(users).values(row).returning());
      if (user === undefined) throw new Error('The insert gave back no row.');
      return user;
    },
  });
}

/** @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN` */
export async function updateUser(context: RequestContext, target: UserTarget, patch: UserPatch): Promise<WriteOutcome<UserRow>> {
  ownerOrAdmin(context, target.id);
  return performWrite(context, {
    operation: 'updateUser',
    input: { ...target, patch },
    async effect({ sql, now }) {
      const user = await lockUser(sql, target);
      const { changes, problems } = readUserPatch(patch);
      if (problems.length > 0) throw new WriteRefused(problems);
      if (Object.keys(changes).length === 0) return user;
      const named = changes.name === undefined ? changes : { ...changes, name: changes.name.trim() };
      const [changed] = await orTaken(
        'patch.email',
        sql
          .update(users)
          .set({ ...named, updatedAt: now, version: user.version + 1 })
          .where(eq(users.id, user.id))
          .returning(),
      );
      return changed ?? user;
    },
  });
}

/**
 * Takes everything personal out of the row, and leaves it as a tombstone.
 *
 * @returns the user as they were
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function deleteUser(context: RequestContext, target: UserTarget): Promise<WriteOutcome<UserRow>> {
  ownerOrAdmin(context, target.id);
  return performWrite(context, {
    operation: 'deleteUser',
    input: target,
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

/** The row, held until the transaction ends. */
async function lockUser(sql: Sql, { id, expectedVersion }: UserTarget): Promise<UserRow> {
  const [user] = isRowId(id)
    ? await sql
        .select()
        .from(users)
        .where(and(eq(users.id, id), isNull(users.deletedAt)))
        .for('update')
    : [];
  if (user === undefined) throw writeRefused('NOT_FOUND', 'id', 'There is no user with this id.');
  checkVersion(expectedVersion, user.version);
  return user;
}

/** The database decides whether an address is free: looking first would leave a gap for somebody else. */
async function orTaken<Result>(field: string, statement: PromiseLike<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    if (classifyDatabaseFailure(error) !== 'unique-violation') throw error;
    throw writeRefused('CONFLICT', field, 'This e-mail address belongs to another user.');
  }
}
