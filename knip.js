/** @type {import('knip').KnipConfig} */
export default {
  entry: [
    // Exports of package.json, and processes that are started by path.
    'gateway/index.ts',
    'gateway/apollo-server/index.ts',
    'gateway/subgraph-identity/index.ts',
    'rest-facade/index.ts',
    'gateway/platform/errors.ts',
    'subgraphs/main.ts',
    'subgraphs/seed/build-snapshot.ts',
    'cli/tooling/{build,check,copy-swagger-ui,prune-image-packages,rollup.config}.js',
    // Separate package, which npm starts.
    'cli/create-gatefold/create-gatefold.js',
    'cli/tooling/{bench,generate,prove,test}.ts',
    'studio/{main.ts,vite.config.ts}',
    'docs/.vitepress/config.js',
    'bench/*.ts',
    // Processes that are started by path.
    'bench/{connect,graph,load,planner}/**/*-process.ts',
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
    'tests/e2e/dev/subgraph-process.js',
    'tests/proofs/*.ts',
    // Started by path from there, and loaded by name.
    'tests/proofs/attacks/*.{ts,js}',
    'tests/proofs/{audit/serve-subgraphs,faults/{load,shop}-process,overload/{load,subgraph}-process,subscribers/gateway-process}.ts',
    // Started as the thread of the planner, and loaded by it.
    'gateway/planning/worker/planner-thread.ts',
    'gateway/planning/create-query-planner.ts',
    'tests/support/planning/scripted-planner.js',
  ],
  project: ['{gateway,rest-facade,subgraphs,cli,tests,bench,studio,docs/.vitepress}/**/*.{ts,js}'],
  // The servers in the benchmark comparison have a separate package.json and lock file.
  ignore: ['**/generated/**', 'bench/peers/**'],
  // These binaries are not npm packages. The benchmark and the tests report if they are missing.
  ignoreBinaries: ['helm', 'mkfifo', 'nginx', 'promtool', 'redis-server', 'taskset', 'unshare'],
  // A type that a public function accepts or returns is exported with it, even if no other file imports it.
  exclude: ['types'],
  ignoreDependencies: [
    // The build copies its files.
    'swagger-ui-dist',
    // Contains the binary of Helm, which tests extract.
    '@aws-cdk/asset-kubectl-v20',
    // Run by tests in separate processes.
    '@hono/node-server',
    '@redocly/cli',
    '@stoplight/spectral-cli',
    'fastify',
    'graphql-yoga',
    'hono',
    'mercurius',
    'swagger-typescript-api',
    // Parser with which dependency-cruiser reads TypeScript 7. Without it, no import is found.
    '@swc/core',
    // Run by cli/tooling/check.js, or by the linter.
    'dclint',
    'dockerfilelint',
    'oxlint',
    'oxlint-tsgolint',
  ],
};
