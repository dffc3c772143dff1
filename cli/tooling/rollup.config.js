import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const output = {
  dir: 'dist',
  format: 'es',
  generatedCode: { constBindings: true },
  hoistTransitiveImports: false,
  minifyInternalExports: false,
};

/**
 * Returns the options that include packages in a bundle, from their ECMAScript modules, because loading hundreds of files takes more than a
 * tenth of the time of a start (ADR 103). All other packages stay outside. A package is included only if no other code of the process exchanges its
 * objects with the bundle: there are two copies of it otherwise.
 *
 * @param {readonly string[]} names
 * @returns {import('rollup').RollupOptions}
 */
function including(names) {
  const nameOf = (id) => names.find((name) => id === name || id.startsWith(`${name}/`));
  return {
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && nameOf(id) === undefined,
    plugins: [
      {
        name: 'including',
        resolveId: (id) =>
          nameOf(id) === undefined ? null : { id: fileURLToPath(import.meta.resolve(moduleOf(id))), moduleSideEffects: false },
        renderChunk(code, { moduleIds }) {
          const included = names.filter((name) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)));
          return included.length === 0 ? null : { code: `${included.map(licenseOf).join('\n')}\n${code}`, map: null };
        },
      },
    ],
  };
}

/** Returns the ECMAScript module of an import. `graphql` is a package of CommonJS modules that contains both. @param {string} id */
function moduleOf(id) {
  if (id === 'graphql') return 'graphql/index.mjs';
  return id.startsWith('graphql/') ? id.replace(/\.js$/, '.mjs') : id;
}

/** Returns the license of a package, which copies of it must contain. @param {string} name */
function licenseOf(name) {
  const root = fileURLToPath(import.meta.resolve(moduleOf(name))).split(`/node_modules/${name}/`)[0];
  const file = `${root}/node_modules/${name}/LICENSE`;
  return `/*! ${name}\n\n${readFileSync(file, 'utf8').trim()}\n*/`;
}

/**
 * Bundles the command line and the planner from the output of the compiler: hundreds of separate modules cost memory and start-up time
 * (ADR 65). Packages stay outside the bundles, and modules that are imported on demand get separate chunks.
 *
 * @type {import('rollup').RollupOptions[]}
 */
export default [
  {
    input: { 'cli/main': 'dist/cli/main.js' },
    ...including(['zod']),
    output: { ...output, entryFileNames: '[name].js', chunkFileNames: 'cli/chunks/[name]-[hash].js' },
  },
  {
    // The thread of the planner loads these files. The separate modules remain, because the library loads some of them in its own thread.
    input: {
      'gateway/planning/worker/planner-thread': 'dist/gateway/planning/worker/planner-thread.js',
      'gateway/planning/worker/query-planner': 'dist/gateway/planning/create-query-planner.js',
      'gateway/planning/worker/create-indexes': 'dist/gateway/planning/indexing/create-indexes.js',
    },
    ...including(['graphql']),
    output: { ...output, entryFileNames: '[name].bundle.js', chunkFileNames: 'gateway/planning/worker/[name]-[hash].bundle.js' },
  },
];
