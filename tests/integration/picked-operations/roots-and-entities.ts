import type { PickedOperation } from './picked-operation.ts';

/** Operations with root fields, hops between subgraphs, and lists. */
export const ROOTS_AND_ENTITIES: readonly PickedOperation[] = [
  { name: 'the query type alone', query: '{ __typename }' },
  { name: 'one scalar of one subgraph', query: '{ user(id: "1") { name } }' },
  { name: 'a whole entity', query: '{ book(id: "1") { id title author price inStock createdAt updatedAt version } }' },
  { name: 'an entity that does not exist', query: '{ user(id: "999999999") { id name posts { id } orders { nodes { id } } } }' },
  { name: 'an existing entity next to a missing one', query: '{ a: user(id: "1") { id } b: user(id: "999999999") { id } }' },
  { name: 'an id as a number', query: '{ user(id: 1) { id name } }' },
  { name: 'an id that is no id', query: '{ user(id: "abc") { id } }' },
  { name: 'several roots of one subgraph', query: '{ a: book(id: "1") { title } b: book(id: "2") { title } c: book(id: "3") { title } }' },
  {
    name: 'roots of five subgraphs',
    query:
      '{ user(id: "1") { name } book(id: "1") { title } post(id: "1") { title } order(id: "1") { status } payment(id: "1") { amount } }',
  },
  { name: 'a hop to another subgraph', query: '{ user(id: "1") { name posts { title } } }' },
  { name: 'a hop without a field of the owner', query: '{ user(id: "1") { posts { title } } }' },
  { name: 'a hop and back', query: '{ user(id: "1") { posts(first: 3) { author { name posts(first: 2) { title } } } } }' },
  { name: 'a hop over three subgraphs', query: '{ post(id: "1") { author { name orders { nodes { status } } } } }' },
  {
    name: 'a hop over four subgraphs',
    query: '{ post(id: "1") { author { orders(first: 3) { nodes { product { title } shipment { carrier } } } } } }',
  },
  {
    name: 'the query over five subgraphs',
    query: '{ user(id: "1") { name posts { title } orders { nodes { status product { title } shipment { carrier } } } } }',
  },
  { name: 'the key alone, which needs no hop', query: '{ order(id: "1") { product { id } user { id } } }' },
  { name: 'the key and the type name', query: '{ order(id: "1") { product { __typename id } user { __typename id } } }' },
  {
    name: 'type names on every level',
    query: '{ __typename user(id: "1") { __typename posts(first: 2) { __typename author { __typename } } } }',
  },
  { name: 'a connection by nodes', query: '{ books(first: 3) { nodes { id title } } }' },
  { name: 'a connection by edges', query: '{ books(first: 3) { edges { cursor node { id title } } } }' },
  {
    name: 'nodes and edges',
    query: '{ users(first: 3) { nodes { id posts(first: 1) { id } } edges { cursor node { name posts(first: 2) { title } } } } }',
  },
  { name: 'only the count', query: '{ books { totalCount } }' },
  { name: 'only the page', query: '{ books(first: 5) { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }' },
  { name: 'only the type of a connection', query: '{ books(first: 5) { __typename } }' },
  { name: 'a list whose items hop', query: '{ posts(first: 20) { nodes { title author { name } } } }' },
  {
    name: 'a list whose items hop twice',
    query: '{ posts(first: 10) { nodes { author { name orders(first: 2) { nodes { total } } } } } }',
  },
  { name: 'a list in a list', query: '{ users(first: 5) { nodes { posts(first: 5) { id title } } } }' },
  {
    name: 'a list in a list in a list',
    query: '{ users(first: 3) { nodes { posts(first: 3) { comments(first: 3) { nodes { body author { name } } } } } } }',
  },
  {
    name: 'an entity that occurs many times',
    query: '{ posts(first: 50, filter: { authorId: "1" }) { nodes { author { id name createdAt } } } }',
  },
  {
    name: 'the same entity by two paths',
    query:
      '{ user(id: "1") { name } post(id: "1") { author { name } comments(first: 2) { nodes { author { name } post { author { name } } } } } }',
  },
  { name: 'a list that is empty', query: '{ users(filter: { name: "nobody at all" }) { nodes { id posts { id } } totalCount } }' },
  { name: 'the plain list', query: '{ allPosts(first: 3) { id title author { name } } }' },
  { name: 'the plain list in its default size', query: '{ allPosts { id } }' },
  { name: 'search over a union', query: '{ search(term: "a", first: 10) { __typename } }' },
  {
    name: 'search with the fields of each member',
    query: '{ search(term: "e", first: 30) { ... on User { name } ... on Post { title } ... on Comment { body } } }',
  },
  {
    name: 'search with hops from each member',
    query:
      '{ search(term: "o", first: 20) { ... on User { posts(first: 1) { id } } ... on Post { author { name } } ... on Comment { post { title } } } }',
  },
  { name: 'search without results', query: '{ search(term: "zzzzqqqq") { __typename ... on User { name } } }' },
  { name: 'the caller', query: '{ me { id name email posts(first: 1) { id } } }' },
  { name: 'fields that the caller may not see', query: '{ user(id: "2") { id name email age } }' },
  { name: "another user's orders", query: '{ user(id: "2") { name orders { nodes { id } totalCount } } }' },
  { name: 'private fields of many', query: '{ users(first: 5) { nodes { id email age } } }' },
  { name: 'orders of all', query: '{ orders(first: 5) { nodes { id status user { name email } } totalCount } }' },
  { name: 'orders of the caller', query: '{ orders(filter: { userId: "1" }, first: 5) { nodes { id status total } } }' },
  {
    name: 'an order with everything',
    query:
      '{ order(id: "1") { id status productId qty userId total createdAt updatedAt version product { title } user { name } shipment { carrier status events { at place description } } shippingCost } }',
  },
  { name: 'a field that requires another', query: '{ user(id: "1") { orders(first: 10) { nodes { shippingCost } } } }' },
  {
    name: 'a field that requires another, twice with other arguments',
    query: '{ user(id: "1") { orders(first: 5) { nodes { plain: shippingCost express: shippingCost(express: true) } } } }',
  },
  {
    name: 'a field that requires another selected field',
    query: '{ user(id: "1") { orders(first: 5) { nodes { qty total userId shippingCost shipment { weightGrams } } } } }',
  },
  {
    name: 'a required field under another key',
    query: '{ user(id: "1") { orders(first: 5) { nodes { total: qty qty: total shippingCost } } } }',
  },
  {
    name: 'shipments of many orders',
    query:
      '{ user(id: "1") { orders(first: 50) { nodes { id status shipment { carrier trackingNumber estimatedDelivery events { place } } } } } }',
  },
  {
    name: 'a payment with its order and user',
    query: '{ payment(id: "1") { id amount currency status user { name } order { id status product { title } } } }',
  },
  { name: 'a payment that does not exist', query: '{ payment(id: "999999999") { id user { name } } }' },
  {
    name: 'comments and their posts',
    query: '{ post(id: "1") { comments(first: 5) { nodes { id body author { name } post { id title } } totalCount } } }',
  },
  {
    name: 'the same root with two arguments',
    query: '{ a: books(first: 2) { nodes { id } } b: books(first: 2, offset: 2) { nodes { id } } }',
  },
  {
    name: 'the same connection of an entity with two arguments',
    query: '{ user(id: "1") { a: posts(first: 1) { id } b: posts(first: 2) { id title } } }',
  },
];
