import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { productSchema } from '../../../../cli/configuration.ts';
import { EXAMPLE, exampleFiles } from '../../../../cli/init/example-subgraph.ts';
import { EXAMPLE_SUPERGRAPH } from '../../../../cli/init/example-supergraph.ts';
import { checkSections } from '../../../../gateway/config/check-sections.ts';
import { compileSettings } from '../../../../gateway/config/settings.ts';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-init-'));
});
afterEach(async () => rm(directory, { recursive: true }));

interface User {
  /** Lines that the user types. With none left, the input ends. */
  readonly lines?: string[];
}

async function init(args: readonly string[], { lines }: User = {}) {
  const terminal = recordingTerminal();
  const prompts: string[] = [];
  const openDialog = () => ({
    prompt: async (text: string) => {
      prompts.push(text);
      const line = lines?.shift();
      if (line === undefined) throw Object.assign(new Error('The input ended.'), { name: 'AbortError' });
      return line;
    },
    [Symbol.dispose]: () => undefined,
  });
  const input = { isInteractive: lines !== undefined, readAll: async () => '', openDialog };
  const exitCode = await runCommandLine(['init', ...args], { ...terminal, input });
  return { exitCode, prompts, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

const read = async (path: string, project = directory) => readFile(join(project, path), 'utf8');

function problemsOf(text: string): readonly string[] {
  const checked = checkSections(productSchema, compileSettings(productSchema), parseYaml(text), () => undefined);
  return 'problems' in checked ? checked.problems.map(({ path, message }) => `${path}: ${message}`) : [];
}

/** Turns the settings in comments into settings. */
const withoutComments = (text: string) => text.replaceAll(/^(\s*)# (?=\s*(?:[a-zA-Z]+:(?: |$)|- ))/gm, '$1');

describe('gatefold init', () => {
  it.each([
    ['a subgraph without a source', ['--subgraph', 'films'], 'Use name=URL'],
    ['a subgraph with an invalid name', ['--subgraph', '1film=http://a.test'], 'must begin with a letter'],
    ['a subgraph with an invalid URL', ['--subgraph', 'films=http://'], 'is not a valid URL'],
    ['two subgraphs with one name', ['--subgraph', 'a=http://a.test', '--subgraph', 'a=http://b.test'], 'named twice'],
    ['an SDL file that does not exist', ['--subgraph', 'films=./nowhere.graphql'], 'The SDL file ./nowhere.graphql of the subgraph films'],
    ['an issuer that is no URL', ['--jwt-issuer', 'company'], 'Use an absolute URL'],
    ['an audience without an issuer', ['--jwt-audience', 'graph'], 'need --jwt-issuer'],
    ['an unknown profile', ['--profile', 'test'], 'Allowed choices are dev, production'],
    ['an invalid name', ['--name', 'My Graph'], '"My Graph" cannot be used with --name. The name of a package'],
  ])('rejects %s with exit code 2 and writes nothing', async (_what, args, expected) => {
    const { exitCode, warned } = await init([directory, ...args]);
    expect({ exitCode, warned }).toEqual({ exitCode: 2, warned: expect.stringContaining(expected) });
    expect(await readdir(directory)).toEqual([]);
  });

  it('names a path that cannot be written and exits with 1', async () => {
    await writeFile(join(directory, 'file'), '');
    const { exitCode, warned } = await init([join(directory, 'file')]);
    expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringContaining('cannot be written: ') });
  });

  it('lists existing files, and overwrites them only with `--force`', async () => {
    await writeFile(join(directory, 'package.json'), '{}');
    const { exitCode, printed } = await init([directory]);
    expect(exitCode).toBe(0);
    expect(printed).toContain(`Did not change ${join(directory, 'package.json')}, which exists.`);
    expect(await read('package.json')).toBe('{}');
    const { printed: forced } = await init([directory, '--force']);
    expect(forced).not.toContain('Did not change');
    expect(JSON.parse(await read('package.json'))).toMatchObject({ private: true });
  });

  it('composes an existing composition file instead of the example', async () => {
    await writeFile(join(directory, 'own.graphql'), 'type Query { own: Int }');
    await writeFile(
      join(directory, 'composition.yaml'),
      `output: x.graphql\nsubgraphs: { own: { url: 'http://own.test', files: [own.graphql] } }`,
    );
    await init([directory]);
    expect(await read('supergraph.graphql')).toContain('own: Int');
  });

  it('adds no example to a project with other subgraphs', async () => {
    await writeFile(join(directory, 'reviews.graphql'), 'type Query { reviews: [String] }');
    await writeFile(
      join(directory, 'composition.yaml'),
      'output: supergraph.graphql\nsubgraphs:\n  reviews:\n    url: http://reviews.test/graphql\n    files: [reviews.graphql]\n',
    );
    const { exitCode, printed } = await init([directory]);
    expect(exitCode).toBe(0);
    expect(printed).not.toContain('subgraphs/films');
    expect(await readFile(join(directory, 'README.md'), 'utf8')).toContain('the subgraphs reviews, served by Gatefold');
  });

  it('writes an example that is complete, with the next commands', async () => {
    const project = join(directory, 'My Graph');
    const { exitCode, printed, warned } = await init([project]);
    expect({ exitCode, warned }).toEqual({ exitCode: 0, warned: '' });
    expect((await readdir(project)).toSorted()).toEqual([
      '.dockerignore',
      '.gitignore',
      'Dockerfile',
      'README.md',
      'composition.yaml',
      'dev.js',
      'gatefold.yaml',
      'package.json',
      'rest',
      'subgraphs',
      'supergraph.graphql',
    ]);
    expect(printed).toMatch(/Next:\n {2}cd .*My Graph\n {2}npm install\n {2}npm run dev$/);
    expect(JSON.parse(await read('package.json', project))).toMatchObject({
      name: 'my-graph',
      scripts: { dev: 'node dev.js', start: 'gatefold serve' },
      dependencies: { gatefold: expect.stringMatching(/^\^\d/), express: expect.stringMatching(/^\^\d/), graphql: expect.any(String) },
    });
    expect(await read('rest/films.graphql', project)).toContain('@endpoint(method: POST, path: "/films"');
    for (const file of ['dev.js', 'subgraphs/films/server.js'])
      await promisify(execFile)(process.execPath, ['--check', join(project, file)]);
  });

  it('contains the supergraph to which the example composes', () => {
    const files = exampleFiles().flatMap(({ path, text }) => (EXAMPLE.files.includes(path) ? [{ path, text }] : []));
    const { supergraphSdl = '' } = composeSubgraphs([{ name: EXAMPLE.name, url: EXAMPLE.url, files }]);
    expect(EXAMPLE_SUPERGRAPH.trimEnd()).toBe(supergraphSdl.trimEnd());
  });

  it('writes a project that `gatefold validate` and `gatefold compose --check` accept', async () => {
    await init([directory]);
    const terminal = recordingTerminal();
    expect(await runCommandLine(['validate', '--config', join(directory, 'gatefold.yaml')], terminal)).toBe(0);
    expect(terminal.printed.join('\n')).toContain('GET /films');
    expect(await runCommandLine(['compose', '--file', join(directory, 'composition.yaml'), '--check'], terminal)).toBe(0);
  });

  it.each([
    ['the defaults', []],
    ['all options', ['--profile', 'production', '--jwt-issuer', 'https://id.example.com/', '--jwt-audience', 'graph']],
    ['no REST documents', ['--no-rest']],
  ])('writes valid settings for %s, also in comments', async (_what, args) => {
    await init([directory, ...args]);
    const text = await read('gatefold.yaml');
    expect(problemsOf(text)).toEqual([]);
    expect(withoutComments(text)).toContain('\nlimits:\n');
    expect(problemsOf(withoutComments(text))).toEqual([]);
  });

  it('writes an issuer with the default location of its keys', async () => {
    await init([directory, '--name', 'shop', '--jwt-issuer', 'https://id.example.com/']);
    expect(parseYaml(await read('gatefold.yaml'))).toMatchObject({
      auth: {
        providers: {
          jwt: {
            default: {
              issuer: 'https://id.example.com/',
              audiences: ['shop'],
              jwksUrl: 'https://id.example.com/.well-known/jwks.json',
            },
          },
        },
      },
    });
  });

  it('composes the subgraphs of the command line and drafts their REST documents', async () => {
    const sdl = join(directory, 'reviews.graphql');
    await writeFile(sdl, 'type Query { reviews: [Review!]! } type Review { id: ID! text: String }');
    const project = join(directory, 'app');
    const { exitCode, warned } = await init([project, '--subgraph', `reviews=${sdl}@http://reviews.test/graphql`]);
    expect({ exitCode, warned }).toEqual({ exitCode: 0, warned: '' });
    expect(parseYaml(await read('composition.yaml', project))).toEqual({
      output: 'supergraph.graphql',
      subgraphs: { reviews: { url: 'http://reviews.test/graphql', files: ['../reviews.graphql'] } },
    });
    expect(await read('supergraph.graphql', project)).toContain('reviews: [Review!]!');
    expect(await read('rest/reviews.graphql', project)).toContain('path: "/reviews"');
    expect(await readdir(project)).not.toContain('dev.js');
  });

  it('explains what to do when a subgraph is not available yet', async () => {
    const { exitCode, printed, warned } = await init([directory, '--subgraph', 'away=http://127.0.0.1:9/graphql']);
    expect(exitCode).toBe(0);
    expect(warned).toContain('away: ');
    expect(warned).toContain('Run `npm run compose` when the subgraphs are available.');
    expect(printed).toContain('  npm install\n  npm run compose\n  npm run dev');
    expect(await readdir(join(directory, 'rest'))).toEqual(['.gitkeep']);
  });

  it('prompts for what the options lack, again after an invalid line', async () => {
    const { exitCode, prompts } = await init([directory], {
      lines: ['My Shop', 'shop', 'films', '', 'maybe', 'n', 'company', 'https://id.test/'],
    });
    expect(exitCode).toBe(0);
    expect(prompts).toEqual([
      expect.stringMatching(/^Name of the project \(.+\): $/),
      expect.stringMatching(/^The name of a package .*\nName of the project/),
      expect.stringMatching(/^Subgraphs as /),
      expect.stringMatching(/^Use name=URL, .*\nSubgraphs as /),
      'Write REST documents? (Y/n): ',
      expect.stringMatching(/^Type y or n\.\n/),
      expect.stringMatching(/^URL of the issuer/),
      expect.stringMatching(/^Type an absolute URL, .*\nURL of the issuer/),
    ]);
    expect(JSON.parse(await read('package.json'))).toMatchObject({ name: 'shop' });
    expect(await readdir(directory)).not.toContain('rest');
    expect(await read('gatefold.yaml')).toContain('issuer: "https://id.test/"');
  });

  it('prompts for nothing with `--yes`', async () => {
    const { exitCode, prompts } = await init([directory, '--yes'], { lines: [] });
    expect({ exitCode, prompts }).toEqual({ exitCode: 0, prompts: [] });
  });

  it('writes nothing when the input ends before the last prompt', async () => {
    const { exitCode, warned } = await init([directory], { lines: ['shop'] });
    expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringContaining('No file was written.') });
    expect(await readdir(directory)).toEqual([]);
  });

  it('prints the documented JSON', async () => {
    await mkdir(join(directory, 'app'));
    await writeFile(join(directory, 'app', 'README.md'), 'mine');
    const { printed } = await init([join(directory, 'app'), '--json']);
    expect(JSON.parse(printed)).toEqual({
      directory: join(directory, 'app'),
      files: expect.arrayContaining([
        { path: 'gatefold.yaml', status: 'written' },
        { path: 'README.md', status: 'unchanged' },
      ]),
      problem: null,
      next: [expect.stringMatching(/^cd /), 'npm install', 'npm run dev'],
    });
  });
});
