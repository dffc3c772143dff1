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
  { path: 'subgraphs/shipping/legacy-codes.ts', words: ['on its way'], reason: 'Status text of the back end, which clients read.' },
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
  ...[
    { path: 'subgraphs/kit/migrations/0001-writes.sql', words: ['beside'] },
    { path: 'subgraphs/shipping/legacy-backend/migrations/0001-consignments.sql', words: ['somebody'] },
    { path: 'subgraphs/webhooks/migrations/0001-webhooks.sql', words: ['told', 'rights', 'place'] },
    { path: 'subgraphs/webhooks/migrations/0002-claims.sql', words: ['asks'] },
  ].map((file) => Object.assign(file, { reason: 'Databases store the checksums of applied migrations, comments included.' })),
];
