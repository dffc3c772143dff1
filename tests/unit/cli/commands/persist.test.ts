import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { readManifest } from '../../../../gateway/persisted/read-manifest.ts';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

interface Manifest {
  readonly client: unknown;
  readonly operations: readonly { readonly id: string; readonly name: string; readonly type: string; readonly body: string }[];
}

let directory = '';
let out = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-persist-'));
  out = join(directory, 'out.json');
});
afterEach(() => rm(directory, { recursive: true }));

async function given(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
}

async function persist(patterns: readonly string[], ...more: readonly string[]) {
  const terminal = recordingTerminal();
  const paths = patterns.map((pattern) => join(directory, pattern));
  const exitCode = await runCommandLine(['persist', ...paths, '--out', out, '--client', 'web@1.2.0', ...more], terminal);
  return { exitCode, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n').replaceAll(`${directory}/`, '') };
}

async function written(): Promise<Manifest> {
  return JSON.parse(await readFile(out, 'utf8')) as Manifest;
}

describe('gatefold persist', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a syntax error', { 'a.graphql': 'query A {\n  a(\n}' }, 'a.graphql:3:1: Syntax Error'],
    ['an operation without a name', { 'a.graphql': '\n{ a }' }, 'a.graphql:2:1: The operation has no name'],
    ['a missing fragment', { 'a.graphql': 'query A { ...F }' }, 'a.graphql:1:1: The fragment F is not defined'],
    [
      'a missing fragment of a fragment',
      { 'a.graphql': 'query A { ...F }', 'f.graphql': 'fragment F on Q { ...G }' },
      'f.graphql:1:1: The fragment G is not defined',
    ],
    [
      'one name for two operations',
      { 'a.graphql': 'query A { a }', 'b.graphql': 'query A { b }' },
      'b.graphql:1:1: The name A is already used at a.graphql:1:1. Choose a unique name.',
    ],
    [
      'one name for two fragments',
      { 'a.graphql': 'fragment F on A { a }\nfragment F on A { b }' },
      'a.graphql:2:1: The name F is already used at a.graphql:1:1. Choose a unique name.',
    ],
    ['a missing file', {}, 'No file matches *.graphql.'],
  ])('names the position of %s and writes nothing', async (_what, files, message) => {
    await given(files);
    const { exitCode, warned } = await persist(['*.graphql']);
    expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringContaining(message) });
    await expect(written()).rejects.toThrow('ENOENT');
  });

  it.each([['web'], ['web@'], ['@1'], ['']])('rejects the client "%s"', async (client) => {
    await given({ 'a.graphql': 'query A { a }' });
    const { exitCode, warned } = await persist(['a.graphql'], '--client', client);
    expect(exitCode).toBe(2);
    expect(warned).toContain('Use the format name@version');
  });

  it('includes the fragments of other files that each operation needs', async () => {
    await given({
      'b.graphql': 'query B($id: ID!) { book(id: $id) { ...Title } }',
      'a.graphql': '# a comment\nmutation A { rename { ...Whole } } subscription C { renamed { id } }',
      'parts/whole.graphql': 'fragment Whole on Book { id ...Title ...Whole }',
      'parts/title.graphql': 'fragment Title on Book { title }\nfragment Unused on Book { id }',
      'node_modules/x/d.graphql': 'query D { d }',
      'parts/readme.md': '# Parts',
    });
    const { exitCode, printed } = await persist(['**/*.graphql']);
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: `Wrote ${out}: 3 operations of web@1.2.0.` });
    const { client, operations } = await written();
    expect(client).toEqual({ name: 'web', version: '1.2.0' });
    expect(operations.map(({ name, type }) => [name, type])).toEqual([
      ['A', 'mutation'],
      ['B', 'query'],
      ['C', 'subscription'],
    ]);
    expect(operations.map(({ body }) => body.match(/fragment \w+/g))).toEqual([
      ['fragment Whole', 'fragment Title'],
      ['fragment Title'],
      null,
    ]);
    for (const { id, body } of operations) expect(id).toBe(sha256Of(body));
  });

  it('writes a manifest that the gateway reads for the client and its version', async () => {
    await given({ 'a.graphql': 'query A { a }' });
    await persist(['a.graphql']);
    const text = 'query A {\n  a\n}';
    expect(readManifest(out, await readFile(out, 'utf8'), 'other')).toEqual([{ id: sha256Of(text), text, client: 'web@1.2.0' }]);
  });

  it('writes the same manifest for the same documents in other files and another order', async () => {
    await given({ 'a.graphql': 'query A { a }\nquery B { b }' });
    await persist(['a.graphql']);
    const before = await readFile(out, 'utf8');
    await given({ 'a.graphql': 'query B { b }', 'z.graphql': 'query A{a}' });
    await persist(['z.graphql', 'a.graphql', '*.graphql']);
    expect(await readFile(out, 'utf8')).toBe(before);
  });

  it('adds `__typename` to every selection below the root with `--typename`', async () => {
    await given({ 'a.graphql': 'query A { a { id b { __typename c } ...F } } fragment F on A { d ... on B { e } }' });
    await persist(['a.graphql'], '--typename');
    const { operations } = await written();
    expect(operations[0]?.body.replace(/\s+/g, ' ')).toBe(
      'query A { a { id b { __typename c } ...F __typename } } fragment F on A { d ... on B { e __typename } __typename }',
    );
  });

  it.each([
    ['*.graphql', ['Top']],
    ['**/*.graphql', ['Deep', 'Deeper', 'Top']],
    ['*/*.graphql', ['Deep']],
    ['{one,two}/*.g?aphql', ['Deep']],
    ['one/**', ['Deep', 'Deeper']],
    ['one/three/{x,deeper}.graphql', ['Deeper']],
    ['one/**/deeper.graphql', ['Deeper']],
  ])('finds the files of the pattern %s', async (pattern, names) => {
    await given({
      'top.graphql': 'query Top { a }',
      'one/deep.graphql': 'query Deep { a }',
      'one/three/deeper.graphql': 'query Deeper { a }',
    });
    expect(await persist([pattern])).toMatchObject({ exitCode: 0 });
    expect((await written()).operations.map(({ name }) => name)).toEqual(names);
  });
});
