import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { type CliProcess, cleanEnvironment, watchProcess } from '../../support/process/built-cli.ts';

/** Result of a command. */
export interface CommandResult {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

/** The package as it is published. */
export interface PackedPackage extends AsyncDisposable {
  /** Path of the tarball. */
  readonly tarball: string;
  /** Paths in the tarball. */
  readonly files: readonly string[];
}

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression of its manifest; `unknown` when it has none. */
  readonly license: string;
}

/** A separate project in which only the packed package is installed. */
export interface InstalledProject extends AsyncDisposable {
  readonly directory: string;
  /** Output of the installation on standard error. */
  readonly warnings: string;
  /** All installed packages, including the package itself. */
  packages(): Promise<readonly InstalledPackage[]>;
  /** Size of all installed files. @unit bytes */
  size(): Promise<number>;
  /** Installs further packages. */
  install(...packages: readonly string[]): Promise<void>;
  write(file: string, text: string): Promise<void>;
  /** Runs `npx gatefold` until it exits. */
  gatefold(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>;
  /** Starts `npx gatefold`. */
  start(args: readonly string[]): CliProcess;
  /** Runs a script in the project, as an ES module or as CommonJS. */
  run(script: string, type?: 'module' | 'commonjs'): Promise<CommandResult>;
  /** Runs a file of the project with Node.js. */
  node(...args: readonly string[]): Promise<CommandResult>;
}

/** Packs the package as it is published. */
export async function packPackage(): Promise<PackedPackage> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-packed-'));
  const { stdout } = await npm(packageRoot, 'pack', '--json', '--ignore-scripts', '--pack-destination', directory);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: readonly { readonly path: string }[] }];
  return {
    tarball: join(directory, filename),
    files: files.map(({ path }) => path),
    [Symbol.asyncDispose]: async () => rm(directory, { recursive: true }),
  };
}

/** Installs the packed package into an empty project, together with further packages. */
export async function installProject({ tarball }: PackedPackage, ...further: readonly string[]): Promise<InstalledProject> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-package-'));
  const install = async (...packages: readonly string[]) =>
    npm(directory, 'install', '--no-audit', '--no-fund', '--prefer-offline', ...packages);
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  const { stderr: warnings } = await install(tarball, ...further);

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
    warnings,
    packages: () => readPackages(directory),
    size: () => sizeOf(join(directory, 'node_modules')),
    async install(...packages) {
      await install(...packages);
    },
    async write(file, text) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await writeFile(join(directory, file), text);
    },
    gatefold: async (args, env) => finish(launch('npx', ['--no-install', 'gatefold', ...args], env)),
    start: (args) => launch(main, args),
    run: async (script, type = 'module') => finish(launch(process.execPath, [`--input-type=${type}`, '--eval', script])),
    node: async (...args) => finish(launch(process.execPath, args)),
    [Symbol.asyncDispose]: async () => rm(directory, { recursive: true }),
  };
}

/** Returns the warnings of an installation of the repository itself, which is not carried out. */
export async function checkRepositoryEngines(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-repository-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) await copyFile(join(packageRoot, file), join(directory, file));
    return (await npm(directory, 'ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund')).stderr;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function npm(cwd: string, ...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return promisify(execFile)('npm', args, { cwd, env: cleanEnvironment(), maxBuffer: 64 * 1_048_576 });
}

/** Reads the list that npm writes at the end of an installation, and the license in each manifest. */
async function readPackages(directory: string): Promise<readonly InstalledPackage[]> {
  const { packages } = JSON.parse(await readFile(join(directory, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  return Promise.all(
    Object.entries(packages).map(async ([path, { version }]) => {
      const manifest = JSON.parse(await readFile(join(directory, path, 'package.json'), 'utf8')) as { readonly license?: string };
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license: manifest.license ?? 'unknown' };
    }),
  );
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
