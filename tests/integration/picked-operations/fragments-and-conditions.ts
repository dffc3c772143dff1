import type { PickedOperation } from './picked-operation.ts';

/** Operations with aliases, merged selections, fragments, abstract types and conditions. */
export const FRAGMENTS_AND_CONDITIONS: readonly PickedOperation[] = [
  { name: 'an alias', query: '{ person: user(id: "1") { called: name } }' },
  { name: 'an alias that is the name of another field', query: '{ user(id: "1") { name: id id: name } }' },
  { name: 'an alias that is the name of a key', query: '{ order(id: "1") { id: status status: id product { id: title title: id } } }' },
  {
    name: 'an alias that hides the key of a hop',
    query: '{ user(id: "1") { id: name posts(first: 1) { id: title author { id: name } } } }',
  },
  { name: 'an alias of the type name', query: '{ user(id: "1") { kind: __typename posts(first: 1) { kind: __typename } } }' },
  {
    name: 'the type name as the alias of another field',
    query: '{ user(id: "1") { type: __typename title: name posts(first: 1) { name: title } } }',
  },
  { name: 'one field under three keys', query: '{ user(id: "1") { a: name b: name c: name } }' },
  { name: 'one hop under two keys', query: '{ user(id: "1") { a: posts(first: 2) { title } b: posts(first: 2) { body } } }' },
  { name: 'an entity under two keys', query: '{ order(id: "1") { a: product { title } b: product { author price } } }' },
  { name: 'the same field twice', query: '{ user(id: "1") { name name id name } }' },
  {
    name: 'selections that merge',
    query:
      '{ user(id: "1") { posts(first: 2) { id } posts(first: 2) { title } posts(first: 2) { author { id } } posts(first: 2) { author { name } } } }',
  },
  { name: 'roots that merge', query: '{ user(id: "1") { id } user(id: "1") { name } user(id: "1") { posts(first: 1) { id } } }' },
  { name: 'a named fragment', query: '{ user(id: "1") { ...Who } } fragment Who on User { id name }' },
  {
    name: 'a fragment in a fragment',
    query:
      '{ user(id: "1") { ...A } } fragment A on User { id ...B } fragment B on User { name ...C } fragment C on User { posts(first: 1) { title } }',
  },
  {
    name: 'a fragment at several paths',
    query: '{ a: user(id: "1") { ...W } post(id: "1") { author { ...W } } } fragment W on User { id name }',
  },
  {
    name: 'fragments that overlap',
    query:
      '{ user(id: "1") { ...A ...B } } fragment A on User { id posts(first: 2) { id } } fragment B on User { name posts(first: 2) { title author { name } } }',
  },
  { name: 'fields and fragments mixed in order', query: '{ user(id: "1") { createdAt ...A id } } fragment A on User { name version }' },
  { name: 'an inline fragment without a type', query: '{ user(id: "1") { ... { name } ... { id } } }' },
  { name: 'an inline fragment on the same type', query: '{ user(id: "1") { ... on User { name } } }' },
  { name: 'an inline fragment on an interface', query: '{ user(id: "1") { ... on Node { id } name } }' },
  { name: 'only an interface', query: '{ book(id: "1") { ... on Node { id __typename } } }' },
  { name: 'an interface in a hop', query: '{ order(id: "1") { product { ... on Node { id } } user { ... on Node { id } name } } }' },
  { name: 'a fragment on an interface', query: '{ user(id: "1") { ...N posts(first: 2) { ...N } } } fragment N on Node { id __typename }' },
  { name: 'an interface within its implementation', query: '{ user(id: "1") { ... on Node { ... on User { name } id } } }' },
  { name: 'types of an interface that cannot occur', query: '{ user(id: "1") { ... on Node { id ... on Book { title } } } }' },
  { name: 'a fragment on the query type', query: 'query { ...Q } fragment Q on Query { user(id: "1") { name } book(id: "1") { title } }' },
  {
    name: 'fragments on the query type that merge',
    query:
      'query { ...Q ...R } fragment Q on Query { user(id: "1") { name } } fragment R on Query { user(id: "1") { id posts(first: 1) { id } } }',
  },
  { name: 'a union by one member', query: '{ search(term: "a", first: 20) { ... on Post { id title } } }' },
  { name: 'a union by its interface', query: '{ search(term: "a", first: 10) { ... on Node { id } __typename } }' },
  {
    name: 'a union by members and interface',
    query:
      '{ search(term: "a", first: 20) { __typename ... on Node { id } ... on User { name } ... on Post { author { name } } ... on Comment { author { id } } } }',
  },
  {
    name: 'a union with one key for several fields',
    query: '{ search(term: "a", first: 20) { ... on User { text: name } ... on Post { text: title } ... on Comment { text: body } } }',
  },
  {
    name: 'a union with a fragment',
    query: '{ search(term: "e", first: 10) { ...F } } fragment F on SearchResult { __typename ... on Post { title } ... on User { name } }',
  },
  {
    name: 'a union under two keys',
    query: '{ a: search(term: "a", first: 3) { __typename } b: search(term: "e", first: 3) { ... on Post { title } } }',
  },
  {
    name: 'nested members of a union',
    query: '{ search(term: "a", first: 10) { ... on Node { ... on Post { title ... on Node { id } } ... on User { name } } } }',
  },
  { name: 'skip: true', query: '{ user(id: "1") { id name @skip(if: true) } }' },
  { name: 'skip: false', query: '{ user(id: "1") { id name @skip(if: false) } }' },
  { name: 'include: false', query: '{ user(id: "1") { id name @include(if: false) } }' },
  { name: 'everything skipped', query: '{ user(id: "1") { name @skip(if: true) } }' },
  { name: 'every root skipped', query: '{ user(id: "1") @skip(if: true) { name } }' },
  { name: 'every item skipped', query: '{ books(first: 2) { nodes @skip(if: true) { id } totalCount } }' },
  { name: 'the only hop skipped', query: '{ user(id: "1") { name posts(first: 1) @skip(if: true) { title } } }' },
  { name: 'skip and include, both open', query: '{ user(id: "1") { id name @skip(if: false) @include(if: true) } }' },
  { name: 'skip and include, one closed', query: '{ user(id: "1") { id name @skip(if: true) @include(if: true) } }' },
  {
    name: 'a condition by variable, true',
    query: 'query ($x: Boolean!) { user(id: "1") { id name @include(if: $x) posts(first: 1) @skip(if: $x) { id } } }',
    variables: { x: true },
  },
  {
    name: 'a condition by variable, false',
    query: 'query ($x: Boolean!) { user(id: "1") { id name @include(if: $x) posts(first: 1) @skip(if: $x) { id } } }',
    variables: { x: false },
  },
  {
    name: 'a condition on a hop, open',
    query: 'query ($x: Boolean!) { user(id: "1") { id orders(first: 2) @include(if: $x) { nodes { status product { title } } } } }',
    variables: { x: true },
  },
  {
    name: 'a condition on a hop, closed',
    query: 'query ($x: Boolean!) { user(id: "1") { id orders(first: 2) @include(if: $x) { nodes { status product { title } } } } }',
    variables: { x: false },
  },
  {
    name: 'a condition on a field that requires another',
    query: 'query ($x: Boolean!) { order(id: "1") { id shippingCost @include(if: $x) shipment @skip(if: $x) { carrier } } }',
    variables: { x: true },
  },
  {
    name: 'a condition on a fragment',
    query:
      'query ($x: Boolean = false) { user(id: "1") { id ...F @include(if: $x) } } fragment F on User { name posts(first: 1) { title } }',
  },
  {
    name: 'a condition on an inline fragment',
    query: 'query ($x: Boolean!) { user(id: "1") { id ... @include(if: $x) { name } ... on User @skip(if: $x) { createdAt } } }',
    variables: { x: true },
  },
  {
    name: 'a field included once and excluded once',
    query: 'query ($x: Boolean!) { user(id: "1") { name @include(if: $x) name } }',
    variables: { x: false },
  },
  {
    name: 'a hop included once and excluded once',
    query: 'query ($x: Boolean!) { user(id: "1") { posts(first: 2) @include(if: $x) { title } posts(first: 2) { id } } }',
    variables: { x: false },
  },
  {
    name: 'two variables on one field',
    query: 'query ($a: Boolean!, $b: Boolean!) { user(id: "1") { id name @include(if: $a) @skip(if: $b) } }',
    variables: { a: true, b: false },
  },
  {
    name: 'nested conditions',
    query:
      'query ($a: Boolean!, $b: Boolean!) { user(id: "1") { id ... @include(if: $a) { name posts(first: 1) @include(if: $b) { id author { name @skip(if: $a) } } } } }',
    variables: { a: true, b: true },
  },
  {
    name: 'the type name under a condition',
    query: 'query ($x: Boolean!) { user(id: "1") { __typename @include(if: $x) posts(first: 1) { __typename @skip(if: $x) } } }',
    variables: { x: true },
  },
  {
    name: 'a condition on a member of a union',
    query:
      'query ($x: Boolean!) { search(term: "a", first: 10) { __typename ... on Post @include(if: $x) { title } ... on User @skip(if: $x) { name } } }',
    variables: { x: true },
  },
  {
    name: 'roots of two subgraphs, one closed',
    query: 'query ($x: Boolean!) { user(id: "1") @include(if: $x) { name } book(id: "1") @skip(if: $x) { title } }',
    variables: { x: false },
  },
  { name: 'a named operation among others', query: 'query One { user(id: "1") { name } }' },
];
