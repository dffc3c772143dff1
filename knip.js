/** @type {import('knip').KnipConfig} */
export default {
  entry: [
    // What package.json exports, and the processes that are started by path.
    'gateway/index.ts',
    'gateway/apollo-server/index.ts',
    'rest-facade/index.ts',
    'gateway/platform/errors.ts',
    'subgraphs/main.ts',
    'subgraphs/seed/build-snapshot.ts',
    'cli/tooling/{build,check,copy-swagger-ui,keep-image-packages,rollup.config}.js',
    'cli/tooling/{bench,generate,prove,test}.ts',
    'studio/{main.ts,vite.config.ts}',
    'bench/*.ts',
    // Started by path, as processes of their own.
    'bench/{graph,load,planner}/*-process.ts',
    'bench/servers/*.js',
    'tests/**/*.test.ts',
    'tests/embedded.config.js',
    // Started by Jest, and by path from there.
    'tests/support/stack/*-stack.js',
    'tests/support/stack/reference-stack-process.ts',
    // Started by path from the product.
    'gateway/supergraph/sources/composition-process.ts',
    // Processes that helpers of tests and proofs start by path.
    'tests/faults/stock-process.js',
    'tests/integration/reload/gateway-process.ts',
    'tests/integration/webhooks/sender-process.ts',
    'tests/integration/idempotency/*-process.js',
    'tests/proofs/*.ts',
    // Started by path from there, and loaded by name.
    'tests/proofs/attacks/*.{ts,js}',
    'tests/proofs/{audit/serve-subgraphs,faults/{load,shop}-process,subscribers/gateway-process}.ts',
    // Started as the planner's thread, and loaded by it.
    'gateway/planning/worker/planner-thread.ts',
    'gateway/planning/create-query-planner.ts',
    'tests/support/planning/scripted-planner.js',
  ],
  project: ['{gateway,rest-facade,subgraphs,cli,tests,bench,studio}/**/*.{ts,js}'],
  // What the benchmark compares with has a package.json and a lock file of its own.
  ignore: ['**/generated/**', 'bench/peers/**'],
  // Not of npm; the benchmark, and the tests with Redis or mounts, say so where they are not there.
  ignoreBinaries: ['taskset', 'redis-server', 'unshare'],
  // A type that a public function takes or gives is exported with it, whether or not somebody writes its name.
  exclude: ['types'],
  ignoreDependencies: [
    // Its files are copied by the build.
    'swagger-ui-dist',
    // Run by tests, in processes of their own.
    '@redocly/cli',
    '@stoplight/spectral-cli',
    'swagger-typescript-api',
    // The parser with which dependency-cruiser reads TypeScript 7: without it no import is seen.
    '@swc/core',
    // Run by cli/tooling/check.js, or by the linter itself.
    'dclint',
    'dockerfilelint',
    'oxlint',
    'oxlint-tsgolint',
  ],
};
