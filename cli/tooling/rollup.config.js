/**
 * Bundles the command line from the output of the compiler: hundreds of separate modules cost memory and start-up time (ADR 65). Packages
 * stay outside the bundle, and modules that are imported on demand get separate chunks.
 *
 * @type {import('rollup').RollupOptions}
 */
export default {
  input: { 'cli/main': 'dist/cli/main.js' },
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  output: {
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'cli/chunks/[name]-[hash].js',
    generatedCode: { constBindings: true },
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  },
};
