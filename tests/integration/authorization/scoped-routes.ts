import type { AccessCase, QueryRequest, Route } from './access-paths.ts';

const query = (type: string, text: string): Route => ({ type, kind: 'query', text });
const mutation = (type: string, text: string): Route => ({ type, kind: 'mutation', text });

/**
 * Paths to the objects of the fixture: over entities, unions, interfaces, an interface that is an object in another subgraph, and payloads.
 */
export const SCOPED_ROUTES: readonly Route[] = [
  query('Query', '{ % }'),
  mutation('Mutation', '{ % }'),
  query('Account', '{ me { % } }'),
  query('Account', '{ account(id: "a3") { % } }'),
  query('Account', '{ accounts { % } }'),
  query('Account', '{ me { friends { % } } }'),
  query('Account', '{ reviews { author { % } } }'),
  query('Account', '{ items { ... on Account { % } } }'),
  query('Account', '{ accountNodes { ... on Account { % } } }'),
  query('Account', '{ product(id: "p1") { reviews { author { % } } } }'),
  query('Account', '{ me { shelf { __typename ... on Account { % } } } }'),
  mutation('Account', '{ rename(id: "a1") { account { % } } }'),
  mutation('Account', '{ touch(id: "a2") { account { % } } }'),
  query('Vault', '{ me { vault { % } } }'),
  query('Vault', '{ accounts { vaults { % } } }'),
  mutation('Vault', '{ touch(id: "a2") { vault { % } } }'),
  query('Safe', '{ me { safe { % } } }'),
  query('Safe', '{ accounts { name safe { colour % } } }'),
  query('Audit', '{ audit { % } }'),
  query('Book', '{ book(id: "p1") { % } }'),
  query('Book', '{ products { ... on Book { % } } }'),
  query('Book', '{ product(id: "p4") { ... on Book { % } } }'),
  query('Book', '{ items { ... on Book { % } } }'),
  query('Book', '{ nodes { ... on Book { % } } }'),
  query('Book', '{ review(id: "r1") { product { ... on Book { % } } } }'),
  query('Book', '{ products { related { ... on Book { % } } } }'),
  query('Film', '{ products { __typename ... on Film { % } } }'),
  query('Film', '{ nodes { ... on Film { % } } }'),
  query('Film', '{ me { wishes { ... on Film { % } } } }'),
  query('Poster', '{ products { ... on Poster { % } } }'),
  query('Manuscript', '{ manuscript { % } }'),
  query('Manuscript', '{ items { ... on Manuscript { % } } }'),
  query('Manuscript', '{ items { __typename ... on Manuscript { % } ... on Book { title } } }'),
  query('Manuscript', '{ me { wishes { ... on Manuscript { % } } } }'),
  query('Manuscript', '{ me { favourite { ... on Manuscript { % } } } }'),
  query('Review', '{ review(id: "r2") { % } }'),
  query('Review', '{ reviews { % } }'),
  query('Review', '{ me { reviews { % } } }'),
  query('Review', '{ products { reviews { % } } }'),
];

const rename = 'rename(id: "a1") { account { name } }';

/** Fields that need arguments. */
export const SCOPED_REQUESTS: Readonly<Record<string, readonly QueryRequest[]>> = {
  Mutation: [{ field: 'rename', text: rename }],
};

/** Operations that select fields of abstract types: a rule of one implementing type applies to the whole selection. */
const ABSTRACT_OPERATIONS: readonly string[] = [
  '{ nodes { id } }',
  '{ accountNodes { id note } }',
  '{ nodes { __typename } }',
  '{ nodes { note } }',
  '{ nodes { id note } }',
  '{ nodes { renamed: note id } }',
  '{ nodes { ...F } } fragment F on Node { id note }',
  '{ nodes { ... on Node { note } id } }',
  '{ nodes { ... on Book { note } } }',
  '{ nodes { ... on Book { note } ... on Film { note } } }',
  '{ nodes { ... on Book { ... on Node { note } } } }',
  '{ book(id: "p1") { ... on Node { note } ... on Product { weight rating } } }',
  '{ products { id title } }',
  '{ products { weight } }',
  '{ products { title weight rating } }',
  '{ products { rating } }',
  '{ products { ... on Poster { weight } } }',
  '{ product(id: "p3") { weight } }',
  '{ product(id: "p3") { ...F } } fragment F on Product { title weight }',
  '{ product(id: "p3") { related { title weight } } }',
  '{ items { __typename } }',
  '{ items { ... on Node { note } } }',
  '{ items { ... on Product { weight title } } }',
  '{ items { ... on Product { rating } ... on Account { name } } }',
  '{ me { wishes { __typename } favourite { __typename } shelf { __typename } } }',
  '{ reviews { product { id rating } } }',
  '{ reviews { product { title weight } } }',
  '{ reviews { product { ... on Product { ... on Film { weight } } } } }',
];

export const ABSTRACT_CASES: readonly AccessCase[] = ABSTRACT_OPERATIONS.map((text) => ({
  coordinate: 'an abstract type',
  form: 'as it is written',
  route: query('Query', '{ % }'),
  text,
  variables: {},
}));
