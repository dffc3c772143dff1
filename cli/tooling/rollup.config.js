/**
 * Bundles the command line from the output of the compiler: hundreds of modules in files of their own cost memory and start-up time (ADR 65).
 * Packages stay outside of the bundle, and modules that are imported on demand get chunks of their own.
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
