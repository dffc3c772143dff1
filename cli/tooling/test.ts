/**
 * Builds outdated files and runs all tests (`npm test`). `npm test -- <file or folder …>` runs the tests at these paths, each in one
 * project of `jest.config.js`. Flags are passed on to Jest. `--selectProjects <name …>` selects the projects. With `--runTestsByPath` or
 * `--config`, all arguments are passed to Jest unchanged.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { loadProjects } from './load-projects.ts';
import { OPTIMIZE_LATER } from './optimize-later.ts';
import { describeSelection, selectTests, without } from './select-tests.ts';

/**
 * Flags for more processes than cores: garbage is collected in one thread, and the initial size of the young generation is 16 MB instead of
 * 1 MB.
 */
const SINGLE_THREADED_GC = ['--single-threaded-gc', '--min-semi-space-size=16'];
const ENVIRONMENT = { NODE_ENV: 'production', NODE_OPTIONS: '--no-warnings --disable-proto=delete' };
const BAD_ARGUMENTS = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const chosen = args.length === 0 ? [] : await toJestArguments(args);
  if (typeof chosen === 'string') {
    console.error(chosen);
    return BAD_ARGUMENTS;
  }
  return (
    run(['cli/tooling/build.js'], {}) ||
    run([...OPTIMIZE_LATER, ...SINGLE_THREADED_GC, 'node_modules/jest/bin/jest.js', ...chosen], ENVIRONMENT)
  );
}

/** Runs Node in the directory of the package. */
function run(args: readonly string[], environment: Readonly<Record<string, string>>): number {
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, args, { cwd: packageRoot, stdio: 'inherit', env }).status ?? 1;
}

/** Converts the arguments. @returns a text that describes the mistake if the arguments are invalid */
async function toJestArguments(args: readonly string[]): Promise<readonly string[] | string> {
  const { buildArgv } = await import('jest');
  const { _: positional, selectProjects = [], runTestsByPath, config } = await buildArgv([...args]);
  if (runTestsByPath === true || config !== undefined) return args;

  const projects = await loadProjects();
  // The option accepts all following values, so it may have consumed the paths.
  const isPath = (value: string): boolean => !projects.some(({ name }) => name === value) && find(value) !== undefined;
  const given = [...positional.map(String), ...selectProjects.filter(isPath)];
  if (given.length === 0) return args;

  const paths = new Map<string, readonly string[]>();
  for (const path of given) {
    const found = find(path);
    if (found === undefined) return noSuchPath(path);
    paths.set(path, filesAt(found));
  }
  const wanted = selectProjects.filter((name) => !isPath(name));
  const selection = selectTests(paths, projects, selectProjects.length > 0 ? wanted : undefined);
  if ('problem' in selection) return selection.problem;
  console.log(describeSelection(selection.projects));
  const flags = without(args, [...given, ...wanted, '--']).filter((arg) => !/^--select-?projects(=|$)/i.test(arg));
  const files = selection.projects.flatMap((project) => project.files);
  return [...flags, '--selectProjects', ...selection.projects.map(({ name }) => name), '--runTestsByPath', ...new Set(files)];
}

/** Resolves a path relative to the package or to the directory of the caller. Returns the path relative to the package. */
function find(path: string): string | undefined {
  const found = [packageRoot, process.env['INIT_CWD'] ?? packageRoot]
    .map((base) => resolve(base, path))
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false }) !== undefined);
  return found === undefined ? undefined : relative(packageRoot, found).replaceAll(sep, '/');
}

/** Returns all files at or below a path, relative to the package. */
function filesAt(path: string): readonly string[] {
  if (statSync(join(packageRoot, path)).isFile()) return [path];
  return readdirSync(join(packageRoot, path), { withFileTypes: true }).flatMap((entry) => {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : filesAt(below);
    return [below];
  });
}

function noSuchPath(path: string): string {
  const alike = filesAt('tests').filter((file) => file.endsWith('.test.ts') && file.includes(path));
  const suggestion =
    alike.length === 0
      ? ''
      : `\nTests with a similar name:\n${alike
          .slice(0, 10)
          .map((file) => `  ${file}`)
          .join('\n')}`;
  return `No file or folder ${path} exists.${suggestion}`;
}
