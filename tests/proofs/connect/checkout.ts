import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a checkout: a folder with a work tree, or a git directory without one, of which the newest commit is read. */
export interface Checkout {
  /** Lists the files below a folder, with their paths from the root of the checkout. */
  readonly list: (folder: string) => readonly string[];
  readonly read: (path: string) => string;
}

/** Opens a checkout. @throws if the folder is neither a work tree nor a git directory */
export function openCheckout(directory: string): Checkout {
  const isBare = existsSync(join(directory, 'HEAD')) && existsSync(join(directory, 'objects'));
  if (isBare) return openGitDirectory(directory);
  if (!existsSync(directory) || !statSync(directory).isDirectory()) throw new Error(`CONNECT_DIR: ${directory} is not a folder`);
  return {
    list: (folder) =>
      readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(directory.length).replace(/^\/+/, ''))
        .toSorted(),
    read: (path) => readFileSync(join(directory, path), 'utf8'),
  };
}

function openGitDirectory(directory: string): Checkout {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['--git-dir', directory, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  return {
    list: (folder) => git('ls-tree', '-r', '--name-only', 'HEAD', '--', `${folder}/`).split('\n').filter(Boolean),
    read: (path) => git('show', `HEAD:${path}`),
  };
}
