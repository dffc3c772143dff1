import type { NamedOperation } from './named-operation.ts';

export const FRAGMENTS_AND_TYPES: readonly NamedOperation[] = [
  { name: 'a named fragment', text: '{ me { ...F } } fragment F on User { id name }' },
  { name: 'a named fragment twice', text: '{ me { ...F ...F } } fragment F on User { id name orders { id } }' },
  {
    name: 'a named fragment in a named fragment',
    text: '{ me { ...F } } fragment F on User { id ...G } fragment G on User { name friends { ...H } } fragment H on User { age }',
  },
  { name: 'a named fragment on the root', text: '{ ...R } fragment R on Query { me { id } version }' },
  { name: 'an inline fragment without a type', text: '{ me { ... { id name } } }' },
  { name: 'an inline fragment on the same type', text: '{ me { ... on User { id name } } }' },
  { name: 'an inline fragment on an interface of the type', text: '{ me { ... on Node { id } } }' },
  {
    name: 'an inline fragment on a union of the type',
    text: '{ me { ... on SearchResult { ... on User { name } } } }',
    differs: 'abstract fragment on object',
  },
  {
    name: 'fields merged across fragments',
    text: '{ me { address { street } ... on User { address { city { name } } } ...F } } fragment F on User { address { city { zip } } }',
  },
  { name: 'lists merged across fragments', text: '{ me { friends { id } ...F } } fragment F on User { friends { name orders { id } } }' },
  { name: 'an interface with shared fields only', text: '{ products { id title price } }' },
  { name: 'an interface with fields of one implementation', text: '{ products { id ... on Book { isbn pages } } }' },
  { name: 'an interface with fields of both', text: '{ products { ... on Book { isbn } ... on Movie { minutes } } }' },
  { name: 'the type name of an interface', text: '{ products { __typename } }' },
  { name: 'the type name of an interface, aliased', text: '{ products { kind: __typename id } }' },
  { name: 'the type name at both, aliased and not', text: '{ products { kind: __typename __typename other: __typename } }' },
  { name: 'the type name of the root', text: '{ __typename me { __typename id } }' },
  { name: 'the type name of the root alone', text: '{ __typename }' },
  {
    name: 'the type name of the root, aliased, in a fragment',
    text: '{ ... on Query { t: __typename } ...R } fragment R on Query { u: __typename }',
  },
  { name: 'the type name of value types', text: '{ me { address { __typename city { __typename name } } } }' },
  { name: 'the type name of a union', text: '{ accounts { __typename } }' },
  { name: 'members of a union', text: '{ accounts { ... on Personal { limit } ... on Business { seats company { name } } } }' },
  { name: 'one member of a union', text: '{ accounts { ... on Personal { limit } } }' },
  {
    name: 'a union of entities',
    text: '{ search(term: "x") { __typename ... on Book { title isbn } ... on User { name } ... on Movie { minutes } } }',
  },
  {
    name: 'a union of entities through an interface',
    text: '{ search(term: "x") { ... on Product { id title rating } ... on Node { id } } }',
  },
  { name: 'a union that is null', text: '{ search(term: "") { __typename } }' },
  {
    name: 'the same key with other arguments on other types',
    text: '{ products { ... on Book { detail(level: 2) } ... on Movie { minutes } } }',
  },
  {
    name: 'the same key for fields of unlike types, apart',
    text: '{ search(term: "x") { ... on Book { n: pages } ... on User { n: age } } }',
  },
  {
    name: 'fields between two fragments on one type',
    text: '{ products { ... on Movie { minutes } title ... on Movie { director { name } } } }',
    differs: 'key order',
  },
  {
    name: 'a union inside an entity of another subgraph',
    text: '{ me { wishes { __typename ... on User { name } ... on Product { title } } } }',
  },
  {
    name: 'an interface inside an interface',
    text: '{ products { related { __typename ... on Movie { cast { name } } ... on Book { author { name } } } } }',
  },
  { name: 'an object-typed interface: fields of its own', text: '{ bestProduct { id rating isFlagged } }' },
  { name: 'an object-typed interface: key only', text: '{ rankedProducts { id } }' },
  { name: 'an object-typed interface: fields of another subgraph', text: '{ bestProduct { title price } }' },
  { name: 'an object-typed interface: the type name', text: '{ bestProduct { __typename } rankedProducts { __typename id } }' },
  {
    name: 'an object-typed interface: an implementation',
    text: '{ rankedProducts { id ... on Book { isbn label } ... on Movie { minutes } } }',
  },
  { name: 'an object-typed interface: reached from entities', text: '{ latestReviews { product { rating reviews { stars } } } }' },
  {
    name: 'an object-typed interface: its fields on an implementation',
    text: '{ books { rating reviews { stars author { name } } topReview { body } } }',
  },
  {
    name: 'an object-typed interface: its fields in a fragment',
    text: '{ products { ... on Movie { isFlagged rating } ... on Book { reviews(first: 1) { id } } } }',
  },
  { name: 'an object-typed interface: there and back', text: '{ bestProduct { related { rating related { title } } } }' },
  {
    name: 'an object-typed interface: its fields and the type name of an implementation',
    text: '{ products { ... on Movie { reviews { id } __typename } __typename } grid { ... on Movie { reviews { id } __typename } __typename } }',
    differs: 'type name of an interface object',
  },
  { name: 'a fragment that cannot apply', text: '{ me { ... on Node { ... on Book { isbn } id } } }' },
  { name: 'a fragment that applies to no returned object', text: '{ node(id: "p1") { ... on Movie { minutes } } }' },
  { name: 'a node by its interface', text: '{ node(id: "p2") { id __typename ... on Movie { minutes rating } ... on Book { isbn } } }' },
  { name: 'a node through another interface', text: '{ node(id: "p1") { ... on Product { title rating } } }' },
  {
    name: 'fragments that spread one another in many orders',
    text: '{ me { ...A ...B } } fragment A on User { id ...C } fragment B on User { ...C name } fragment C on User { age score }',
  },
  { name: 'an abstract fragment on the root', text: '{ ... on Query { ... { me { id } } } }' },
  { name: 'a fragment on a union inside its member', text: '{ accounts { ... on Account { ... on Personal { owner { name } } } } }' },
  {
    name: 'deep merging of an abstract list',
    text: '{ products { related { id } ... on Book { related { title } } ... on Product { related { rating } } } }',
  },
  { name: 'an object without fields for this type', text: '{ search(term: "x") { ... on Movie { minutes } } }' },
  {
    name: 'an alias with the name of a key',
    text: '{ bestProduct { id: isFlagged title } users { email: age orders { id: status note } } }',
    differs: 'alias taken for a field',
  },
  {
    name: 'an alias with the name of a required field',
    text: '{ products { title ... on Book { isbn: title dimensions: pages shipping } } }',
    differs: 'alias taken for a field',
  },
  {
    name: 'an alias with the name of the type name, before fields of other subgraphs',
    text: '{ users { __typename: nickname orders { id } } products { __typename: title isFlagged stock: __typename } }',
    differs: 'alias taken for a field',
  },
  {
    name: 'an alias with the name of another field, on one type only',
    text: '{ search(term: "a") { ... on Book { shipping dimensions { width: height } } ... on Movie { title: tagline dimensions { width } } ... on User { nickname: name } } }',
    differs: 'alias taken for a field',
  },
  {
    name: 'an alias like those of the planner',
    text: '{ products { title ... on Book { words: detail } ... on Movie { detail__alias_0: tagline number: detail } } }',
  },
  {
    name: 'literal conditions on fragments without other directives',
    text: 'query ($yes: Boolean!) { orders { id ... on Order @skip(if: true) { invoice } ... @include(if: true) { note } ... @include(if: $yes) { ... @include(if: false) { lines { amount } } } } }',
    variables: { yes: true },
  },
];
