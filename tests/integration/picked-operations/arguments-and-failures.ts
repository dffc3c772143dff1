import type { PickedOperation } from './picked-operation.ts';

/** Operations with arguments, variables, defaults and null, and operations that fail. */
export const ARGUMENTS_AND_FAILURES: readonly PickedOperation[] = [
  { name: 'a variable', query: 'query ($id: ID!) { user(id: $id) { name } }', variables: { id: '1' } },
  { name: 'a variable given as a number', query: 'query ($id: ID!) { user(id: $id) { name } }', variables: { id: 1 } },
  {
    name: 'a variable with a default that is not used',
    query: 'query ($id: ID! = "1") { user(id: $id) { name } }',
    variables: { id: '2' },
  },
  { name: 'a variable with a default that is used', query: 'query ($id: ID! = "1") { user(id: $id) { name } }' },
  { name: 'a variable in a hop', query: 'query ($n: Int) { user(id: "1") { posts(first: $n) { id } } }', variables: { n: 3 } },
  { name: 'a variable in a hop that is absent', query: 'query ($n: Int) { user(id: "1") { posts(first: $n) { id } } }' },
  {
    name: 'a variable in a hop that is null',
    query: 'query ($n: Int) { user(id: "1") { posts(first: $n) { id } } }',
    variables: { n: null },
  },
  {
    name: 'a variable in several positions',
    query:
      'query ($n: Int!) { user(id: "1") { posts(first: $n) { id comments(first: $n) { nodes { id } } } } books(first: $n) { nodes { id } } }',
    variables: { n: 2 },
  },
  { name: 'an argument that is null', query: '{ books(first: null) { nodes { id } } }' },
  { name: 'a filter', query: '{ books(filter: { inStock: true }, first: 5) { nodes { id inStock } totalCount } }' },
  {
    name: 'a filter by variable',
    query: 'query ($f: BookFilter) { books(filter: $f, first: 5) { nodes { id inStock } } }',
    variables: { f: { inStock: false } },
  },
  {
    name: 'a filter that is empty',
    query: 'query ($f: BookFilter) { books(filter: $f, first: 2) { nodes { id } } }',
    variables: { f: {} },
  },
  {
    name: 'a filter that is null',
    query: 'query ($f: BookFilter) { books(filter: $f, first: 2) { nodes { id } } }',
    variables: { f: null },
  },
  { name: 'a field of a filter that is null', query: '{ books(filter: { author: null }, first: 2) { nodes { id } } }' },
  {
    name: 'a variable in a filter',
    query: 'query ($stock: Boolean) { books(filter: { inStock: $stock }, first: 2) { nodes { id inStock } } }',
    variables: { stock: true },
  },
  {
    name: 'a variable in a filter that is absent',
    query: 'query ($stock: Boolean) { books(filter: { inStock: $stock }, first: 2) { nodes { id } } }',
  },
  { name: 'sorting', query: '{ books(sort: [{ field: PRICE, direction: DESC }], first: 5) { nodes { id price } } }' },
  {
    name: 'sorting by several fields',
    query: '{ users(sort: [{ field: NAME }, { field: ID, direction: DESC }], first: 10) { nodes { id name } } }',
  },
  { name: 'one value where a list is expected', query: '{ books(sort: { field: TITLE }, first: 3) { nodes { title } } }' },
  {
    name: 'one value where a list is expected, by variable',
    query: 'query ($s: [BookSort!]) { books(sort: $s, first: 3) { nodes { title } } }',
    variables: { s: { field: 'TITLE', direction: 'DESC' } },
  },
  { name: 'an empty list', query: '{ books(sort: [], first: 3) { nodes { id } } }' },
  {
    name: 'an enum by variable',
    query: 'query ($f: BookSortField!, $d: SortDirection!) { books(sort: [{ field: $f, direction: $d }], first: 3) { nodes { id } } }',
    variables: { f: 'PRICE', d: 'ASC' },
  },
  {
    name: 'a list of enums in a hop',
    query: '{ user(id: "1") { orders(filter: { status: [PENDING, SHIPPED] }, first: 5) { nodes { status } } } }',
  },
  {
    name: 'a list of enums by variable',
    query: 'query ($s: [OrderStatus!]) { user(id: "1") { orders(filter: { status: $s }, first: 5) { nodes { status } } } }',
    variables: { s: ['CONFIRMED'] },
  },
  { name: 'text with special characters', query: '{ search(term: "é \\"q\\" \\\\ \\u00e9 {}$") { __typename } }' },
  { name: 'a block string', query: '{ search(term: """\n  a\n""", first: 2) { __typename } }' },
  {
    name: 'text beyond the first plane',
    query: 'query ($t: String!) { search(term: $t) { __typename } users(filter: { name: $t }) { totalCount } }',
    variables: { t: '🦊' },
  },
  {
    name: 'arguments of a field that requires another',
    query: 'query ($e: Boolean!) { user(id: "1") { orders(first: 3) { nodes { shippingCost(express: $e) } } } }',
    variables: { e: true },
  },
  { name: 'a page by offset', query: '{ posts(first: 3, offset: 5) { nodes { id } pageInfo { hasPreviousPage } } }' },
  { name: 'too large a page', query: '{ books(first: 1000) { nodes { id } } }' },
  { name: 'too large a page next to data', query: '{ user(id: "1") { name } books(first: 1000) { nodes { id } } }' },
  { name: 'too large a page in a hop that cannot be null', query: '{ user(id: "1") { name posts(first: 1000) { id } } }' },
  { name: 'too large a page in a hop that can be null', query: '{ user(id: "1") { name orders(first: 1000) { nodes { id } } } }' },
  { name: 'too large a page in a hop of a list', query: '{ users(first: 3) { nodes { name posts(first: 0) { id } } } }' },
  { name: 'too large a page under another key', query: '{ mine: user(id: "1") { wrong: posts(first: 1000) { id } name } }' },
  { name: 'a bad cursor', query: '{ posts(after: "nonsense") { nodes { id } } }' },
  { name: 'a bad cursor in a list', query: '{ posts(first: 3) { nodes { comments(after: "nonsense") { nodes { id } } } } }' },
  { name: 'failures of two subgraphs', query: '{ books(first: 1000) { nodes { id } } users(first: 1000) { nodes { id } } }' },
  { name: 'a failure that nulls all', query: '{ a: books(first: 1000) { totalCount } b: user(id: "1") { name } }' },
  { name: 'a search that is too long', query: `{ search(term: "${'x'.repeat(101)}") { __typename } }` },
  { name: 'a search that is empty', query: '{ search(term: "") { __typename } me { id } }' },
  { name: 'private fields under other keys', query: '{ user(id: "2") { mail: email years: age name } }' },
  { name: 'private fields in a fragment', query: '{ users(first: 3) { nodes { ...P } } } fragment P on User { name email }' },
  { name: 'private fields behind a hop', query: '{ posts(first: 5) { nodes { author { name email } } } }' },
  { name: 'private fields behind a union', query: '{ search(term: "a", first: 20) { ... on User { name email } } }' },
  {
    name: 'private entities behind a hop in a list',
    query: '{ posts(first: 5) { nodes { author { name orders(first: 2) { nodes { id } } } } } }',
  },
  {
    name: 'private entities by id',
    query: '{ a: order(id: "1") { status } b: order(id: "2") { status shipment { carrier } } c: order(id: "3") { shippingCost } }',
  },
  {
    name: 'private entities through a payment',
    query: '{ a: payment(id: "1") { amount order { status shipment { carrier } } } b: payment(id: "2") { order { status } } }',
  },
  { name: 'one private field at several paths', query: '{ a: user(id: "2") { email } b: user(id: "3") { email } }' },
  { name: 'the schema', query: '{ __schema { queryType { name } mutationType { name } subscriptionType { name } } }' },
  {
    name: 'a type',
    query:
      '{ __type(name: "User") { name kind fields { name type { kind name ofType { kind name } } args { name defaultValue } } interfaces { name } } }',
  },
  { name: 'a type next to data', query: '{ __type(name: "SearchResult") { possibleTypes { name } } user(id: "1") { name } }' },
  { name: 'directives', query: '{ __schema { directives { name isRepeatable locations args { name type { name } } } } }' },
  { name: 'enum values', query: '{ __type(name: "OrderStatus") { enumValues(includeDeprecated: true) { name isDeprecated } } }' },
  {
    name: 'input fields',
    query: '{ __type(name: "CreateOrderInput") { inputFields { name defaultValue type { kind ofType { name } } } } }',
  },
  {
    name: 'a type by variable and under a key',
    query: 'query ($n: String!) { t: __type(name: $n) { n: name __typename } __typename }',
    variables: { n: 'Book' },
  },
  { name: 'a type that is unknown', query: '{ __type(name: "Nothing") { name } }' },
];
