import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

const SDL = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key"])
    @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
    @source(name: "users", http: {
      baseURL: "https://users.example.com/v1"
      headers: [{ name: "Authorization", value: "Bearer {$env.TOKEN}" }, { name: "X-Language", from: "Accept-Language" }]
    })
  type Query {
    user(id: ID!): User
      @connect(source: "users", http: { GET: "/users/{$args.id}" }, selection: "$.data { id name: fullName }", entity: true
        errors: { message: "$.reason", extensions: "code: $.code" })
  }
  type Mutation {
    createUser(name: String!): User
      @connect(source: "users", http: { POST: "/users", body: "fullName: $args.name" }, selection: "$.data { id name: fullName }")
  }
  type User @key(fields: "id")
    @connect(source: "users", http: { GET: "/users", queryParams: "ids: $batch.id->joinNotNull(',')" }, selection: "$.data { id name: fullName }") {
    id: ID!
    name: String
  }
`;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-connect-test-'));
  await writeFile(join(directory, 'users.graphql'), SDL);
});

afterAll(async () => rm(directory, { recursive: true }));

let files = 0;

/** Runs the command on one file with tests. */
async function run(connector: string, tests: string, ...options: readonly string[]) {
  files += 1;
  const path = join(directory, `tests-${files}/connector.yaml`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `subgraph: ../users.graphql\nconnector: ${connector}\ntests:\n${tests}`);
  return runOn(path, ...options);
}

async function runOn(...args: readonly string[]) {
  const terminal = recordingTerminal();
  const code = await runCommandLine(['connect', 'test', ...args], terminal);
  return { code, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

describe('gatefold connect test', () => {
  describe('given an invalid file', () => {
    it.each([
      ['a key that does not exist', '  - { name: a, requst: {} }', /connector\.yaml:4:5: tests\[0\]: unknown key "requst"/],
      ['a test that expects nothing', '  - name: a', /tests\[0\]: expects nothing; add request, result or error/],
      ['a result without a response', '  - { name: a, result: 1 }', /tests\[0\]\.response: has a result or an error, but no response/],
      ['a result and an error', '  - { name: a, response: {}, result: 1, error: {} }', /has a result and an error/],
      ['a relative URL', '  - { name: a, request: { url: /users } }', /connector\.yaml:4:\d+: tests\[0\]\.request\.url: Invalid URL/],
      ['no YAML', '  - { name: a', /connector\.yaml:\d+:\d+: /],
    ])('%s is an error with line and column', async (_name, tests, message) => {
      const { code, printed, warned } = await run('Query.user', tests);
      expect({ code, printed }).toEqual({ code: 1, printed: '' });
      expect(warned).toMatch(message);
    });

    it('a connector that does not exist is an error with those that exist', async () => {
      const { code, warned } = await run('Query.usr', '  - { name: a, request: { method: GET } }');
      expect(code).toBe(1);
      expect(warned).toMatch(/users\.graphql has no connector Query\.usr\. It has: Query\.user, Mutation\.createUser, User\./);
    });

    it('a path without files is an error', async () => {
      expect(await runOn(join(directory, 'nowhere'))).toMatchObject({ code: 1, warned: expect.stringContaining('nowhere cannot be read') });
      await mkdir(join(directory, 'empty'));
      expect(await runOn(join(directory, 'empty'))).toMatchObject({ code: 1, warned: expect.stringContaining('contains no tests') });
    });
  });

  it('prints expected and actual values of a test that fails', async () => {
    const { code, printed, warned } = await run(
      'Query.user',
      `  - name: a user
    args: { id: "7" }
    request: { method: POST, url: "https://users.example.com/v1/user/7", headers: { X-Language: de } }
    response: { body: { data: { id: 7, name: Ada } } }
    result: { id: 7, name: Ada }
`,
    );
    expect({ code, warned }).toEqual({ code: 1, warned: '1 test of connectors failed.' });
    expect(printed).toContain('  FAILED  a user\n    request.method\n      expected "POST"\n      actual   "GET"');
    expect(printed).toContain('expected "https://users.example.com/v1/user/7"\n      actual   "https://users.example.com/v1/users/7"');
    expect(printed).toContain('    request.headers.x-language\n      expected "de"\n      actual   nothing');
    expect(printed).toContain('    result.name\n      expected "Ada"\n      actual   nothing');
    expect(printed).toMatch(/note: .*"fullName"/);
    expect(printed).toContain('1 test: 0 passed, 1 failed.');
  });

  it('reports a result where an error is expected, and the reverse', async () => {
    const { code, printed } = await run(
      'Query.user',
      `  - { name: found, response: { body: { data: { id: 7 } } }, error: { message: Gone } }
  - { name: missing, response: { status: 404, body: { reason: Gone, code: NOT_FOUND } }, result: { id: 7 } }
`,
    );
    expect(code).toBe(1);
    expect(printed).toContain('    error\n      expected {"message":"Gone"}\n      actual   {"status":200,"result":{"id":7}}');
    expect(printed).toContain('actual   {"status":404,"error":{"message":"Gone","extensions":{"code":"NOT_FOUND"}}}');
  });

  it('passes when request, result and error are as expected', async () => {
    const query = await run(
      'Query.user',
      `  - name: a user
    args: { id: "7/8?x" }
    env: { TOKEN: secret }
    clientHeaders: { Accept-Language: de }
    request:
      method: GET
      url: https://users.example.com/v1/users/7%2F8%3Fx
      headers: { Authorization: Bearer secret, X-Language: de, X-Other: null }
    response: { body: { data: { id: 7, fullName: Ada } } }
    result: { id: 7, name: Ada }
  - name: a missing user
    response: { status: 404, body: { reason: Gone, code: NOT_FOUND } }
    error: { message: Gone, extensions: { code: NOT_FOUND } }
`,
    );
    expect(query).toMatchObject({ code: 0, warned: '' });
    expect(query.printed).toContain('Connectors without tests: Mutation.createUser, User.\n2 tests: 2 passed, 0 failed.');
    const mutation = await run(
      'Mutation.createUser',
      '  - { name: a, args: { name: Ada }, request: { method: POST, body: { fullName: Ada }, headers: { content-type: application/json } } }',
    );
    expect(mutation).toMatchObject({ code: 0 });
    const batch = await run(
      'User',
      `  - name: two users
    batch: [{ id: "1" }, { id: "2" }]
    request: { url: "https://users.example.com/v1/users?ids=1%2C2" }
    response: { bodyFile: users.json }
    result: [{ id: 1, name: Ada }]
`.replace('users.json', '../users.json'),
    );
    expect(batch).toMatchObject({ code: 1, warned: expect.stringContaining('users.json, cannot be read') });
    await writeFile(join(directory, 'users.json'), JSON.stringify({ data: [{ id: 1, fullName: 'Ada' }] }));
    expect(await runOn(join(directory, `tests-${files}`))).toMatchObject({ code: 0 });
  });

  it('prints results as JSON', async () => {
    const { code, printed } = await run('Query.user', '  - { name: a, request: { method: PUT } }', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(printed)).toMatchObject({
      passed: 0,
      failed: 1,
      files: [
        { connector: 'Query.user', tests: [{ passed: false, differences: [{ path: 'request.method', expected: 'PUT', actual: 'GET' }] }] },
      ],
      untested: ['Mutation.createUser', 'User'],
    });
  });
});
