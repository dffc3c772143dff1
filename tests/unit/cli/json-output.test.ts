import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProgram, runCommandLine } from '../../../cli/command-line.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { recordingTerminal } from '../../support/process/recording-terminal.ts';

const SUPERGRAPH = join(packageRoot, 'schema/supergraph.graphql');
const KEY = 'a development key of more than thirty-two characters';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-json-'));
});
afterAll(async () => rm(directory, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, text);
  return file;
}

async function run(...args: readonly string[]) {
  const terminal = recordingTerminal(args[0] === 'token' ? { GATEFOLD_AUTH__DEVELOPMENT_KEY: KEY } : {});
  const exitCode = await runCommandLine([...args, '--json'], terminal);
  expect(terminal.printed).toHaveLength(1);
  return { exitCode, warned: terminal.warned.join('\n'), json: JSON.parse(terminal.printed.join('')) as unknown };
}

describe('a command with --json', () => {
  it.each([
    ['a missing option', ['token'], "required option '--sub <id>' not specified"],
    ['an unknown option', ['compose', '--fiel', 'x'], "unknown option '--fiel'"],
    ['an unknown option of a nested command', ['rest', 'init', '--fiel', 'x'], "unknown option '--fiel'"],
    ['an unknown command', ['comopse'], "unknown command 'comopse'"],
    ['an invalid value', ['persist', '*.graphql', '--out', 'x', '--client', 'web'], 'Use the format name@version'],
  ])('reports %s as JSON on stdout with exit code 2', async (_what, args, message) => {
    expect(await run(...args)).toEqual({
      exitCode: 2,
      warned: '',
      json: { error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining(message), exitCode: 2, problems: [] } },
    });
  });

  it('reports a missing file as JSON with exit code 1', async () => {
    for (const args of [
      ['compose', '--file', '/nowhere.yaml'],
      ['check', SUPERGRAPH, '--against', '/nowhere.graphql'],
      ['persist', '/nowhere.graphql', '--out', join(directory, 'x.json'), '--client', 'web@1'],
      ['rest', 'init', '--supergraph', '/nowhere.graphql', '--out', directory],
      ['plan', '/nowhere.graphql', '--supergraph', SUPERGRAPH],
    ]) {
      expect(await run(...args)).toMatchObject({ exitCode: 1, warned: '', json: { error: { code: 'COMMAND_FAILED', exitCode: 1 } } });
    }
  });

  it('reports each problem of a composition with its location', async () => {
    const sdl = await write('a.graphql', 'type Query {\n  a: Missing\n}');
    const file = await write('composition.yaml', `output: out.graphql\nsubgraphs: { a: { url: 'http://a.test', files: [a.graphql] } }`);
    const { exitCode, json } = await run('compose', '--file', file);
    expect({ exitCode, json }).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'COMPOSITION_FAILED', problems: [{ message: expect.stringContaining('Missing') }] } },
    });
    expect(JSON.stringify(json)).toContain(sdl.split('/').at(-1));
  });

  it('reports a syntax error in a document of a client with its location', async () => {
    const file = await write('syntax.graphql', 'query Me {\n  me {');
    expect((await run('persist', file, '--out', join(directory, 'x.json'), '--client', 'web@1')).json).toMatchObject({
      error: { code: 'OPERATION_INVALID', problems: [{ locations: [{ file, line: 2 }] }] },
    });
  });

  it('reports each mistake of the configuration with its location', async () => {
    const config = await write('wrong.yaml', 'limits:\n  maxDeepness: 3\n');
    expect(await run('validate', '--config', config)).toMatchObject({
      exitCode: 2,
      json: {
        error: {
          code: 'INVALID_CONFIGURATION',
          problems: [{ message: expect.stringContaining('maxDeepness'), locations: [{ file: config, line: 2, column: 3 }] }],
        },
      },
    });
  });

  it('reports a file that is no supergraph', async () => {
    const file = await write('plain.graphql', 'type Query { a: Int }');
    expect(await run('plan', '--query', '{ a }', '--supergraph', file)).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'SUPERGRAPH_INVALID' } },
    });
  });

  it('prints the result of compose', async () => {
    await write('b.graphql', 'type Query { b: Int }');
    const file = await write('b.yaml', `output: b-out.graphql\nsubgraphs: { b: { url: 'http://b.test', files: [b.graphql] } }`);
    const result = { file: expect.stringMatching(/b-out\.graphql$/), subgraphs: ['b'], hints: [] };
    expect((await run('compose', '--file', file)).json).toEqual({ ...result, written: true });
    expect((await run('compose', '--file', file)).json).toEqual({ ...result, written: false });
  });

  it('prints the result of persist', async () => {
    const document = await write('me.graphql', 'query Me { me { id } }');
    const out = join(directory, 'web.json');
    expect((await run('persist', document, '--out', out, '--client', 'web@1.2')).json).toEqual({
      file: out,
      client: { name: 'web', version: '1.2' },
      operations: [{ id: expect.stringMatching(/^[0-9a-f]{64}$/), name: 'Me', type: 'query' }],
    });
  });

  it('prints the result of token', async () => {
    expect((await run('token', '--sub', '7', '--roles', 'ADMIN')).json).toEqual({
      token: expect.stringMatching(/^ey/),
      subject: '7',
      roles: ['ADMIN'],
      scopes: [],
      ttlSeconds: 3_600,
    });
  });

  it('is every command except those that serve', () => {
    const program = createProgram(recordingTerminal());
    const commands = program.commands.flatMap((command) => (command.commands.length === 0 ? [command] : command.commands));
    const without = commands.filter(({ options }) => !options.some(({ long }) => long === '--json')).map((command) => command.name());
    expect(without).toEqual(['serve', 'dev', 'serve']); // the last one is `gatefold webhooks serve`
  });
});
