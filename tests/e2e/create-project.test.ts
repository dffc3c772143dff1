import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { freePort } from '../support/http/free-port.ts';
import { cleanEnvironment, requireBuild, watchProcess } from '../support/process/built-cli.ts';

const SLOW = 180_000;
const CREATE = join(packageRoot, 'cli/create-gatefold');
let directory: string;

const run = async (program: string, args: readonly string[], cwd: string) =>
  promisify(execFile)(program, args, { cwd, env: cleanEnvironment(), maxBuffer: 64 * 1_048_576 });

/** Packs a package and unpacks it in the folder from which Node loads packages. */
async function install(name: string, source: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory], source);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const target = join(directory, 'node_modules', name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(directory, filename), '-C', target, '--strip-components', '1'], directory);
}

beforeAll(async () => {
  await requireBuild();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-create-'));
  await Promise.all([install('gatefold', packageRoot), install('create-gatefold', CREATE)]);
  // Dependencies are those of the checkout, so that the test needs no registry.
  for (const name of await readdir(join(packageRoot, 'node_modules'))) {
    if (!name.startsWith('.')) await symlink(join(packageRoot, 'node_modules', name), join(directory, 'node_modules', name));
  }
}, SLOW);
afterAll(async () => rm(directory, { recursive: true }));

describe('the package create-gatefold', () => {
  it('has the version of gatefold and depends on it', async () => {
    const read = async (folder: string) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    const [own, created] = await Promise.all([read(packageRoot), read(CREATE)]);
    expect(created).toMatchObject({ version: own['version'], dependencies: { gatefold: `^${String(own['version'])}` } });
    expect(created['engines']).toEqual(own['engines']);
  });

  it(
    'creates a project in an empty folder that serves its graph and its REST resources',
    async () => {
      const [port, films] = [await freePort(2), await freePort()];
      const { stdout } = await run(process.execPath, ['node_modules/create-gatefold/create-gatefold.js', 'my-graph'], directory);
      expect(stdout).toContain('Wrote my-graph/gatefold.yaml.');
      const project = join(directory, 'my-graph');
      await symlink(join(directory, 'node_modules'), join(project, 'node_modules'));
      const env = {
        ...cleanEnvironment(),
        PORT: String(port),
        FILMS_PORT: String(films),
        SUBGRAPH_FILMS_URL: `http://127.0.0.1:${films}/graphql`,
      };
      const dev = watchProcess(spawn(process.execPath, ['dev.js'], { cwd: project, env, stdio: 'pipe' }));
      try {
        await Promise.all([dev.waitFor(/Ctrl-C stops everything/), dev.waitFor(/The subgraph films serves/)]);
        const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ film(id: "1") { title year } }' }),
        });
        expect(await response.json()).toEqual({ data: { film: { title: 'Metropolis', year: 1927 } } });
        const created = await fetch(`http://127.0.0.1:${port}/films`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title: 'Playtime', year: 1967 }),
        });
        expect(created.status).toBe(201);
        const list = (await (await fetch(`http://127.0.0.1:${port}/films`)).json()) as { title: string }[];
        expect(list.map(({ title }) => title)).toEqual(['Metropolis', 'Stalker', 'Yi Yi', 'Playtime']);
      } finally {
        dev.signal('SIGTERM');
        await dev.exit;
      }
    },
    SLOW,
  );

  it(
    'passes options on, and prints errors of gatefold',
    async () => {
      const create = ['node_modules/create-gatefold/create-gatefold.js', 'other', '--subgraph', 'films'];
      await expect(run(process.execPath, create, directory)).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Use name=URL'),
      });
    },
    SLOW,
  );
});

describe('the built command line', () => {
  it(
    'plans an operation from standard input',
    async () => {
      const child = spawn(
        process.execPath,
        [join(packageRoot, 'dist/cli/main.js'), 'plan', '-', '--supergraph', join(packageRoot, 'schema/supergraph.graphql'), '--json'],
        { env: cleanEnvironment(), cwd: directory, stdio: 'pipe' },
      );
      const plan = watchProcess(child);
      child.stdin.end('{ me { name orders { nodes { id } } } }');
      await plan.exit;
      expect(JSON.parse(plan.output())).toMatchObject({ steps: 2, fetches: [{ subgraph: 'users' }, { subgraph: 'orders', after: [1] }] });
    },
    SLOW,
  );
});
