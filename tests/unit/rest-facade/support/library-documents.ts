import type { RestDocument } from '../../../../rest-facade/index.ts';

const PAGE = `$size: Int! @page(role: SIZE), $offset: Int @page(role: OFFSET), $after: String @page(role: CURSOR)`;
const ERRORS = 'errors @userErrors { field message code }';

/** Valid documents over the library graph. */
export const libraryDocuments: readonly RestDocument[] = [
  {
    path: 'rest/books.graphql',
    text: `
fragment Book on Book {
  id @integer
  title
  pages
  price
  genre
  tags
  note
  writer { id @integer name phone }
  relatedIds @integer
}
query ListBooks(${PAGE},
  $genre: [Genre!] @in(query: "genre"), $writerId: ID @in(query: "writerId") @integer, $title: String @in(query: "title"),
  $sort: [BookSort!] @sort(allow: ["id", "title", "pageCount"], default: ["-title"])
) @endpoint(method: GET, path: "/books") {
  books(first: $size, offset: $offset, after: $after, sort: $sort, filter: { genre: $genre, writerId: $writerId, title: $title }) @result(shape: PAGE) {
    nodes { ...Book }
    totalCount
    pageInfo { hasNextPage endCursor }
  }
}
query GetBook($id: ID! @in(path: "book_id") @integer) @endpoint(method: GET, path: "/books/{book_id}") {
  book(id: $id) @result { ...Book }
}
mutation CreateBook($input: CreateBookInput! @body(integers: ["writerId"]), $key: String @idempotencyKey)
@endpoint(method: POST, path: "/books", status: 201, location: "/books/{id}") {
  createBook(input: $input, idempotencyKey: $key) { book @result { ...Book } ${ERRORS} }
}
mutation UpdateBook($id: ID! @in(path: "book_id") @integer, $patch: UpdateBookInput! @body) @endpoint(method: PATCH, path: "/books/{book_id}") {
  updateBook(id: $id, patch: $patch) { book @result { ...Book } ${ERRORS} }
}
mutation ReplaceBook($id: ID! @in(path: "book_id") @integer, $input: ReplaceBookInput! @body(integers: ["writerId"])) @endpoint(method: PUT, path: "/books/{book_id}") {
  replaceBook(id: $id, input: $input) { book @result { ...Book } ${ERRORS} }
}
mutation DeleteBook($id: ID! @in(path: "book_id") @integer) @endpoint(method: DELETE, path: "/books/{book_id}", status: 204, signedIn: true) {
  deleteBook(id: $id) { book @result { id } ${ERRORS} }
}`,
  },
  {
    path: 'rest/shelves.graphql',
    text: `
query ListShelfBooks($id: ID! @in(path: "shelf_id"), ${PAGE}) @endpoint(method: GET, path: "/shelves/{shelf_id}/books") {
  shelf(id: $id) {
    books(first: $size, offset: $offset, after: $after) @result(shape: PAGE) {
      nodes { ...Book }
      totalCount
      pageInfo { hasNextPage endCursor }
    }
  }
}
query GetCharge($id: ID! @in(path: "charge_id") @integer) @endpoint(method: GET, path: "/charges/{charge_id}", signedIn: true) {
  paid(id: $id) @result { id @integer amount key }
}
mutation Charge($input: ChargeInput! @body, $key: String! @idempotencyKey) @endpoint(method: POST, path: "/charges", status: 201, location: "/charges/{id}", signedIn: true) {
  charge(input: $input, idempotencyKey: $key) @result { id @integer amount key }
}`,
  },
];
