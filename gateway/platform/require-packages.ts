import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { packageRoot } from './package-root.ts';

/** Whether npx runs Gatefold without an installation in the working directory. */
const isInNpxCache = packageRoot.split(sep).includes('_npx');

/** Error for optional packages that a setting or a command requires but that are not installed. */
export class PackagesMissing extends Error {
  constructor(names: readonly string[], neededFor: string) {
    const [subject, verb] = names.length === 1 ? ['package', 'is'] : ['packages', 'are'];
    // A package in the working directory is not visible from the cache of npx, so Gatefold has to be installed next to it.
    const gatefold = isInNpxCache ? 'gatefold ' : '';
    const command = `npm install ${gatefold}${names.map((name) => `"${name}@${supportedVersion(name)}"`).join(' ')}`;
    super(`The ${subject} ${names.join(', ')} ${verb} required for ${neededFor}, but not installed. Install with: ${command}`);
    this.name = 'PackagesMissing';
  }
}

/**
 * Checks that optional peer dependencies are installed before a module that imports them is loaded.
 *
 * @param neededFor setting or command that requires them, as the user writes it
 * @throws PackagesMissing with the command that installs the missing packages
 */
export function requirePackages(names: readonly string[], neededFor: string): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length > 0) throw new PackagesMissing(missing, neededFor);
}

/**
 * Loads an optional peer dependency with a CommonJS entry when it is first needed.
 *
 * @param neededFor setting or command that requires it, as the user writes it
 * @throws PackagesMissing with the command that installs the package
 */
export function loadPackage(name: string, neededFor: string): unknown {
  requirePackages([name], neededFor);
  return requireFromPackage(name);
}

const requireFromPackage = createRequire(join(packageRoot, 'package.json'));

function isInstalled(name: string): boolean {
  try {
    requireFromPackage.resolve(name);
    return true;
  } catch (error) {
    // The package is installed but has no entry for `require`. `import` finds it.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

function supportedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
  return manifest.peerDependencies?.[name] ?? 'latest';
}
