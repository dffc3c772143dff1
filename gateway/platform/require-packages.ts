import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** Packages that only some users need, needed by a setting or a command, are not installed. */
export class PackagesMissing extends Error {
  constructor(names: readonly string[], neededFor: string) {
    const [subject, verb] = names.length === 1 ? ['package', 'is'] : ['packages', 'are'];
    const command = `npm install ${names.map((name) => `"${name}@${supportedVersion(name)}"`).join(' ')}`;
    super(`The ${subject} ${names.join(', ')} ${verb} not installed, and needed for ${neededFor}. Install with: ${command}`);
    this.name = 'PackagesMissing';
  }
}

/**
 * Checks that optional peer dependencies are installed before a module is loaded that imports them.
 *
 * @param neededFor setting or command that needs them, as its user writes it
 * @throws PackagesMissing with the command that installs those that are missing
 */
export function requirePackages(names: readonly string[], neededFor: string): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length > 0) throw new PackagesMissing(missing, neededFor);
}

function isInstalled(name: string): boolean {
  try {
    createRequire(join(packageRoot, 'package.json')).resolve(name);
    return true;
  } catch (error) {
    // A package that is there and has no entry for `require` is found by `import`.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

function supportedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
  return manifest.peerDependencies?.[name] ?? 'latest';
}
