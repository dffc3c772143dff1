import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { print } from 'graphql';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { composeConnected } from '../../../support/connectors/expand-composed.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

const SUPERGRAPH = join(packageRoot, 'schema/supergraph.graphql');
const PROFILE = `query Profile($id: ID!, $full: Boolean! = true) {
  owner: user(id: $id) {
    name
    posts { title }
    orders(first: 3) { nodes { shipment { carrier } } }
    email @include(if: $full)
  }
}`;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-plan-'));
});
afterAll(async () => rm(directory, { recursive: true }));

async function run(input: string | undefined, ...args: readonly string[]) {
  const terminal = recordingTerminal();
  const none = (): never => {
    throw new Error('The command opened a dialog.');
  };
  const stdin = { isInteractive: false, readAll: async () => input ?? '', openDialog: none };
  const exitCode = await runCommandLine(['plan', ...args], { ...terminal, ...(input === undefined ? {} : { input: stdin }) });
  return { exitCode, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

const plan = async (query: string, ...args: readonly string[]) => run(undefined, '--query', query, '--supergraph', SUPERGRAPH, ...args);

async function planJson(query: string, ...args: readonly string[]) {
  const { printed, warned } = await plan(query, '--json', ...args);
  expect(warned).toBe('');
  return JSON.parse(printed) as Record<string, unknown> & { readonly fetches: readonly Record<string, unknown>[] };
}

describe('gatefold plan', () => {
  it('reports the file, line and column of each error of an invalid operation', async () => {
    const file = join(directory, 'wrong.graphql');
    await writeFile(file, 'query Wrong {\n  me { nickname }\n  them { id }\n}');
    const { exitCode, printed, warned } = await run(undefined, file, '--supergraph', SUPERGRAPH);
    expect({ exitCode, printed }).toEqual({ exitCode: 1, printed: '' });
    expect(warned.split('\n')).toEqual([
      `${file}:2:8: Cannot query field "nickname" on type "User". Did you mean "name"? [GRAPHQL_VALIDATION_FAILED]`,
      expect.stringContaining(`${file}:3:3: Cannot query field "them" on type "Query".`),
    ]);
  });

  it.each([
    ['a syntax error', '{ me {', 'query:1:7: Syntax Error'],
    ['no operation', 'fragment F on User { id }', 'query:1:1: Fragment "F" is never used'],
    [
      'a variable without a value that decides a condition',
      'query Q($a: Boolean!) { me { id @skip(if: $a) } }',
      'query:1:9: Variable "$a"',
    ],
    ['several operations', 'query A { me { id } } query B { me { name } }', 'Select one of these by name: A, B. Use --operation-name.'],
  ])('rejects %s and exits with 1', async (_what, query, expected) => {
    const { exitCode, printed, warned } = await plan(query);
    expect({ exitCode, printed, warned }).toEqual({ exitCode: 1, printed: '', warned: expect.stringContaining(expected) });
  });

  it('reports the location of a variable with an invalid value', async () => {
    const { exitCode, warned } = await plan('query Q(\n  $id: ID!\n) { user(id: $id) { id } }', '--variables', '{"id": {}}');
    expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringMatching(/^query:2:3: Variable "\$id"/) });
  });

  it.each([
    ['no operation', [], 'Pass the operation as a file'],
    ['two operations', ['a.graphql', '--query', '{ me { id } }'], 'only in one of these ways'],
    ['variables that are no JSON', ['--query', '{ me { id } }', '--variables', '{id: 1}'], '--variables is not valid JSON'],
    ['variables that are no object', ['--query', '{ me { id } }', '--variables', '[1]'], '--variables must be a JSON object'],
    ['an anonymous caller with roles', ['--query', '{ me { id } }', '--anonymous', '--roles', 'ADMIN'], 'cannot be combined'],
    ['no supergraph', ['--query', '{ me { id } }'], 'Pass a file with --supergraph'],
  ])('rejects %s and exits with 2', async (_what, args, expected) => {
    const { exitCode, warned } = await run(undefined, ...args);
    expect({ exitCode, warned }).toEqual({ exitCode: 2, warned: expect.stringContaining(expected) });
  });

  it('prints the requests by step, with what each waits for', async () => {
    const { exitCode, printed, warned } = await plan(PROFILE, '--variables', '{"id": "7"}');
    expect({ exitCode, warned }).toEqual({ exitCode: 0, warned: '' });
    expect(printed).toMatch(/^query Profile: 4 requests to 4 subgraphs in 3 steps\nEstimated cost: \d+ points/);
    expect(printed).toContain('Condition: $full = true');
    expect(printed).toMatch(/\nStep 1\n {2}1\. users\n {5}\$v0: \$id = "7"\n {7}query \(\$v0: ID!\) {\n/);
    expect(printed).toMatch(/\nStep 2, in parallel\n {2}2\. posts, after 1\n {5}User by id, at user_0\n/);
    expect(printed).toMatch(/\n {2}3\. orders, after 1\n {5}User by id, at user_0\n {5}\$l0: 3\n/);
    expect(printed).toMatch(
      /\nStep 3\n {2}4\. shipping:Order, after 3\n {5}GET http.*\/api\/shipments\?order_ids=.*, once for up to 500 representations\n {5}Order by id userId, at user_0\.orders_0\.nodes\n/,
    );
  });

  it('plans an operation without values for its variables, and prints its maximum cost', async () => {
    const { exitCode, printed } = await plan(PROFILE);
    expect(exitCode).toBe(0);
    expect(printed).toContain('The estimated cost depends on the variables.');
    expect(printed).toContain('$v0: $id\n');
  });

  it('omits what a false condition excludes', async () => {
    const { conditions, fetches } = await planJson(PROFILE, '--variables', '{"id": "7", "full": false}');
    expect(conditions).toEqual({ full: false });
    expect(JSON.stringify(fetches)).not.toContain('email');
  });

  it('reads standard input, and names it in errors', async () => {
    expect((await run('{ me { id } }', '-', '--supergraph', SUPERGRAPH)).printed).toContain('1. users');
    expect((await run('{ you }', '-', '--supergraph', SUPERGRAPH)).warned).toContain('stdin:1:3: Cannot query field "you"');
  });

  it('reads variables from a file, and composes a composition file', async () => {
    const file = join(directory, 'variables.json');
    await writeFile(file, '{"id": "9"}');
    const { printed } = await run(
      undefined,
      '--query',
      PROFILE,
      '--supergraph',
      join(packageRoot, 'schema/composition.yaml'),
      '--variables',
      `@${file}`,
    );
    expect(printed).toContain('$v0: $id = "9"');
  });

  it('plans one of several operations', async () => {
    const { operation } = await planJson('query A { me { id } } query B { me { name } }', '--operation-name', 'B');
    expect(operation).toEqual({ name: 'B', kind: 'query' });
  });

  it('marks the requests of deferred fragments, unless `--no-defer` is set', async () => {
    const query = '{ user(id: "1") { name ... @defer(label: "slow") { posts { title } } } }';
    const deferOf = async (...args: readonly string[]) => (await planJson(query, ...args)).fetches.map(({ defer }) => defer);
    expect(await deferOf()).toEqual([undefined, { number: 1, label: 'slow' }]);
    expect(await deferOf('--no-defer')).toEqual([undefined, undefined]);
    expect((await plan(query)).printed).toContain('2. posts, after 1, for @defer "slow"');
  });

  it('omits fields that the caller may not read', async () => {
    const query = '{ u: user(id: "1") { name email } }';
    const { access, fetches } = await planJson(query, '--anonymous');
    expect(access).toEqual({ denied: ['u.email'], ownersOnly: [] });
    expect(JSON.stringify(fetches)).not.toContain('email');
    expect((await planJson(query, '--scopes', 'other'))['access']).toEqual({ denied: [], ownersOnly: ['u.email'] });
    expect((await planJson(query))['access']).toEqual({ denied: [], ownersOnly: [] });
  });

  it('runs the root fields of a mutation in sequence', async () => {
    const query = `mutation {
      a: createPost(input: { title: "a", body: "b" }) { id }
      b: createOrder(input: { productId: 1, qty: 1 }) { order { id } }
    }`;
    const { fetches } = await planJson(query);
    expect(fetches.map(({ kind, after }) => ({ kind, after }))).toEqual([
      { kind: 'mutation', after: [] },
      { kind: 'mutation', after: [1] },
    ]);
  });

  it('plans introspection without requests', async () => {
    expect((await plan('{ __typename __schema { queryType { name } } }')).printed).toContain('no requests to subgraphs');
  });

  it('prints the documented JSON', async () => {
    expect(await planJson('query Me($n: Int = 2) { me { orders(first: $n) { nodes { id } } } }')).toEqual({
      operation: { name: 'Me', kind: 'query' },
      cost: { estimated: expect.any(Number), maximum: expect.any(Number) },
      conditions: {},
      labels: {},
      access: { denied: [], ownersOnly: [] },
      steps: 2,
      fetches: [
        {
          id: 1,
          subgraph: 'users',
          kind: 'query',
          step: 1,
          after: [],
          operation: '{\n  me {\n    id\n  }\n}',
          variables: [],
          entities: [],
        },
        {
          id: 2,
          subgraph: 'orders',
          kind: 'query',
          step: 2,
          after: [1],
          operation: expect.stringContaining('_entities(representations: $representations)'),
          variables: [{ name: 'v0', from: 'n', value: 2 }],
          entities: [{ paths: ['me'], representations: [{ type: 'User', fields: 'id' }] }],
        },
      ],
    });
  });
});

describe('gatefold plan, given connectors', () => {
  const con = `extend schema @source(name: "api", http: { baseURL: "http://api.test/v1/" })
    type Query {
      users: [User] @connect(source: "api", http: { GET: "/users" }, selection: "id")
      user(id: ID!): User @connect(source: "api", http: { GET: "/users/{$args.id}" }, selection: "id name", entity: true)
    }
    type User @connect(source: "api", http: { POST: "/ages", body: "ids: $batch.id" }, batch: { maxSize: 10 }, selection: "id age") {
      id: ID! name: String age: Int
    }`;

  async function planConnectors(query: string, ...args: readonly string[]): Promise<string> {
    const supergraph = join(directory, 'connected.graphql');
    await writeFile(supergraph, print(composeConnected({ con })));
    const { printed, warned } = await run(undefined, '--query', query, '--supergraph', supergraph, ...args);
    expect(warned).toBe('');
    return printed;
  }

  it('prints the HTTP request of each field, entity and batch', async () => {
    const lines = (await planConnectors('{ users { name age } }')).split('\n');
    expect(lines.filter((line) => line.includes('http://'))).toEqual([
      '     GET http://api.test/v1/users',
      '     GET http://api.test/v1/users/{$args.id} × representations',
      '     POST http://api.test/v1/ages, once for up to 10 representations',
    ]);
  });

  it('prints them as JSON', async () => {
    const { fetches } = JSON.parse(await planConnectors('{ users { age } }', '--json')) as { fetches: readonly { http: unknown }[] };
    expect(fetches.map(({ http }) => http)).toEqual([
      { method: 'GET', url: 'http://api.test/v1/users', per: 'field' },
      { method: 'POST', url: 'http://api.test/v1/ages', per: 'batch', maxSize: 10 },
    ]);
  });
});
