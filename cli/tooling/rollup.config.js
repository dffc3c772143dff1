import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';

const isPackage = (id) => !id.startsWith('.') && !id.startsWith('/');

const output = {
  dir: 'dist',
  format: 'es',
  generatedCode: { constBindings: true },
  hoistTransitiveImports: false,
  minifyInternalExports: false,
};

/**
 * Includes graphql-js in a bundle, from its ECMAScript modules. Loading its more than 100 files takes a third of the time in which the
 * planner starts. In the thread of the planner, no other code uses the package, so that it is loaded once.
 *
 * @type {import('rollup').Plugin}
 */
const includeGraphql = {
  name: 'include-graphql',
  resolveId(id) {
    if (id !== 'graphql' && !id.startsWith('graphql/')) return null;
    return fileURLToPath(import.meta.resolve(id === 'graphql' ? 'graphql/index.mjs' : id.replace(/\.js$/, '.mjs')));
  },
};

/** The license requires that copies contain it. */
const graphqlLicense = `/*! graphql-js\n\n${readFileSync(fileURLToPath(import.meta.resolve('graphql/LICENSE')), 'utf8').trim()}\n*/`;

/**
 * Bundles the command line and the planner from the output of the compiler: hundreds of separate modules cost memory and start-up time
 * (ADR 65). Packages stay outside the bundles, and modules that are imported on demand get separate chunks.
 *
 * @type {import('rollup').RollupOptions[]}
 */
export default [
  {
    input: { 'cli/main': 'dist/cli/main.js' },
    external: isPackage,
    output: { ...output, entryFileNames: '[name].js', chunkFileNames: 'cli/chunks/[name]-[hash].js' },
  },
  {
    // The thread of the planner loads these files. The separate modules remain, because the library loads some of them in its own thread.
    input: {
      'gateway/planning/worker/planner-thread': 'dist/gateway/planning/worker/planner-thread.js',
      'gateway/planning/worker/query-planner': 'dist/gateway/planning/create-query-planner.js',
    },
    external: isBuiltin,
    plugins: [includeGraphql],
    output: {
      ...output,
      banner: graphqlLicense,
      entryFileNames: '[name].bundle.js',
      chunkFileNames: 'gateway/planning/worker/[name]-[hash].bundle.js',
    },
  },
];
