import type { NamedOperation } from './named-operation.ts';

export const REQUIRES_AND_ENTITIES: readonly NamedOperation[] = [
  { name: 'a required scalar', text: '{ stocks { free } }' },
  { name: 'a required scalar that is also selected', text: '{ stocks { count free } }' },
  { name: 'a required field under an alias of the client', text: '{ stocks { c: count f: free } }' },
  { name: 'a required object with a list of lists', text: '{ books { shipping } }', differs: 'lists of lists in requires' },
  {
    name: 'a required object with an argument',
    text: 'query ($e: Boolean) { books { shipping(express: $e) } }',
    variables: { e: true },
    differs: 'lists of lists in requires',
  },
  {
    name: 'one field with required data, twice',
    text: '{ books { a: shipping b: shipping(express: true) } }',
    differs: 'lists of lists in requires',
  },
  {
    name: 'required data that are also selected',
    text: '{ books { shipping dimensions { width parts { weight } } } }',
    differs: 'lists of lists in requires',
  },
  {
    name: 'required data of two fields, one of them skipped',
    text: 'query ($s: Boolean!) { product(id: "p1") { ... on Book { label ... on Node @skip(if: $s) { ... on Book @skip(if: $s) { shipping } } } } }',
    variables: { s: true },
    differs: 'required fields of a skipped field',
  },
  { name: 'required data that are null', text: '{ product(id: "p5") { ... on Book { shipping } } }' },
  { name: 'required fields of members of a union', text: '{ users { credit } }' },
  {
    name: 'required fields of members of a union, also selected',
    text: '{ users { credit account { __typename ... on Personal { limit } ... on Business { company { name } } } } }',
  },
  { name: 'required data for a field that fails', text: '{ books { title label } }' },
  { name: 'required data through an entity of an interface', text: '{ review(id: "r3") { product { ... on Book { label } } } }' },
  { name: 'a library of books, by a value type', text: '{ me { library { owner { name } books { title stock { count } } } } }' },
  { name: 'entities behind a value type', text: '{ users { library { books { rating } } } }' },
  { name: 'one entity from three subgraphs', text: '{ me { name favourite { id } orders { id } reviews { id } credit } }' },
  { name: 'lists of entities from three subgraphs', text: '{ users { name favourite { title } orders { id } reviews { stars } credit } }' },
  { name: 'friends of friends in another subgraph', text: '{ me { friends { friends { orders { id lines { amount } } } } } }' },
  {
    name: 'stock of both kinds of products',
    text: '{ products { ... on Book { stock { count free } } ... on Movie { stock { count audit } } } }',
  },
  {
    name: 'equal representations at unlike depths',
    text: '{ me { name bestFriend { name } friends { name bestFriend { orders { id } } } } }',
  },
  { name: 'an entity that is its own parent', text: '{ latestReviews { product { topReview { product { id rating } } } } }' },
  {
    name: 'the reviewers of purchased products',
    text: '{ orders { lines { stock { reservedBy { buyer { reviews { product { title } } } } } } } }',
  },
  { name: 'replies with null items', text: '{ review(id: "r1") { replies { id author { name } } } }' },
  { name: 'a provided field in a list of lists', text: '{ grid { reviews { author { nickname } } } }' },
  { name: 'a required key of a composite entity, aliased', text: '{ stocks { s: sku w: warehouse { c: code } r: reservedBy { i: id } } }' },
  {
    name: 'a movie and its people',
    text: '{ product(id: "p2") { ... on Movie { director { name orders { id } } cast { name score } } } }',
  },
  { name: 'a null list of entities', text: '{ product(id: "p4") { ... on Movie { cast { name } stock { count } } } }' },
  {
    name: 'wishes of all kinds',
    text: '{ users { wishes { ... on User { id favourite { title } } ... on Book { label } ... on Movie { isStreamable } } } }',
    differs: 'error at another item',
  },
  {
    name: 'a field that requires more is skipped, next to one of the same subgraph that does not',
    text: 'query ($no: Boolean!, $s: Boolean!) { stocks { reservedBy { note } free @skip(if: $s) ... on Stock @include(if: $no) { free count } } }',
    variables: { no: false, s: true },
    differs: 'required fields of a skipped field',
  },
  {
    name: 'a field with required fields inside objects is skipped, next to others',
    text: 'query ($s: Boolean!) { books { title stock { sku } shipping @skip(if: $s) label @skip(if: $s) } }',
    variables: { s: true },
    differs: 'required fields of a skipped field',
  },
];
