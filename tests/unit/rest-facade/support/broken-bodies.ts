import { BY_ID, ERRORS } from './document-parts.ts';
import type { BrokenDocument } from './broken-document.ts';

/** A POST whose body has the given variables. The title and the pages are fields of an input object. */
const posting = (variables: string, input = '{ title: $title, pages: $pages }') =>
  `mutation M(${variables}) @endpoint(method: POST, path: "/books") { createBook(input: ${input}) { book @result { id } ${ERRORS} } }`;
const TITLE = '$title: String! @body(field: "title")';

/** Mistakes in bodies whose fields are variables. */
export const brokenBodies: readonly BrokenDocument[] = [
  [
    'a whole body and one field of it',
    `mutation M(${BY_ID}, $patch: UpdateBookInput! @body, $v: Int @body(field: "version")) @endpoint(method: PATCH, path: "/books/{book_id}") {
      updateBook(id: $id, patch: $patch, expectedVersion: $v) { book @result { id } ${ERRORS} }
    }`,
    '@body, $v',
    /\$patch is the whole body, but \$v is its field "version"/,
    /`@body\(field: "patch"\)`/,
  ],
  [
    'two variables for one field',
    posting(`${TITLE}, $pages: Int @body(field: "title")`),
    '@body(field: "title")) @endpoint',
    /\$title and \$pages are the same field "title"/,
    /Use one variable/,
  ],
  [
    'a field with an invalid name',
    posting(`${TITLE}, $pages: Int @body(field: "page count")`),
    '@body(field: "page count")',
    /"page count" is not a valid field name/,
    /letters, digits/,
  ],
  [
    'a field without a name',
    posting(`${TITLE}, $pages: Int @body(field: "")`),
    '@body(field: "")',
    /"" is not a valid field name/,
    /letters, digits/,
  ],
  [
    '`names` on a field of the body',
    posting(`${TITLE}, $pages: Int @body(field: "pages", names: [{ field: "pages", as: "count" }])`),
    '@body(field: "pages"',
    /`names` has no effect on \$pages/,
    /in `field`/,
  ],
  [
    '`integers` on a field of the body',
    posting(`${TITLE}, $pages: Int @body(field: "pages", integers: ["pages"])`),
    '@body(field: "pages"',
    /`integers` has no effect on \$pages/,
    /@integer/,
  ],
  [
    '@integer on a field of the body that is not an ID',
    posting(`${TITLE}, $pages: Int @body(field: "pages") @integer`),
    '$pages',
    /\$pages is not of type ID/,
    /Remove/,
  ],
  [
    '@integer on a whole body',
    posting('$input: CreateBookInput! @body @integer', '$input'),
    '@integer',
    /@integer has no effect on \$input/,
    /@body\(integers/,
  ],
  [
    'a limit for another field',
    posting(`${TITLE}, $pages: Int @body(field: "pages", limits: { field: "title", minimum: 1 })`),
    '@body(field: "pages"',
    /The limit is for the field "title", but \$pages is the field "pages"/,
    /Remove `field`/,
  ],
  [
    'two limits of one field',
    posting(`${TITLE}, $pages: Int @body(field: "pages", limits: [{ minimum: 1 }, { maximum: 2 }])`),
    '@body(field: "pages"',
    /limits of pages are declared twice/,
    /one entry/,
  ],
  [
    'a limit that does not fit the type of the variable',
    posting(`$title: String! @body(field: "title", limits: { minimum: 1 }), $pages: Int @body(field: "pages")`),
    '@body(field: "title"',
    /The limit minimum does not apply to title, which has the type String!/,
    /Remove the limit/,
  ],
  [
    'a limit of a whole body without its field',
    posting('$input: CreateBookInput! @body(limits: { maxLength: 3 })', '$input'),
    '@body',
    /A limit does not name its field/,
    /The body is a CreateBookInput\. Its fields are title, pages/,
  ],
  [
    'a field of the body of DELETE',
    `mutation M($id: ID! @body(field: "id")) @endpoint(method: DELETE, path: "/books", status: 204) { deleteBook(id: $id) { book @result { id } ${ERRORS} } }`,
    '$id',
    /DELETE has no request body/,
    /@in/,
  ],
];
