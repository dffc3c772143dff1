import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** Folder in which the shell blocks of one page run. Files that the blocks write do not change the checkout. */
export interface PageFolder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a folder with the schemas, the development key and the commands of the checkout. */
export async function createPageFolder(): Promise<PageFolder> {
  const path = await mkdtemp(join(tmpdir(), 'gatefold-page-'));
  const commands = join(path, 'node_modules/.bin');
  await mkdir(commands, { recursive: true });
  const installed = join(packageRoot, 'node_modules/.bin');
  for (const name of await readdir(installed)) await symlink(join(installed, name), join(commands, name));
  await symlink(join(packageRoot, 'dist/cli/main.js'), join(commands, 'gatefold'));
  for (const name of ['schema', 'bench', '.gatefold']) await symlink(join(packageRoot, name), join(path, name));
  await writeFile(join(path, 'package.json'), '{ "private": true }\n');
  return { path, [Symbol.asyncDispose]: async () => rm(path, { recursive: true }) };
}
