const isPackage = (id) => !id.startsWith('.') && !id.startsWith('/');

const output = {
  dir: 'dist',
  format: 'es',
  generatedCode: { constBindings: true },
  hoistTransitiveImports: false,
  minifyInternalExports: false,
};

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
    external: isPackage,
    output: { ...output, entryFileNames: '[name].bundle.js', chunkFileNames: 'gateway/planning/worker/[name]-[hash].bundle.js' },
  },
];
