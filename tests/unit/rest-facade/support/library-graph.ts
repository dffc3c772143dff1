import { buildSchema, GraphQLError } from 'graphql';
import type { Principal } from '../../../../gateway/platform/principal.ts';

/** A small graph that uses each feature of REST documents once. */
export const librarySchema = buildSchema(/* GraphQL */ `
  type Query {
    book(id: ID!): Book
    books(first: Int = 20, after: String, offset: Int, sort: [BookSort!], filter: BookFilter): BookConnection
    shelf(id: ID!): Shelf
    paid(id: ID!): Charge
  }
  type Mutation {
    createBook(input: CreateBookInput!, idempotencyKey: String, pages: Int): BookPayload!
    updateBook(id: ID!, patch: UpdateBookInput!, expectedVersion: Int): BookPayload!
    replaceBook(id: ID!, input: ReplaceBookInput!): BookPayload!
    deleteBook(id: ID!): BookPayload!
    charge(input: ChargeInput!, idempotencyKey: String!): Charge
  }
  type Subscription {
    bookAdded: Book
  }
  type Book {
    id: ID!
    title: String!
    "Counts the writes."
    version: Int!
    revision: String!
    pages: Int
    price: Float!
    genre: Genre!
    tags: [String!]!
    "Seen by those who are signed in."
    note: String
    writer: Writer
    relatedIds: [ID!]!
    reviews(first: Int = 5): [Review!]!
  }
  type Writer {
    id: ID!
    name: String!
    "Seen by those who are signed in."
    phone: String
  }
  type Review {
    id: ID!
    text: String!
  }
  type Shelf {
    id: ID!
    books(first: Int, after: String, offset: Int): BookConnection
  }
  type Charge {
    id: ID!
    amount: Int!
    key: String!
  }
  enum Genre {
    NOVEL
    POETRY
  }
  type BookConnection {
    nodes: [Book!]!
    totalCount: Int!
    pageInfo: PageInfo!
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  input BookFilter {
    genre: [Genre!]
    writerId: ID
    title: String
  }
  input BookSort {
    field: BookSortField!
    direction: SortDirection! = ASC
  }
  enum BookSortField {
    ID
    TITLE
    PAGE_COUNT
  }
  enum SortDirection {
    ASC
    DESC
  }
  input CreateBookInput {
    title: String!
    pages: Int
    price: Float! = 1.5
    genre: Genre
    tags: [String!]
    writerId: ID
    origin: OriginInput
  }
  input OriginInput {
    country: String!
    year: Int
  }
  input UpdateBookInput {
    title: String
    pages: Int
    genre: Genre
  }
  input ReplaceBookInput {
    title: String!
    pages: Int
    genre: Genre = NOVEL
    writerId: ID
  }
  input ChargeInput {
    amount: Int!
  }
  type BookPayload {
    book: Book
    receipt: String
    errors: [UserError!]!
  }
  type UserError {
    field: String!
    message: String!
    code: String!
  }
`);

/** Context of a resolver of the library. */
export interface LibraryContext {
  readonly principal: Principal;
}

type Arguments = Readonly<Record<string, unknown>>;

const WRITER = { id: '7', name: 'A. Writer', phone: signedInOnly('phone', '555') };

/** Returns the value to a caller with credentials. Otherwise it fails, and the field is null. */
function signedInOnly(name: string, value: string): (args: Arguments, context: LibraryContext) => string {
  return (_args, { principal }) => {
    if (principal.kind !== 'anonymous') return value;
    throw new GraphQLError(`Sign in to see ${name}.`, { extensions: { code: 'UNAUTHENTICATED' } });
  };
}

export function book(id: string, change: Arguments = {}): Arguments {
  return {
    id,
    title: `Book ${id}`,
    version: 7,
    revision: 'r-7',
    pages: 100,
    price: 9.5,
    genre: 'NOVEL',
    tags: ['a', 'b'],
    note: signedInOnly('the note', 'private'),
    writer: WRITER,
    relatedIds: ['1', '2'],
    reviews: [{ id: 'r-1', text: 'Good.' }],
    ...change,
  };
}

/** Fails with a code, as a subgraph does. */
export function failing(code: string, message: string): () => never {
  return () => {
    throw new GraphQLError(message, { extensions: { code } });
  };
}

const SIZE = 45;

function connection({
  first = 20,
  offset = 0,
  after,
}: {
  readonly first?: number;
  readonly offset?: number;
  readonly after?: string;
}): Arguments {
  const start = after === undefined ? offset : Number(after);
  const count = Math.max(0, Math.min(first, SIZE - start));
  const end = start + count;
  const nodes = Array.from({ length: count }, (_, index) => book(String(start + index + 1)));
  return { nodes, totalCount: SIZE, pageInfo: { hasNextPage: end < SIZE, endCursor: String(end) } };
}

/** 45 books with the IDs from 1. */
export const libraryRoot: Arguments = {
  book: ({ id }: { readonly id: string }) => (Number(id) >= 1 && Number(id) <= SIZE ? book(id) : null),
  books: connection,
  shelf: ({ id }: { readonly id: string }) => (id === '1' ? { id, books: connection } : null),
  paid: ({ id }: { readonly id: string }) => (id === '1' ? { id, amount: 5, key: 'k' } : null),
  createBook: ({ input }: { readonly input: Arguments }) => ({ book: book('46', input), errors: [] }),
  updateBook: ({ id, patch }: { readonly id: string; readonly patch: Arguments }) => ({ book: book(id, patch), errors: [] }),
  replaceBook: ({ id, input }: { readonly id: string; readonly input: Arguments }) => ({ book: book(id, input), errors: [] }),
  deleteBook: ({ id }: { readonly id: string }) => ({ book: book(id), errors: [] }),
  charge: ({ input, idempotencyKey }: { readonly input: Arguments; readonly idempotencyKey: string }) => ({
    id: '1',
    amount: input['amount'],
    key: idempotencyKey,
  }),
};
