/** Fragments of documents over the library graph. Tests assemble documents from them. */
export const PAGED = '$size: Int! @page(role: SIZE), $offset: Int @page(role: OFFSET)';
export const NODES = 'nodes { id } totalCount pageInfo { hasNextPage endCursor }';
export const ERRORS = 'errors @userErrors { field message code }';
export const get = (variables: string, endpoint: string, selection = 'book(id: $id) @result { id }') =>
  `query Q(${variables}) @endpoint(${endpoint}) { ${selection} }`;
export const GET_BOOK = 'method: GET, path: "/books/{book_id}"';
export const BY_ID = '$id: ID! @in(path: "book_id")';
