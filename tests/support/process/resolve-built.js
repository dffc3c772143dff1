const root = new URL('../../../', import.meta.url).href;
const FOLDERS = ['gateway', 'rest-facade', 'subgraphs', 'cli'].map((folder) => `${root}${folder}/`);

/** Resolve hook of Node: replaces sources of the product by built modules. */
export function resolve(specifier, context, nextResolve) {
  if (context.parentURL !== undefined && specifier.startsWith('.') && specifier.endsWith('.ts')) {
    const { href } = new URL(specifier, context.parentURL);
    if (FOLDERS.some((folder) => href.startsWith(folder))) {
      const url = `${root}dist/${href.slice(root.length).replace(/\.ts$/, '.js')}`;
      return { url, format: 'module', shortCircuit: true };
    }
  }
  return nextResolve(specifier, context);
}
