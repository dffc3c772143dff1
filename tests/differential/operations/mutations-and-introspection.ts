import type { NamedOperation } from './named-operation.ts';

export const MUTATIONS_AND_INTROSPECTION: readonly NamedOperation[] = [
  { name: 'one mutation', text: 'mutation { touch }' },
  { name: 'mutations run one after the other', text: 'mutation { a: touch b: touch(by: 10) c: touch(by: 100) }' },
  {
    name: 'mutations of two subgraphs run in order',
    text: 'mutation { addReview(product: "p1", body: "new") { id } cancelOrder(id: "o1") { status } touch }',
  },
  {
    name: 'mutations that go back and forth between subgraphs',
    text: 'mutation { a: touch addReview(product: "p1", body: "new") { id stars } b: touch placeOrder(buyer: "user1@example.org", lines: [{ sku: "sku-p1" }]) { id status } }',
  },
  {
    name: 'a mutation with fields of other subgraphs',
    text: 'mutation { rename(id: "1", name: "New Name") { id name orders { id } favourite { title } } }',
  },
  {
    name: 'a mutation that the next one sees',
    text: 'mutation { rename(id: "1", name: "First") { name } again: rename(id: "1", name: "Second") { name } }',
  },
  {
    name: 'a mutation with variables',
    text: 'mutation ($id: ID!, $name: String!) { rename(id: $id, name: $name) { name } }',
    variables: { id: '2', name: 'x "y"' },
  },
  {
    name: 'a mutation with an input list',
    text: 'mutation ($l: [LineInput!]!) { placeOrder(buyer: "user2@example.org", lines: $l) { lines { amount stock { count } } buyer { name } } }',
    variables: { l: [{ sku: 'sku-p1' }, { sku: 'sku-p2', code: 'S', amount: 4 }] },
  },
  {
    name: 'a mutation with one item for a list',
    text: 'mutation { placeOrder(buyer: "user2@example.org", lines: { sku: "sku-p2", amount: 2 }) { lines { amount } } }',
  },
  { name: 'a mutation that fails', text: 'mutation { refuse(reason: "no") }' },
  { name: 'a mutation that fails between two others', text: 'mutation { a: touch refuse b: touch }' },
  { name: 'a mutation that must not be null and fails', text: 'mutation { cancelOrder(id: "o9") { id } }' },
  { name: 'a mutation of nothing', text: 'mutation { rename(id: "99", name: "x") { id orders { id } } }' },
  { name: 'the type name of the mutation root', text: 'mutation { __typename touch }' },
  { name: 'the type name of the mutation root between mutations', text: 'mutation { a: touch t: __typename b: touch }' },
  { name: 'a skipped mutation', text: 'mutation ($s: Boolean!) { touch refuse @skip(if: $s) }', variables: { s: true } },
  {
    name: 'mutations in fragments',
    text: 'mutation { ...M a: touch } fragment M on Mutation { b: touch(by: 5) ... on Mutation { c: touch } }',
  },
  { name: 'introspection: the root types', text: '{ __schema { queryType { name } mutationType { name } subscriptionType { name } } }' },
  {
    name: 'introspection: all types',
    text: '{ __schema { types { kind name fields(includeDeprecated: true) { name type { kind name ofType { name } } } } } }',
  },
  { name: 'introspection: one type', text: '{ __type(name: "User") { name kind interfaces { name } fields { name } } }' },
  { name: 'introspection: an unknown type', text: '{ __type(name: "Nothing") { name } }' },
  {
    name: 'introspection: hidden elements of the supergraph',
    text: '{ __type(name: "Role") { enumValues { name } } hidden: __type(name: "_Entity") { name } }',
  },
  { name: 'introspection: by variable', text: 'query ($n: String!) { __type(name: $n) { name } }', variables: { n: 'Product' } },
  { name: 'introspection: next to other fields', text: '{ me { id name } __type(name: "Book") { name } products { id } }' },
  {
    name: 'introspection: aliased',
    text: '{ a: __type(name: "Book") { n: name } b: __type(name: "Movie") { n: name } s: __schema { q: queryType { n: name } } }',
  },
  {
    name: 'introspection: in fragments',
    text: '{ ...R ... on Query { __schema { ...S } } } fragment R on Query { __type(name: "User") { ...T } } fragment S on __Schema { queryType { ...T } } fragment T on __Type { name kind }',
  },
  {
    name: 'introspection: skipped',
    text: 'query ($s: Boolean!) { version __schema @skip(if: $s) { queryType { name } } }',
    variables: { s: true },
  },
  {
    name: 'introspection: skipped inside',
    text: 'query ($s: Boolean!) { version __schema { queryType { name @skip(if: $s) kind } } }',
    variables: { s: true },
  },
  {
    name: 'introspection: included with a default',
    text: 'query ($s: Boolean = true) { __schema { queryType { name @include(if: $s) } } }',
  },
  { name: 'introspection: type names inside', text: '{ __schema { __typename queryType { __typename name } } __typename }' },
  { name: 'introspection: directives', text: '{ __schema { directives { name args { name } } } }' },
  {
    name: 'introspection: merged',
    text: '{ __schema { queryType { name } } ... on Query { __schema { queryType { kind } } } }',
    differs: 'merged introspection',
  },
  {
    name: 'mutation: one field around a fragment with another',
    text: 'mutation { touch(by: 0) ...F c: touch(by: 3) ... on Mutation { d: touch } } fragment F on Mutation { refuse b: touch }',
    differs: 'order of a mutation',
  },
  {
    name: 'mutation: fragments under conditions, spread twice',
    text: 'mutation ($yes: Boolean!, $no: Boolean!) { ...F @include(if: $yes) a: touch ...F @skip(if: $no) ... @include(if: $no) { ...F } } fragment F on Mutation { b: touch(by: 2) ... @skip(if: $no) { c: touch @skip(if: $no) } }',
    variables: { yes: true, no: false },
  },
];
