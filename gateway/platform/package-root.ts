import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Root directory of the package, both for sources and for the build: the nearest parent directory with a `package.json`. */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

function findPackageRoot(directory: string): string {
  if (existsSync(join(directory, 'package.json'))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error('No package.json was found above the gatefold sources. The installation is incomplete.');
  return findPackageRoot(parent);
}

/** Whether tsx runs the sources. Threads then run them as well, with hooks that they do not inherit. */
export const isSourceRun: boolean = import.meta.url.endsWith('.ts') && process.execArgv.some((argument) => argument.includes('tsx'));

/**
 * Returns the location of a module that runs in a separate process or thread: its source file when sources run, otherwise its file in the
 * build. Paths relative to `import.meta.url` do not work in the build, because modules are bundled into other files.
 *
 * @param source path relative to the package, such as `subgraphs/main.ts`
 */
export function entryModule(source: string): URL {
  return import.meta.url.endsWith('.ts') ? pathToFileURL(join(packageRoot, source)) : builtModule(source);
}

/**
 * Returns the location of a module in the build, also when sources run.
 *
 * @param source path relative to the package, such as `subgraphs/main.ts`
 */
export function builtModule(source: string): URL {
  return pathToFileURL(join(packageRoot, 'dist', source.replace(/\.ts$/, '.js')));
}
