import { eq, sql as raw } from 'drizzle-orm';
import { requireRole } from '../kit/access-rules.ts';
import type { Sql } from '../kit/database/database.ts';
import { onlyRow } from '../kit/database/only-row.ts';
import { isRowId } from '../kit/ids.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteResult, performWrite } from '../kit/writes/perform-write.ts';
import { type UserError, checkVersion, refuseIfAny, writeRejected } from '../kit/writes/user-errors.ts';
import { type BookContent, type BookPatch, findBookProblems, isSameBook, readBookPatch, toStored } from './book-content.ts';
import { type BookRow, books } from './tables.ts';

/** Book that a write changes, and the version that the caller has read. */
export interface BookTarget {
  readonly id: string;
  readonly expectedVersion?: number | null | undefined;
}

/**
 * Creates a book.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN` unless the caller is an administrator, as for all writes of books
 */
export async function createBook(
  context: RequestContext,
  input: BookContent,
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<BookRow>> {
  requireRole(context, 'ADMIN');
  return performWrite(context, {
    once: { operation: 'createBook', input, key: idempotencyKey },
    async effect({ sql, now }) {
      refuseIfAny(findBookProblems(input, 'input'));
      const row = { ...toStored(input), createdAt: now, updatedAt: now, version: 1 };
      return onlyRow(await sql.insert(books).values(row).returning());
    },
  });
}

/** Writes the fields of a patch. A patch without changes does not increment the version. */
export async function updateBook(context: RequestContext, target: BookTarget, patch: BookPatch): Promise<WriteResult<BookRow>> {
  requireRole(context, 'ADMIN');
  const { changes, problems } = readBookPatch(patch);
  return writeContent(context, { target, problems, contentOver: (before) => ({ ...before, ...changes }) });
}

/** Replaces all fields of a book. */
export async function replaceBook(context: RequestContext, target: BookTarget, input: BookContent): Promise<WriteResult<BookRow>> {
  requireRole(context, 'ADMIN');
  return writeContent(context, { target, problems: findBookProblems(input, 'input'), contentOver: () => input });
}

/** Deletes a book; orders of it remain. Returns the deleted book. */
export async function deleteBook(context: RequestContext, target: BookTarget): Promise<WriteResult<BookRow>> {
  requireRole(context, 'ADMIN');
  return performWrite(context, {
    async effect({ sql }) {
      const book = await lockBook(sql, target);
      await sql.delete(books).where(eq(books.id, book.id));
      return book;
    },
  });
}

interface ContentWrite {
  readonly target: BookTarget;
  readonly problems: readonly UserError[];
  readonly contentOver: (before: BookContent) => BookContent;
}

async function writeContent(context: RequestContext, { target, problems, contentOver }: ContentWrite): Promise<WriteResult<BookRow>> {
  return performWrite(context, {
    async effect({ sql, now }) {
      refuseIfAny(problems);
      const before = await lockBook(sql, target);
      const after = toStored(contentOver(before));
      if (isSameBook(before, after)) return before;
      const rows = await sql
        .update(books)
        .set({ ...after, updatedAt: now, version: raw`${books.version} + 1` })
        .where(eq(books.id, before.id))
        .returning();
      return onlyRow(rows);
    },
  });
}

/** Reads and locks a book until the transaction ends, so that of two writers with the same version the second one gets a conflict. */
async function lockBook(sql: Sql, { id, expectedVersion }: BookTarget): Promise<BookRow> {
  const [book] = isRowId(id) ? await sql.select().from(books).where(eq(books.id, id)).for('update') : [];
  if (book === undefined) throw writeRejected('NOT_FOUND', 'id', 'No book with this id exists.');
  checkVersion(expectedVersion, book.version);
  return book;
}
