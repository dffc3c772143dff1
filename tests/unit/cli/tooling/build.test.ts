import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';

/** A program that writes the outputs of a step, and fails while a file `broken` exists. The compiler writes the next program too. */
const PRETENDED_TOOL = `#!/usr/bin/env node
const { fs, path } = { fs: process.getBuiltinModule('fs'), path: process.getBuiltinModule('path') };
if (fs.existsSync('broken')) { console.log('sources/a.ts(1,1): error'); process.exit(1); }
for (const file of ['dist/cli/main.js', 'dist/seed/fingerprint', 'dist/studio/index.html', 'dist/swagger-ui/LICENSE']) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
}
fs.mkdirSync('dist/subgraphs/seed', { recursive: true });
if (process.argv[1].endsWith('tsc')) fs.copyFileSync(process.argv[1], 'dist/subgraphs/seed/build-snapshot.js');
`;

let parent: string;
let directory: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'gatefold-build-'));
  directory = join(parent, 'sources');
  await mkdir(join(directory, 'cli'), { recursive: true });
  await cp(join(packageRoot, 'cli/tooling'), join(directory, 'cli/tooling'), { recursive: true });
  await write('package.json', '{ "type": "module" }');
  await write('node_modules/package.json', '{ "type": "commonjs" }');
  await write('gateway/index.ts', 'export const a = 1;');
  await write('subgraphs/users/migrations/0001-users.sql', 'select 1;');
  await write('studio/index.html', '<p>');
  await write('cli/tooling/copy-swagger-ui.js', PRETENDED_TOOL);
  for (const tool of ['tsc', 'rollup', 'vite']) {
    await write(`node_modules/.bin/${tool}`, PRETENDED_TOOL);
    await chmod(join(directory, 'node_modules/.bin', tool), 0o755);
  }
  await take('sources', 'built');
  await build();
});
afterAll(async () => rm(parent, { recursive: true }));

/** Copies the sources or a built directory. */
async function take(prepared: 'sources' | 'built', name: string = randomUUID()): Promise<void> {
  directory = join(parent, name);
  await cp(join(parent, prepared), directory, { recursive: true });
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}

async function build(...args: readonly string[]) {
  const script = join(directory, 'cli/tooling/build.js');
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, [script, ...args], { env }).then(
    (done) => ({ ...done, code: 0 }),
    (failure: { readonly stdout: string; readonly stderr: string; readonly code: number }) => failure,
  );
  return { code, said: stderr, built: [...stdout.matchAll(/^Built: (\w+)/gm)].map(([, name]) => name) };
}

describe('npm run build', () => {
  it('fails with the output of the compiler, and builds everything the next time', async () => {
    await take('sources');
    await write('broken', '');
    const failed = await build();
    expect(failed).toMatchObject({ code: 1, built: [] });
    expect(failed.said).toContain('Build command failed: tsc');
    expect(failed.said).toContain('sources/a.ts(1,1): error');
    await rm(join(directory, 'broken'));
    expect((await build()).built).toEqual(['compile', 'seed', 'studio', 'docs']);
  });

  it('does nothing when the build is up to date, unless it is forced', async () => {
    await take('built');
    expect(await build()).toMatchObject({ code: 0, built: [] });
    expect((await build('--force')).built).toEqual(['compile', 'seed', 'studio', 'docs']);
  });

  it.each([
    ['a source changes', async () => write('gateway/index.ts', 'export const a = 22;'), ['compile']],
    ['a source is added', async () => write('rest-facade/new.ts', ''), ['compile']],
    ['a source is deleted', async () => rm(join(directory, 'gateway/index.ts')), ['compile']],
    ['a migration changes', async () => write('subgraphs/users/migrations/0001-users.sql', 'select 2, 3;'), ['seed']],
    ['the studio changes', async () => write('studio/index.html', '<h1>'), ['studio']],
    ['an output is missing', async () => rm(join(directory, 'dist/studio'), { recursive: true }), ['studio']],
    ['the dependencies change', async () => write('package-lock.json', '{}'), ['compile', 'seed', 'studio', 'docs']],
    ['a test changes', async () => write('tests/a.test.ts', ''), []],
    ['only a modification time changes', async () => utimes(join(directory, 'gateway/index.ts'), 0, 0), []],
  ])('builds exactly the affected steps when %s', async (_what, change, expected) => {
    await take('built');
    await change();
    expect((await build()).built).toEqual(expected);
  });

  it('removes outputs of deleted sources when it compiles', async () => {
    await take('built');
    await write('dist/gateway/old.js', '');
    await write('gateway/index.ts', '');
    await build();
    await expect(readFile(join(directory, 'dist/gateway/old.js'))).rejects.toThrow('ENOENT');
  });
});
