import { BY_ID, ERRORS, GET_BOOK, get } from './document-parts.ts';
import type { BrokenDocument } from './broken-document.ts';

const READ = get(BY_ID, GET_BOOK, 'book(id: $id) @result { id version @version @internal }').replace('query Q', 'query Read');

const write = (condition: string, endpoint = 'method: PATCH, path: "/books/{book_id}"') =>
  `mutation Write(${BY_ID}, $patch: UpdateBookInput! @body, ${condition}) @endpoint(${endpoint}) ` +
  `{ updateBook(id: $id, patch: $patch, expectedVersion: $v) { book @result { id } ${ERRORS} } }`;

/** Mistakes about versions and the conditions on them. */
export const brokenConditions: readonly BrokenDocument[] = [
  [
    'a version that is an object',
    get(BY_ID, GET_BOOK, 'book(id: $id) @result { id writer @version { id } }'),
    'writer',
    /writer has a type that cannot be used with @version/,
    /Int, String or ID/,
  ],
  [
    'a version with fractions',
    get(BY_ID, GET_BOOK, 'book(id: $id) @result { price @version }'),
    'price',
    /price has a type that cannot be used/,
    /Int/,
  ],
  [
    'a version that is a list',
    get(BY_ID, GET_BOOK, 'book(id: $id) @result { tags @version }'),
    'tags',
    /tags has a type that cannot be used/,
    /Int/,
  ],
  [
    'two versions',
    get(BY_ID, GET_BOOK, 'book(id: $id) @result { version @version revision @version }'),
    'revision',
    /one @version/,
    /Keep it/,
  ],
  [
    'an `except` field that is not shown',
    get(BY_ID, GET_BOOK, 'book(id: $id) @result { id version @version(except: ["pages"]) }'),
    'version @version',
    /names pages, which the resource does not show/,
    /without a change of the version/,
  ],
  [
    'an instant that is a number',
    get(BY_ID, GET_BOOK, 'book(id: $id) @result { pages @lastModified }'),
    'pages',
    /cannot be used with @lastModified/,
    /RFC 3339/,
  ],
  [
    'a versioned write without a version variable',
    `${READ} mutation Write(${BY_ID}, $patch: UpdateBookInput! @body) @endpoint(method: PATCH, path: "/books/{other_id}") { updateBook(id: $id, patch: $patch) { book @result { id } ${ERRORS} } }`.replace(
      '"/books/{other_id}"',
      '"/books/{book_id}"',
    ),
    '@endpoint(method: PATCH',
    /Write modifies a resource with a version/,
    /@ifMatch/,
  ],
  [
    'a version variable without a version to read',
    `${get(BY_ID, GET_BOOK).replace('query Q', 'query Read')} ${write('$v: Int @ifMatch')}`,
    '@endpoint(method: PATCH',
    /expects a version, but the GET operation/,
    /@version/,
  ],
  [
    'a version variable of another type than the version',
    `${get(BY_ID, GET_BOOK, 'book(id: $id) @result { id revision @version }').replace('query Q', 'query Read')} ${write('$v: Int @ifMatch')}`,
    '@endpoint(method: PATCH',
    /another type/,
    /Give the variable the type/,
  ],
  ['a version variable that is required', `${READ} ${write('$v: Int! @ifMatch')}`, '$v', /must be nullable/, /required: true/],
  [
    'a version variable on POST',
    `${READ} mutation M($i: CreateBookInput! @body, $v: Int @ifMatch) @endpoint(method: POST, path: "/books", status: 201, location: "/books/{id}") { createBook(input: $i, pages: $v) { book @result { id } ${ERRORS} } }`,
    '$v',
    /POST does not modify an existing resource/,
    /PUT, PATCH and DELETE/,
  ],
  [
    'a variable with two sources',
    `${READ} ${write('$v: Int @ifMatch @in(query: "version_seen")')}`,
    '$v',
    /more than one source: @in, @ifMatch/,
    /Keep one/,
  ],
  [
    'a field directive on a variable',
    `${READ} query Other($x: Int @internal @in(query: "x")) @endpoint(method: GET, path: "/other") { books(first: $x) @result(shape: PAGE) { nodes { id } totalCount pageInfo { hasNextPage endCursor } } }`,
    '@internal @in',
    /@internal/,
    /can be used on a field/,
  ],
];
