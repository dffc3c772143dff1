import { BY_ID, GET_BOOK, NODES, PAGED, get } from './document-parts.ts';
import type { BrokenDocument } from './broken-document.ts';

export const brokenVariables: readonly BrokenDocument[] = [
  [
    'a variable without a source',
    get(`${BY_ID}, $t: Int`, GET_BOOK, 'book(id: $id) @result { reviews(first: $t) { id } }'),
    '$t',
    /has no source in the request/,
    /@in, @body/,
  ],
  [
    'a variable with two sources',
    get(`${BY_ID} @idempotencyKey`, GET_BOOK),
    '$id',
    /more than one source: @in, @idempotencyKey/,
    /Keep one/,
  ],
  [
    '@in without a source',
    get(`${BY_ID}, $t: Int @in`, GET_BOOK, 'book(id: $id) @result { reviews(first: $t) { id } }'),
    '$t',
    /must name exactly one source/,
    /@in\(query/,
  ],
  [
    'two variables of one parameter',
    get(
      `${BY_ID}, $a: Int @in(query: "n"), $b: Int @in(query: "n")`,
      GET_BOOK,
      'book(id: $id) @result { a: reviews(first: $a) { id } b: reviews(first: $b) { id } }',
    ),
    '$b',
    /Two variables are read from the same source: n/,
    /Use one variable/,
  ],
  [
    'a reserved parameter',
    get(`${BY_ID}, $t: Int @in(query: "limit")`, GET_BOOK, 'book(id: $id) @result { reviews(first: $t) { id } }'),
    '$t',
    /"limit" is reserved/,
    /another name/,
  ],
  [
    'a secret as a parameter',
    get(`${BY_ID}, $t: Int @in(query: "api_key")`, GET_BOOK, 'book(id: $id) @result { reviews(first: $t) { id } }'),
    '$t',
    /secret/,
    /headers/,
  ],
  [
    'an object as a parameter',
    get(
      `$f: BookFilter @in(query: "filter"), ${PAGED}`,
      'method: GET, path: "/books"',
      `books(first: $size, offset: $offset, filter: $f) @result(shape: PAGE) { ${NODES} }`,
    ),
    '$f',
    /a type that a query parameter cannot hold/,
    /body/,
  ],
  [
    '@integer on a number',
    get(BY_ID, GET_BOOK, 'book(id: $id) @result { pages @integer }'),
    '@integer',
    /pages is not of type ID/,
    /Remove the integer mark/,
  ],
  [
    '@integer on a variable that is not an ID',
    get(`${BY_ID}, $t: Int @in(query: "n") @integer`, GET_BOOK, 'book(id: $id) @result { reviews(first: $t) { id } }'),
    '@integer',
    /\$t is not of type ID/,
    /Remove/,
  ],
];
