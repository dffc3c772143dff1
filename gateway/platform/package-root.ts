import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Directory of the package, from the sources and from the build alike: the nearest one upwards with a `package.json`. */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

function findPackageRoot(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error('No package.json above the gatefold sources: the installation is incomplete.');
  return findPackageRoot(parent);
}

/**
 * Location of a module that runs in a process or a thread of its own: its source while sources run, or else its file in the build. Paths
 * relative to `import.meta.url` lead nowhere in the build, which bundles modules into other files.
 *
 * @param source relative to the package, such as `subgraphs/main.ts`
 */
export function entryModule(source: string): URL {
  return import.meta.url.endsWith('.ts') ? pathToFileURL(join(packageRoot, source)) : builtModule(source);
}

/** Location of a module in the build, also while sources run. @param source relative to the package, such as `subgraphs/main.ts` */
export function builtModule(source: string): URL {
  return pathToFileURL(join(packageRoot, 'dist', source.replace(/\.ts$/, '.js')));
}
