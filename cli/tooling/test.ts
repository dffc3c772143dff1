/**
 * `npm test` builds what is stale and runs all tests; `npm test -- <file or folder …>` runs the tests there, each in one project of
 * `jest.config.js`. Flags are passed on to Jest. `--selectProjects <name …>` names the projects itself; with `--runTestsByPath` or
 * `--config`, all arguments are Jest's.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { loadProjects } from './load-projects.ts';
import { OPTIMIZE_LATER } from './optimize-later.ts';
import { describeSelection, selectTests, without } from './select-tests.ts';

/** Flags for more processes than cores: garbage is collected in one thread, and the space for new objects begins with 16 MB in place of 1 MB. */
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

/** @returns a text that says what is wrong with the arguments, where something is */
async function toJestArguments(args: readonly string[]): Promise<readonly string[] | string> {
  const { buildArgv } = await import('jest');
  const { _: positional, selectProjects = [], runTestsByPath, config } = await buildArgv([...args]);
  if (runTestsByPath === true || config !== undefined) return args;

  const projects = await loadProjects();
  // The option takes all that follows it, and so may have taken the paths.
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

/** Path relative to the package of what the user means: relative to the package, or to where the command was given. */
function find(path: string): string | undefined {
  const found = [packageRoot, process.env['INIT_CWD'] ?? packageRoot]
    .map((base) => resolve(base, path))
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false }) !== undefined);
  return found === undefined ? undefined : relative(packageRoot, found).replaceAll(sep, '/');
}

/** All files at or below a path, relative to the package as the path is. */
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
      : `\nTests with such a name:\n${alike
          .slice(0, 10)
          .map((file) => `  ${file}`)
          .join('\n')}`;
  return `There is no file or folder ${path}.${suggestion}`;
}
