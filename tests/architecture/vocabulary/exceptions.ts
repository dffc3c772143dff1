/** A word that a file may use although the glossary replaces it. */
export interface VocabularyException {
  readonly path: string;
  /** Words in lower case. */
  readonly words: readonly string[];
  readonly reason: string;
}

export const EXCEPTIONS: readonly VocabularyException[] = [
  {
    path: 'gateway/subscriptions/session.ts',
    words: ['initialisation'],
    reason: 'Close reasons of the protocol graphql-transport-ws.',
  },
  {
    path: 'rest-facade/compile/bindings/body-limits.ts',
    words: ['places'],
    reason: 'Decimal places are a term of mathematics.',
  },
  { path: 'subgraphs/search/find-entries.ts', words: ['place'], reason: 'Name of a column in SQL.' },
  { path: 'subgraphs/webhooks/events/store-cursors.ts', words: ['place'], reason: 'Alias of a table in SQL.' },
  { path: 'schema/subgraphs/shipping.graphql', words: ['on its way'], reason: 'Status text of the back end, which clients read.' },
  {
    path: 'subgraphs/seed/people-words.ts',
    words: ['somebody', 'asked', 'answer', 'ask', 'nobody', 'tells', 'kept', 'look at'],
    reason: 'Sentences of posts and comments in the sample data.',
  },
  {
    path: 'bench/graph/data.ts',
    words: ['stands', 'nobody', 'place', 'ask', 'asked', 'colour', 'room', 'fault', 'door'],
    reason: 'Sentences of reviews in the sample data, whose lengths are part of the benchmark.',
  },
  { path: 'bench/rest.ts', words: ['somebody'], reason: 'Name of an author in the sample data, whose length is part of the benchmark.' },
  { path: 'docs/get-started/quick-start.md', words: ['place'], reason: 'To place an order is the term of commerce.' },
  {
    path: 'gateway/idempotency/record.ts',
    words: ['reply', 'refusal'],
    reason: 'Keys of the stored records, which gateways share in Redis.',
  },
  { path: 'gateway/platform/errors.ts', words: ['outcome'], reason: 'The public error code OUTCOME_UNKNOWN.' },
  { path: 'cli/tooling/reference/error-meanings.ts', words: ['outcome'], reason: 'The public error code OUTCOME_UNKNOWN.' },
  { path: 'gateway/subscriptions/socket-closure.ts', words: ['initialisation'], reason: 'A close code of graphql-transport-ws.' },
  { path: 'subgraphs/kit/database/kit-tables.ts', words: ['outcome'], reason: 'Name of a column in SQL.' },
  { path: 'subgraphs/kit/writes/idempotency-records.ts', words: ['outcome'], reason: 'Name of a column in SQL.' },
  { path: 'tests/fixtures/authorization/scoped-graph.ts', words: ['verdict', 'colour', 'favourite'], reason: 'Fields of a test schema.' },
  { path: 'tests/differential/federation/resolvers.ts', words: ['replies', 'favourite'], reason: 'Fields of a test schema.' },
  { path: 'tests/differential/federation/world.ts', words: ['favourite'], reason: 'Fields of a test schema.' },
  { path: 'tests/regressions/independent-suites/reference/16-round-trips.test.ts', words: ['colour'], reason: 'Field of a test schema.' },
  { path: 'tests/unit/rest-facade/compile/bindings/json-reader.test.ts', words: ['colour'], reason: 'Field of a test schema.' },
  { path: 'tests/unit/rest-facade/compile/bindings/text-reader.test.ts', words: ['colour'], reason: 'Field of a test schema.' },
  { path: 'tests/unit/rest-facade/http/rest-handler.test.ts', words: ['colour'], reason: 'An unknown field of a request.' },
  ...[
    { path: 'subgraphs/kit/migrations/0001-writes.sql', words: ['beside'] },
    { path: 'subgraphs/shipping/legacy-backend/migrations/0001-consignments.sql', words: ['somebody'] },
    { path: 'subgraphs/webhooks/migrations/0001-webhooks.sql', words: ['told', 'rights', 'place'] },
    { path: 'subgraphs/webhooks/migrations/0002-claims.sql', words: ['asks'] },
  ].map((file) => Object.assign(file, { reason: 'Databases store the checksums of applied migrations, comments included.' })),
  ...[
    'subgraphs/orders/order-status.ts',
    'tests/integration/rest/order-rules.test.ts',
    'tests/integration/subgraphs/orders.test.ts',
    'tests/unit/subgraphs/orders/order-status.test.ts',
  ].map((path) => ({ path, words: ['cancelled'], reason: 'The value CANCELLED of a public enumeration.' })),
  { path: 'tests/unit/gateway/config/renamed-settings.test.ts', words: ['reply', 'tell'], reason: 'Old names of settings.' },
];
