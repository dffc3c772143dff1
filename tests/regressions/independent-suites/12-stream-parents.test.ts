import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { compileRoutes } from '../../../rest-facade/compile/compile-routes.ts';
import { compileStreamParents } from '../../../rest-facade/compile/stream-parents.ts';

const SCHEMA = buildSchema(`
  type Query { book(id: ID!): Book  chapter(id: ID!, language: String!): Book }
  type Subscription { bookRenamed(id: ID, chapter: ID): Book }
  type Book { id: ID! title: String! }
`);
const READ_BOOK =
  'query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}", until: 1) { book(id: $id) @result { id } }';
const READ_BOOK_2 =
  'query GetBook2($book: ID! @in(path: "book")) @endpoint(method: GET, path: "/books/{book}", since: 2) { book(id: $book) @result { id } }';
const READ_CHAPTER = `query GetChapter($book: ID! @in(path: "book"), $language: String! @in(query: "language"))
@endpoint(method: GET, path: "/books/{book}/chapters") { chapter(id: $book, language: $language) @result { id } }`;

/** Returns the name of the operation that reads the resource of the only stream, by version. */
function parentsOf(...texts: string[]): Readonly<Record<string, string>> {
  const documents = texts.map((text, index) => ({ path: `rest/${index}.graphql`, text: `"A route"\n${text}` }));
  const { routes, problems } = compileRoutes(documents, SCHEMA);
  expect(problems).toEqual([]);
  const [parents] = compileStreamParents(routes).values();
  return Object.fromEntries([...(parents ?? [])].map(([version, { operationName }]) => [version, operationName]));
}

describe('point 12: the resource of a stream', () => {
  it('does not exist for a path without a parameter', () => {
    expect(parentsOf(READ_BOOK, 'subscription S @endpoint(method: GET, path: "/books/events") { bookRenamed @result { id } }')).toEqual({});
  });

  it('is the longest parent path that is read by its path alone, in each version', () => {
    const stream = `subscription S($id: ID! @in(path: "id"), $chapter: ID! @in(path: "chapter"))
      @endpoint(method: GET, path: "/books/{id}/chapters/{chapter}/events") { bookRenamed(id: $id, chapter: $chapter) @result { id } }`;
    expect(parentsOf(READ_BOOK, READ_BOOK_2, READ_CHAPTER, stream)).toEqual({ 1: 'GetBook', 2: 'GetBook2' });
  });
});
