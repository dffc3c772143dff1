import { describe, expect, it } from '@jest/globals';
import type { ResultMapping } from '../../../../rest-facade/compile/result/result-mapping.ts';
import { classifyErrors } from '../../../../rest-facade/response/classify-errors.ts';

const denied = (...path: readonly (string | number)[]) => ({ message: 'No.', path, extensions: { code: 'FORBIDDEN', requestId: 'r' } });
const book: ResultMapping = { path: ['shelf', 'book'], isPage: false, shape: new Map(), validators: {} };
const collection = { list: 'nodes', isBare: false, hasTotal: true, hasPageInfo: true } as const;
const books: ResultMapping = { path: ['books'], isPage: true, collection, shape: new Map(), validators: {} };

const one = { shelf: { book: { note: null, writer: { phone: null, name: 'A' }, editor: null, reviews: [null, { text: null }] } } };
const many = { books: { nodes: [{ note: null }, { note: 'x' }], totalCount: null, pageInfo: { endCursor: null } } };

/** Whether the denial prevents a response. */
function fatal(data: unknown, result: ResultMapping, path: readonly (string | number)[], named?: readonly string[]): boolean {
  return classifyErrors([denied(...path)], data, result, named && new Set(named)).fatal.length === 1;
}

describe('denials that fail the whole response', () => {
  it.each([
    ['no path', one, book, []],
    ['the root', { shelf: null }, book, ['shelf']],
    ['the resource itself', { shelf: { book: null } }, book, ['shelf', 'book']],
    ['a non-null field whose null reached the resource', { shelf: { book: null } }, book, ['shelf', 'book', 'note']],
    ['a field outside the resource', one, book, ['shelf', 'owner', 'name']],
    ['an element of a list', one, book, ['shelf', 'book', 'reviews', 0]],
    ['a value that is present anyway', one, book, ['shelf', 'book', 'writer', 'name']],
    ['a path that does not exist', one, book, ['shelf', 'book', 'writer', 'name', 'first']],
    ['the number of items', many, books, ['books', 'totalCount']],
    ['a field of the page', many, books, ['books', 'pageInfo', 'endCursor']],
    ['a whole item', { books: { nodes: [null] } }, books, ['books', 'nodes', 0]],
  ])('a denial of %s fails the response', (_title, data, result, path) => {
    expect(fatal(data, result, path)).toBe(true);
  });

  it.each([
    ['the field', ['shelf', 'book', 'note'], ['id', 'note']],
    ['a nested field of it', ['shelf', 'book', 'editor'], ['editor.name']],
    ['a nested field', ['shelf', 'book', 'writer', 'phone'], ['writer.phone']],
  ])('a denial fails the response when the client named %s', (_title, path, named) => {
    expect(fatal(one, book, path, named)).toBe(true);
  });

  it('any other error inside the resource fails the response', () => {
    const error = { ...denied('shelf', 'book', 'note'), extensions: { code: 'SUBGRAPH_TIMEOUT', requestId: 'r' } };
    expect(classifyErrors([error], one, book, undefined).fatal).toEqual([error]);
  });
});

describe('denials that omit a field', () => {
  it.each([
    ['a field', ['shelf', 'book', 'note']],
    ['a nested field', ['shelf', 'book', 'writer', 'phone']],
    ['a field of a list element', ['shelf', 'book', 'reviews', 1, 'text']],
    ['a field inside an object that is null because of it', ['shelf', 'book', 'editor', 'phone']],
  ])('a denial of %s omits it and returns the rest', (_title, path) => {
    expect(fatal(one, book, path)).toBe(false);
    expect(fatal(one, book, path, ['writer', 'reviews', 'editors', 'no'])).toBe(false);
  });

  it('omits a field only from the item that it was denied in', () => {
    const { omitted } = classifyErrors([denied('books', 'nodes', 0, 'note')], many, books, undefined);
    expect(omitted.get(many.books.nodes[0] ?? {})).toEqual(new Set(['note']));
    expect(omitted.size).toBe(1);
  });
});
