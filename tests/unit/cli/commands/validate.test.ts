import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { supergraphWith } from '../../../support/graphql/supergraph-with.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-validate-'));
});
afterAll(async () => rm(directory, { recursive: true }));

const SUPERGRAPH = join(packageRoot, 'schema/supergraph.graphql');
const REST = join(packageRoot, 'schema/rest');

let files = 0;
async function write(text: string, name: string): Promise<string> {
  files += 1;
  const folder = join(directory, String(files));
  await mkdir(folder);
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

async function validate(config: object, ...args: readonly string[]) {
  const file = await write(JSON.stringify(config), 'gatefold.yaml');
  const terminal = recordingTerminal();
  const exitCode = await runCommandLine(['validate', '--config', file, '--supergraph', SUPERGRAPH, ...args], terminal);
  return { exitCode, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

const manifestOf = (documents: Readonly<Record<string, string>>) => write(JSON.stringify(documents), 'manifest.json');

describe('gatefold validate', () => {
  it('reports client, ID and mistake of an invalid trusted document, and exits with 1', async () => {
    const web = await manifestOf({ good: 'query Me { me { id } }', old: 'query Old { me { nickname } }', broken: 'query {' });
    const { exitCode, warned } = await validate({ persisted: { manifests: { web } } });
    expect(exitCode).toBe(1);
    expect(warned).toContain('Validation failed with 2 errors:');
    expect(warned).toContain('web, document old: Cannot query field "nickname" on type "User".');
    expect(warned).toContain('web, document broken: Syntax Error');
  });

  it('reports the position of an invalid REST document and exits with 1', async () => {
    const file = await write('query GetNobody @endpoint(method: GET, path: "/nobody") { nobody { id } }', 'nobody.graphql');
    const { exitCode, warned } = await validate({ rest: { documents: join(file, '..') } });
    expect(exitCode).toBe(1);
    expect(warned).toMatch(/nobody\.graphql:1:\d+: Cannot query field "nobody" on type "Query"\./);
  });

  it.each([
    ['a document beyond a limit', { maxDepth: 1 }, 'web, document me: The operation "Me" has more than 1 levels'],
    ['a document that costs too much with any variables', { maxCost: 20 }, 'all: All costs 21 points, which exceeds limits.maxCost (20).'],
    ['an unknown single-use field', { singleUse: ['Mutation.pay'] }, 'limits.singleUse: The supergraph has no field Mutation.pay.'],
  ])('reports %s and exits with 1', async (_what, limits, expected) => {
    const web = await manifestOf({ me: 'query Me { me { id } }', all: 'query All { users { nodes { id } } }' });
    const { exitCode, warned } = await validate({ persisted: { manifests: { web } }, limits });
    expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringContaining(expected) });
  });

  it('reports a public field with a hidden type in the supergraph and exits with 1', async () => {
    const supergraph = await write(supergraphWith('type Query { a: Hidden }\ntype Hidden @inaccessible { id: ID }'), 'supergraph.graphql');
    const { exitCode, warned } = await validate({}, '--supergraph', supergraph);
    const failure = 'Query.a (line 18) is public, but its type Hidden is @inaccessible.';
    expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringContaining(failure) });
  });

  it('reports an unknown mutation in `idempotency.noStore` and exits with 1', async () => {
    const { exitCode, warned } = await validate({ idempotency: { noStore: ['Mutation.createWebhok'] } });
    const failure = 'idempotency.noStore: The supergraph has no field Mutation.createWebhok.';
    expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringContaining(failure) });
  });

  it.each([
    ['an unknown setting', { limits: { maxDeepness: 1 } }, 'maxDepth'],
    ['a missing manifest', { persisted: { manifests: { web: '/nowhere.json' } } }, 'persisted.manifests.web'],
  ])('reports %s and exits with 2', async (_what, config, expected) => {
    const { exitCode, warned } = await validate(config);
    expect({ exitCode, warned }).toEqual({ exitCode: 2, warned: expect.stringContaining(expected) });
  });

  it('requires a supergraph and exits with 2', async () => {
    const terminal = recordingTerminal();
    const file = await write('profile: production', 'gatefold.yaml');
    expect(await runCommandLine(['validate', '--config', file], terminal)).toBe(2);
    expect(terminal.warned.join('\n')).toContain('--supergraph');
  });

  it('lists the cost of each REST route with its largest page', async () => {
    const { exitCode, printed, warned } = await validate({ rest: { documents: REST } });
    expect({ exitCode, warned }).toEqual({ exitCode: 0, warned: '' });
    expect(printed).toMatch(/^ *106 {2}GET \/books {2}ListBooks$/m);
    expect(printed).toMatch(/^ *1 {2}GET \/users\/\{user_id\} {2}GetUser$/m);
  });

  it('warns about operations that exceed the cost limit only with the largest pages', async () => {
    const web = await manifestOf({ page: 'query Page($first: Int) { users(first: $first) { nodes { id } } }' });
    const { exitCode, printed } = await validate({ persisted: { manifests: { web } }, limits: { maxCost: 50 } });
    expect({ exitCode, printed }).toEqual({
      exitCode: 0,
      printed: expect.stringMatching(/^101 {2}web {2}page {2}Page {2}exceeds limits\.maxCost \(50\) with the largest pages$/m),
    });
  });

  it('prints the result as JSON with `--json`', async () => {
    const web = await manifestOf({ me: 'query Me { me { id } }' });
    const { printed } = await validate({ persisted: { manifests: { web } } }, '--json');
    expect(JSON.parse(printed)).toEqual({
      valid: true,
      maxCost: 5_000,
      costMode: 'enforce',
      operations: [{ kind: 'document', subject: 'me', client: 'web', operation: 'Me', cost: 1, isVarying: false }],
      issues: [],
    });
  });

  it('accepts a document above the default cost limit when the supergraph has no list sizes, and says why', async () => {
    const text = 'type Query { a: [A!]! } type A { a: [A!]! name: String }';
    const { supergraphSdl = '' } = composeSubgraphs([{ name: 'a', url: 'http://a.test', files: [{ path: 'a.graphql', text }] }]);
    const supergraph = await write(supergraphSdl, 'supergraph.graphql');
    const web = await manifestOf({ deep: 'query Deep { a { a { a { a { name } } } } }' });
    const validateGraph = async (limits: object) => {
      const terminal = recordingTerminal();
      const file = await write(JSON.stringify({ persisted: { manifests: { web } }, limits }), 'gatefold.yaml');
      const exitCode = await runCommandLine(['validate', '--config', file, '--supergraph', supergraph], terminal);
      return { exitCode, text: [...terminal.printed, ...terminal.warned].join('\n') };
    };
    expect(await validateGraph({})).toEqual({
      exitCode: 0,
      text: expect.stringContaining('Operations above limits.maxCost are served, because the cost is only measured.'),
    });
    expect(await validateGraph({ maxCost: 5_000 })).toEqual({
      exitCode: 1,
      text: expect.stringContaining('Deep costs 11110 points, which exceeds limits.maxCost (5000).'),
    });
  });
});
