import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { type CliProcess, cleanEnvironment, watchProcess } from '../../support/process/built-cli.ts';

/** Result of a command. */
export interface CommandResult {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

/** A separate project in which only the packed package is installed. */
export interface InstalledProject extends AsyncDisposable {
  readonly directory: string;
  /** Paths in the tarball. */
  readonly packed: readonly string[];
  /** Names of all installed packages, including the package itself. */
  readonly packages: readonly string[];
  /** Size of all installed files. */
  readonly bytes: number;
  write(file: string, text: string): Promise<void>;
  /** Runs `npx gatefold` until it exits. */
  gatefold(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>;
  /** Starts `npx gatefold`. */
  start(args: readonly string[]): CliProcess;
  /** Runs a script in the project. */
  run(script: string): Promise<CommandResult>;
}

/** Packs the package as it is published, and installs it into an empty project. */
export async function installProject(): Promise<InstalledProject> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-package-'));
  const npm = async (cwd: string, ...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('npm', args, { cwd, env: cleanEnvironment(), maxBuffer: 64 * 1_048_576 })).stdout;
  const packing = await npm(packageRoot, 'pack', '--json', '--ignore-scripts', '--pack-destination', directory);
  const [{ filename, files }] = JSON.parse(packing) as [{ filename: string; files: readonly { readonly path: string }[] }];
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  await npm(directory, 'install', '--no-audit', '--no-fund', '--prefer-offline', join(directory, filename));

  const main = join(directory, 'node_modules/.bin/gatefold');
  const environment = (env: Readonly<Record<string, string>> = {}) => ({ ...cleanEnvironment(), ...env });
  const finish = async (child: CliProcess): Promise<CommandResult> => {
    const { code } = await child.exit;
    return { code: code ?? 1, output: child.output() };
  };
  const launch = (file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): CliProcess =>
    watchProcess(spawn(file, args, { cwd: directory, env: environment(env), stdio: 'pipe' }));
  return {
    directory,
    packed: files.map(({ path }) => path),
    packages: await readPackages(directory),
    bytes: await sizeOf(join(directory, 'node_modules')),
    write: async (file, text) => writeFile(join(directory, file), text),
    gatefold: async (args, env) => finish(launch('npx', ['--no-install', 'gatefold', ...args], env)),
    start: (args) => launch(main, args),
    run: async (script) => finish(launch(process.execPath, ['--input-type=module', '--eval', script])),
    [Symbol.asyncDispose]: async () => rm(directory, { recursive: true }),
  };
}

/** Reads the list that npm writes at the end of an installation. */
async function readPackages(directory: string): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile(join(directory, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  return Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
