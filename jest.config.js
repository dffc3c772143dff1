/** @type {import('jest').Config} */
const project = {
  roots: ['<rootDir>/tests'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  testEnvironment: 'node',
};

const ON_REFERENCE_STACK = [
  '<rootDir>/tests/integration/{rest,graphql}/**/*.test.ts',
  '<rootDir>/tests/integration/*.test.ts',
  '<rootDir>/tests/e2e/reference*.test.ts',
];

/** The same files, as expressions: a negated pattern with `<rootDir>` in it would exclude nothing. */
const NEEDING_THE_STACK = ['/tests/integration/(rest|graphql)/', '/tests/integration/[^/]+\\.test\\.ts$', '/tests/e2e/reference[^/]*$'];

/** Tests over HTTP against the whole reference stack, which is started once for all of them. */
const onReferenceStack = (referenceStorage) => ({
  ...project,
  displayName: referenceStorage,
  testMatch: ON_REFERENCE_STACK,
  globals: { referenceStorage },
  globalSetup: `<rootDir>/tests/support/start-${referenceStorage}-stack.js`,
  globalTeardown: `<rootDir>/tests/support/stop-${referenceStorage}-stack.js`,
});

/** @type {import('jest').Config} */
export default {
  maxWorkers: 3,
  testTimeout: 30_000,
  projects: [
    { ...project, displayName: 'parts', testMatch: ['**/*.test.ts'], testPathIgnorePatterns: NEEDING_THE_STACK },
    onReferenceStack('pglite'),
    onReferenceStack('postgresql'),
  ],
};
