import { dateTimeScalar } from '../kit/date-time-scalar.ts';
import type { WriteResult } from '../kit/writes/perform-write.ts';
import type { UserError } from '../kit/writes/user-errors.ts';
import { bookList, booksById } from './book-list.ts';
import { createBook, deleteBook, replaceBook, updateBook } from './book-writes.ts';
import type { BookRow } from './tables.ts';
import type { Resolvers } from './generated/resolver-types.ts';

export const resolvers: Resolvers = {
  DateTime: dateTimeScalar,
  Query: {
    book: (_root, { id }, { loaders }) => loaders.load(booksById, id),
    books: (_root, args, context) => bookList.list(context, args),
  },
  Mutation: {
    createBook: async (_root, { input, idempotencyKey }, context) =>
      toPayload(await createBook(context, { ...input, inStock: input.inStock ?? true }, idempotencyKey)),
    updateBook: async (_root, { id, expectedVersion, patch }, context) =>
      toPayload(await updateBook(context, { id, expectedVersion }, patch)),
    replaceBook: async (_root, { id, expectedVersion, input }, context) =>
      toPayload(await replaceBook(context, { id, expectedVersion }, { ...input, inStock: input.inStock ?? true })),
    deleteBook: async (_root, { id, expectedVersion }, context) => toPayload(await deleteBook(context, { id, expectedVersion })),
  },
  Book: {
    __resolveReference: ({ id }, { loaders }) => loaders.load(booksById, id),
  },
};

function toPayload({ value, errors }: WriteResult<BookRow>): { readonly book: BookRow | null; readonly errors: readonly UserError[] } {
  return { book: value, errors };
}
