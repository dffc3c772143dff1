/**
 * Bundles the command line from what the compiler made of it: modules in a file each, some 700 of them, cost the command memory and a part
 * of its start, and calls between them cost processor time. Packages stay outside. Modules that are loaded on demand stay in files of their own.
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
