/** @type {import('jest').Config} */
const project = {
  roots: ['<rootDir>/tests'],
  transform: {},
  runtime: '<rootDir>/tests/support/jest/native-runtime.js',
  testEnvironment: '<rootDir>/tests/support/jest/native-environment.js',
  setupFilesAfterEnv: [
    '<rootDir>/tests/support/description/expect-described-responses.ts',
    '<rootDir>/tests/support/jest/choose-way-in.ts',
  ],
};

const ON_REFERENCE_STACK = [
  '<rootDir>/tests/integration/{rest,graphql}/**/*.test.ts',
  '<rootDir>/tests/integration/*.test.ts',
  '<rootDir>/tests/e2e/reference*.test.ts',
  '<rootDir>/tests/regressions/*/reference/*.test.ts',
];

/** The same files as regular expressions. A negated pattern with `<rootDir>` would exclude nothing. */
const NEEDING_THE_STACK = [
  '/tests/integration/(rest|graphql)/',
  '/tests/integration/[^/]+\\.test\\.ts$',
  '/tests/e2e/reference[^/]*$',
  '/tests/regressions/[^/]+/reference/',
];

/** Tests whose results depend on the database: stored data, order of rows, and concurrency. */
const WHERE_STORAGE_SHOWS = [
  '<rootDir>/tests/integration/{mutation-sequences,races,random-requests}.test.ts',
  '<rootDir>/tests/integration/graphql/{five-subgraphs,idempotency,mutations-and-lists,subscriptions}.test.ts',
  '<rootDir>/tests/integration/rest/{books,equals-graphql,freshness,idempotency,pages-by-chance,payments,users,versions}.test.ts',
  '<rootDir>/tests/integration/rest/{order,webhook}*.test.ts',
  '<rootDir>/tests/e2e/reference-shop.test.ts',
];

/** Tests over HTTP against the whole reference stack, which is started once for all of them. */
export const onReferenceStack = (referenceStorage, testMatch = ON_REFERENCE_STACK) => ({
  ...project,
  displayName: referenceStorage,
  testMatch,
  globals: { referenceStorage },
  globalSetup: `<rootDir>/tests/support/stack/start-${referenceStorage}-stack.js`,
  globalTeardown: `<rootDir>/tests/support/stack/stop-${referenceStorage}-stack.js`,
});

const engine = onReferenceStack('postgresql', [
  '<rootDir>/tests/integration/graphql/{introspection,permissions}.test.ts',
  '<rootDir>/tests/integration/rest/{books,equals-graphql,order-rules,orders,payments,query-parameters,users,versions}.test.ts',
]);

/** Tests of HTTP, limits and streams, which run once more with `server.plainReader: false`. The stack on PGlite has that setting, too. */
const WHERE_THE_WAY_IN_SHOWS = [
  '<rootDir>/tests/integration/{conditional,lifecycle,maintenance,persisted}/*.test.ts',
  '<rootDir>/tests/integration/telemetry/access-log.test.ts',
  '<rootDir>/tests/integration/limits/long-parameters.test.ts',
  '<rootDir>/tests/integration/subscriptions/{heads-of-streams,rest-streams,streams-over-http}.test.ts',
  '<rootDir>/tests/regressions/independent-suites/04-unread-{responses,streams}.test.ts',
  '<rootDir>/tests/regressions/independent-suites/{03,24}-over-http.test.ts',
  '<rootDir>/tests/regressions/independent-suites/18-*-upgrades.test.ts',
  '<rootDir>/tests/spec/http-edge.test.ts',
];

/** @type {import('jest').Config} */
export default {
  maxWorkers: 4,
  // A worker retains the modules of every test file that it has run. Loading them again in a new worker takes five seconds of processor
  // time.
  workerIdleMemoryLimit: '2GB',
  testSequencer: '<rootDir>/tests/support/jest/longest-first.js',
  testTimeout: 60_000,
  projects: [
    { ...project, displayName: 'parts', testMatch: ['**/*.test.ts'], testPathIgnorePatterns: NEEDING_THE_STACK },
    { ...project, displayName: 'node-http', testMatch: WHERE_THE_WAY_IN_SHOWS, globals: { plainReader: false } },
    onReferenceStack('pglite', WHERE_STORAGE_SHOWS),
    onReferenceStack('postgresql'),
    { ...engine, displayName: 'apollo', globals: { ...engine.globals, referenceEngine: 'apollo' } },
  ],
};
