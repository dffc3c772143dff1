import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { SHORT_LIVED } from '../process/short-lived.ts';

/** Folder in which the shell blocks of one page run. Files that the blocks write do not change the checkout. */
export interface PageFolder extends AsyncDisposable {
  readonly path: string;
  /** `PATH` of the blocks, with a program `npx` that runs installed commands without npm. */
  readonly commandPath: string;
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
  const programs = join(path, 'node_modules/.programs');
  await mkdir(programs);
  await writeFile(join(programs, 'npx'), npxWithoutNpm(commands), { mode: 0o755 });
  const commandPath = [programs, process.env['PATH'] ?? ''].join(delimiter);
  return { path, commandPath, [Symbol.asyncDispose]: async () => rm(path, { recursive: true }) };
}

/** Returns a program that replaces `npx`, because npm takes a second of processor time to find an installed command. */
function npxWithoutNpm(commands: string): string {
  return [
    '#!/usr/bin/env bash',
    `command="${commands}/$1"`,
    'if [ ! -x "$command" ]; then echo "The command $1 is not installed." >&2; exit 127; fi',
    'shift',
    `if [[ "$command" == */gatefold ]]; then exec '${process.execPath}' ${SHORT_LIVED.join(' ')} "$command" "$@"; fi`,
    'exec "$command" "$@"',
    '',
  ].join('\n');
}
