import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { createIdentityVerifier } from '../../../../gateway/subgraph-identity/index.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { startStorefront } from '../../../fixtures/storefront/start-storefront.ts';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\n';

let directory: string;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'gatefold-compose-')));
});
afterEach(async () => rm(directory, { recursive: true }));

async function given(sdl: Readonly<Record<string, string>>, composition?: string): Promise<string> {
  const subgraphs = Object.keys(sdl).map((name) => `  ${name}: { url: 'http://127.0.0.1:1/graphql', files: [${name}.graphql] }`);
  await Promise.all(Object.entries(sdl).map(([name, text]) => writeFile(join(directory, `${name}.graphql`), text)));
  const file = join(directory, 'composition.yaml');
  await writeFile(file, composition ?? ['output: out.graphql', 'subgraphs:', ...subgraphs].join('\n'));
  return file;
}

async function compose(...args: readonly string[]) {
  return composeWith({}, ...args);
}

async function composeWith(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const terminal = recordingTerminal(env);
  const exitCode = await runCommandLine(['compose', ...args], terminal);
  return { exitCode, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

const shown = (name: string) => relative(process.cwd(), join(directory, name));

describe('gatefold compose', () => {
  it('names file, line and column of both types that disagree', async () => {
    const file = await given({
      a: `${LINK}type Query { a: Thing }\ntype Thing @key(fields: "id") {\n  id: ID!\n  size: Int @shareable\n}\n`.replace(
        '"@key"',
        '"@key", "@shareable"',
      ),
      b: `${LINK}type Thing @key(fields: "id") {\n  id: ID!\n  size: String @shareable\n}\n`.replace('"@key"', '"@key", "@shareable"'),
    });
    const { exitCode, warned } = await compose('--file', file);
    expect(exitCode).toBe(1);
    expect(warned).toContain('Composition of the subgraphs failed with 1 problem.');
    expect(warned).toContain('FIELD_TYPE_MISMATCH');
    expect(warned).toContain(`  ${shown('a.graphql')}:5:3`);
    expect(warned).toContain(`  ${shown('b.graphql')}:4:3`);
  });

  it('reports progress, time and memory of a composition of many subgraphs, but not as JSON', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
    const file = await given(Object.fromEntries(names.map((name) => [name, `${LINK}type Query { ${name}: Int }\n`])));
    const { exitCode, printed, warned } = await compose('--file', file);
    expect({ exitCode, warned }).toEqual({ exitCode: 0, warned: 'Composing 50 subgraphs with 0.0 MB of SDL ...' });
    expect(printed).toMatch(/^Wrote .*out\.graphql from 50 subgraphs, composed in \d+\.\d s with \d+(\.\d)? MB of memory\.$/);
    const json = await compose('--file', file, '--json');
    expect(json).toMatchObject({ exitCode: 0, warned: '' });
    expect(JSON.parse(json.printed)).toMatchObject({ written: false });
  });

  it('names the position of a syntax error', async () => {
    const file = await given({ a: `${LINK}type Query {\n  a: Int!!\n}\n` });
    const { exitCode, warned } = await compose('--file', file);
    expect(exitCode).toBe(1);
    expect(warned).toContain(`  ${shown('a.graphql')}:3:10`);
  });

  it('names each invalid key of the composition file', async () => {
    const file = await given({}, 'output: out.graphql\nsubgraphs:\n  users: { url: nonsense, files: [] }\n');
    const { exitCode, warned } = await compose('--file', file);
    expect(exitCode).toBe(1);
    expect(warned.split('\n')).toEqual([
      `${file} is not a valid composition file:`,
      '  subgraphs.users.url: expected a URL that starts with http:// or https://, got "nonsense"',
      `    from ${file}:3:17`,
      '  subgraphs.users.files: expected a list of paths, got []',
      `    from ${file}:3:34`,
    ]);
  });

  it.each([
    [
      'a misspelled key',
      "{ ulr: 'http://127.0.0.1:1' }",
      ['subgraphs.users.ulr: unknown setting', ':3:12', 'Did you mean subgraphs.users.url?'],
    ],
    ['neither a URL nor files', '{ headers: { a: b } }', ['subgraphs.users: expected the key url, the key files, or both']],
    ['a file that is not a string', '{ files: [5] }', ['subgraphs.users.files.0: expected a list of paths, got 5']],
    ['invalid YAML', '{', ['invalid YAML', 'composition.yaml:4:1']],
  ])('names %s with its line and the remedy', async (_name, users, messages) => {
    const file = await given({}, `output: out.graphql\nsubgraphs:\n  users: ${users}\n`);
    const { exitCode, warned } = await compose('--file', file);
    expect(exitCode).toBe(1);
    for (const message of messages) expect(warned).toContain(message);
  });

  it('names --file if there is no composition.yaml in the working directory', async () => {
    const { exitCode, warned } = await compose();
    expect(exitCode).toBe(2);
    expect(warned).toBe('There is no composition.yaml in this directory. Create it, or name another composition file with --file <file>.');
  });

  it('writes supergraph.graphql next to the composition file by default', async () => {
    const file = await given({ a: `${LINK}type Query { a: Int }\n` }, 'subgraphs: { a: { files: [a.graphql] } }');
    expect((await compose('--file', file)).printed).toBe(`Wrote ${shown('supergraph.graphql')} from 1 subgraph.`);
  });

  it('names a missing file', async () => {
    const file = await given({}, 'output: out.graphql\nsubgraphs:\n  a: { url: "http://127.0.0.1:1", files: [gone.graphql] }\n');
    const { exitCode, warned } = await compose('--file', file);
    expect(exitCode).toBe(1);
    expect(warned).toBe(
      `The SDL file ${shown('gone.graphql')} of the subgraph a cannot be read. Check the path in the composition file, and its permissions.`,
    );
  });

  it('does not write an unchanged supergraph again', async () => {
    const file = await given({ a: `${LINK}type Query { a: Int }\n` });
    const first = await compose('--file', file);
    const second = await compose('--file', file);
    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
    expect(first.printed).toBe(`Wrote ${shown('out.graphql')} from 1 subgraph.`);
    expect(second.printed).toBe(`${shown('out.graphql')} is up to date: 1 subgraph.`);
    expect(await readFile(join(directory, 'out.graphql'), 'utf8')).toContain('join__Graph');
  });

  it('fails with `--check` for an edited supergraph and writes nothing', async () => {
    const file = await given({ a: `${LINK}type Query { a: Int }\n` });
    await writeFile(join(directory, 'out.graphql'), 'edited');
    const { exitCode, warned } = await compose('--file', file, '--check');
    expect(exitCode).toBe(1);
    expect(warned).toContain('is out of date. Run `gatefold compose`');
    expect(await readFile(join(directory, 'out.graphql'), 'utf8')).toBe('edited');
  });

  it('names each subgraph that does not return its SDL, with the reason', async () => {
    await using storefront = await startStorefront();
    const { accounts: address = '' } = storefront.urls;
    const file = await given(
      {},
      `output: out.graphql\nsubgraphs:\n  gone: { url: 'http://127.0.0.1:1/' }\n  off: { url: 'http://127.0.0.1:1/' }\n  accounts: { url: '${address}' }`,
    );
    const { exitCode, warned } = await compose('--file', file);
    expect(exitCode).toBe(1);
    expect(warned).toMatch(
      /^The SDL of these subgraphs could not be fetched:\n {2}gone: .+\n {2}off: .+\nStart the subgraphs and check their URLs, or list their SDL files in `files`\. For subgraphs that verify the identity of the gateway, run `gatefold compose --sign`\.$/,
    );
  });

  it('reads SDL from running subgraphs and from files', async () => {
    await using storefront = await startStorefront();
    const { accounts = '', products = '', reviews = '' } = storefront.urls;
    const reviewsFile = join(packageRoot, 'tests/fixtures/storefront/reviews.graphql');
    const file = await given(
      {},
      `output: out.graphql
subgraphs:
  accounts: { url: '${accounts}', headers: { x-who: composer } }
  products: { url: '${products}' }
  reviews: { url: '${reviews}', files: ['${reviewsFile}'] }`,
    );
    expect(await compose('--file', file)).toMatchObject({ exitCode: 0 });
    const written = await readFile(join(directory, 'out.graphql'), 'utf8');
    expect(loadSupergraph(written).subgraphs.get('accounts')?.url).toBe(accounts);
    expect(new Map(storefront.requests.map(({ subgraph, headers }) => [subgraph, headers['x-who']]))).toEqual(
      new Map([
        ['accounts', 'composer'],
        ['products', undefined],
      ]),
    );
    expect(await compose('--file', file, '--check')).toMatchObject({ exitCode: 0 });
  });
});

describe('gatefold compose, given a subgraph that verifies the identity of the gateway', () => {
  const secret = 'a secret that only the gateway and the subgraph know';
  let server: Server;
  let file: string;

  beforeEach(async () => {
    const verifyIdentity = createIdentityVerifier({ secret, audience: 'films' });
    server = createServer((request, response) => {
      void text(request)
        .then(async (body) => verifyIdentity(request, body))
        .then(
          ({ kind }) => response.end(JSON.stringify({ data: { _service: { sdl: `${LINK}type Query { ${kind}: Int }` } } })),
          () => response.writeHead(401).end('{"errors":[{"message":"no identity"}]}'),
        );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    file = await given({}, `output: out.graphql\nsubgraphs:\n  films: { url: 'http://127.0.0.1:${port}/' }`);
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('fails without --sign and names the option, and with the key of another gateway', async () => {
    expect(await composeWith({ GATEFOLD_IDENTITY__SECRET: secret }, '--file', file)).toMatchObject({
      exitCode: 1,
      warned: expect.stringMatching(/responded with status 401[^]*gatefold compose --sign/),
    });
    const other = { GATEFOLD_IDENTITY__SECRET: 'a secret of another gateway, which nobody trusts' };
    expect(await composeWith(other, '--file', file, '--sign')).toMatchObject({
      exitCode: 1,
      warned: expect.stringContaining('status 401'),
    });
  });

  it('fails with --sign when no key is configured, and names the settings', async () => {
    expect(await compose('--file', file, '--sign')).toMatchObject({
      exitCode: 2,
      warned: expect.stringMatching(/identity\.secret or identity\.privateKeyFile/),
    });
  });

  it.each(['jwt', 'bound'])('fetches the SDL as an anonymous caller with --sign, in the form %s', async (form) => {
    const config = join(directory, 'gatefold.yaml');
    await writeFile(config, `supergraph: { file: not-yet-composed.graphql }\nidentity: { secret: '${secret}', form: ${form} }\n`);
    expect(await compose('--file', file, '--sign', '--config', config)).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(directory, 'out.graphql'), 'utf8')).toContain('anonymous: Int');
  });
});
