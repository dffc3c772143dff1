import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../cli/command-line.ts';
import { createGateway } from '../../../gateway/index.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { composeAside } from '../../../gateway/supergraph/sources/compose-aside.ts';
import { createSubgraphsSource } from '../../../gateway/supergraph/sources/subgraphs-source.ts';
import { recordSource, type ScriptedServer, startScriptedServer } from '../../support/gateway/record-source.ts';
import { recordingTerminal } from '../../support/process/recording-terminal.ts';

const FEDERATION = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@composeDirective"])';
const EVERYWHERE =
  'FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM | ENUM_VALUE | UNION | ARGUMENT_DEFINITION | INPUT_OBJECT | INPUT_FIELD_DEFINITION';

/** A directive, its definition, one use of it, and the line that a subgraph with an unlinked definition must add. */
const DIRECTIVES = [
  ['auth', '(requires: Role!, orOwner: String)', '(requires: ADMIN)', 'https://gatefold.dev/auth/v1.0'],
  ['cacheControl', '(maxAge: Int, scope: String)', '(maxAge: 0, scope: "PRIVATE")', 'https://gatefold.dev/cache/v1.0'],
  ['authenticated', '', '', 'https://specs.apollo.dev/federation/v2.9'],
  ['requiresScopes', '(scopes: [[String!]!]!)', '(scopes: [["admin"]])', 'https://specs.apollo.dev/federation/v2.9'],
  ['policy', '(policies: [[String!]!]!)', '(policies: [["admin"]])', 'https://specs.apollo.dev/federation/v2.9'],
  ['cost', '(weight: Int!)', '(weight: 50)', 'https://specs.apollo.dev/federation/v2.9'],
  ['listSize', '(assumedSize: Int)', '(assumedSize: 50)', 'https://specs.apollo.dev/federation/v2.9'],
] as const;

const ROLE = 'enum Role { USER ADMIN }';
const OURS = [
  ['auth', 'https://gatefold.dev/auth/v1.0'],
  ['cacheControl', 'https://gatefold.dev/cache/v1.0'],
] as const;

/** Writes a subgraph that defines a directive and uses it on line 5 without composing it. */
function bare(name: string, definition: string, use: string): string {
  return [FEDERATION, ROLE, `directive @${name}${definition} on ${EVERYWHERE}`, 'type Query {', `  secret: [Int] @${name}${use}`, '}'].join(
    '\n',
  );
}

const compose = (...texts: readonly string[]) =>
  composeSubgraphs(
    texts.map((text, index) => ({ name: `s${index}`, url: 'http://s.invalid', files: [{ path: `s${index}.graphql`, text }] })),
  );

function composed(...texts: readonly string[]): string {
  const { supergraphSdl, errors } = compose(...texts);
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

let directory: string;
let subgraph: ScriptedServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-directives-'));
  subgraph = await startScriptedServer();
});

afterAll(async () => {
  await subgraph[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

async function command(...args: readonly string[]) {
  const terminal = recordingTerminal();
  const exitCode = await runCommandLine([...args], terminal);
  return { exitCode, warned: terminal.warned.join('\n') };
}

/** All sources of the SDL of a subgraph, with the message that an operator reads. */
const WAYS: readonly (readonly [string, (sdl: string) => Promise<string>])[] = [
  [
    'gatefold compose, from files',
    async (sdl) => {
      await file('s0.graphql', sdl);
      const path = await file(
        'composition.yaml',
        'output: out.graphql\nsubgraphs: { s0: { url: "http://s.invalid", files: [s0.graphql] } }',
      );
      const { exitCode, warned } = await command('compose', '--file', path);
      expect(exitCode).toBe(1);
      expect(warned).toMatch(/s0\.graphql:5:17/);
      return warned;
    },
  ],
  [
    'gatefold compose, from a running subgraph',
    async (sdl) => {
      serve(sdl);
      const path = await file('running.yaml', `output: out.graphql\nsubgraphs: { s0: { url: "${subgraph.url}" } }`);
      const { exitCode, warned } = await command('compose', '--file', path);
      expect(exitCode).toBe(1);
      expect(warned).toContain(`${subgraph.url}:5:17`);
      return warned;
    },
  ],
  [
    'gatefold check, of a composition file',
    async (sdl) => {
      await file('s0.graphql', sdl);
      const path = await file('check.yaml', 'output: out.graphql\nsubgraphs: { s0: { url: "http://s.invalid", files: [s0.graphql] } }');
      const against = await file('public.graphql', 'type Query { secret: [Int] }');
      const { exitCode, warned } = await command('check', path, '--against', against, '--no-rest');
      expect(exitCode).toBe(1);
      return warned;
    },
  ],
  ['a list of subgraphs with files', async (sdl) => firstProblem({ files: [await file('listed.graphql', sdl)], url: 'http://s.invalid' })],
  [
    'a list of subgraphs that are introspected',
    async (sdl) => {
      serve(sdl);
      return firstProblem({ url: subgraph.url });
    },
  ],
];

function serve(sdl: string): void {
  subgraph.respond((response) => response.end(JSON.stringify({ data: { _service: { sdl } } })));
}

async function firstProblem(listed: { readonly files?: readonly string[]; readonly url: string }): Promise<string> {
  const record = recordSource();
  await using source = createSubgraphsSource({
    subgraphs: [{ name: 's0', headers: {}, ...listed }],
    pollIntervalMs: 10_000,
    requestTimeoutMs: 10_000,
    maxBytes: 100_000,
    compositionTimeoutMs: 60_000,
    compose: async (subgraphs) => composeSubgraphs(subgraphs),
  });
  source.start(record.listener);
  return await record.next();
}

describe('point 06: directives that a subgraph uses and does not compose', () => {
  describe.each(WAYS)('in %s', (_path, read) => {
    it.each(DIRECTIVES)('rejects @%s by name, line and remedy', async (name, definition, use, link) => {
      const reported = await read(bare(name, definition, use));
      expect(reported).toContain(`[s0] Query.secret has @${name}.`);
      expect(reported).toContain(`@link(url: "${link}", import: [`);
      expect(reported).toContain(`"@${name}"])`);
    });
  });

  it('returns the same error from a process that composes, for @auth', async () => {
    const [name, definition, use] = DIRECTIVES[0];
    const files = [{ path: 's0.graphql', text: bare(name, definition, use) }];
    const limits = { timeoutMs: 60_000, signal: new AbortController().signal };
    const { errors } = await composeAside([{ name: 's0', url: 'http://s.invalid', files }], limits);
    expect(errors).toMatchObject([{ code: 'DIRECTIVE_NOT_COMPOSED', locations: [{ file: 's0.graphql', line: 5, column: 17 }] }]);
  });

  it.each(OURS)('reports one missing line for @%s that is linked and not composed', (name, url) => {
    const [, definition, use] = DIRECTIVES.find(([one]) => one === name) ?? DIRECTIVES[0];
    const link = `extend schema @link(url: "${url}", import: ["@${name}"])`;
    const { errors } = compose(`${link}\n${bare(name, definition, use)}`);
    expect(errors?.[0]?.message).toContain(`Add this to its schema: extend schema @composeDirective(name: "@${name}")`);
    const missing = `extend schema @composeDirective(name: "@${name}")`;
    expect(compose(`${missing}\n${link}\n${bare(name, definition, use)}`).errors).toBeUndefined();
  });

  it('names the second subgraph when only the first composes @auth', () => {
    const head = `${FEDERATION} extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"])`;
    const define = `${ROLE} directive @auth(requires: Role!) on FIELD_DEFINITION`;
    const { errors } = compose(
      `${head} extend schema @composeDirective(name: "@auth") ${define} type Query { a: Int @auth(requires: ADMIN) }`,
      `${head} ${define} type Query { b: Int @auth(requires: ADMIN) }`,
    );
    expect(errors).toMatchObject([{ message: expect.stringContaining('[s1] Query.b has @auth.') }]);
  });

  const AUTH = `${ROLE} directive @auth(requires: Role!) on ${EVERYWHERE}`;
  it.each([
    ['an extension', 'type Query { a: Int } extend type Query { b: Int @auth(requires: ADMIN) }', 'Query.b'],
    ['an object', 'type Query { a: A } type A @auth(requires: ADMIN) { b: Int }', 'A'],
    ['an interface', 'type Query { a: A } interface A @auth(requires: ADMIN) { b: Int } type B implements A { b: Int }', 'A'],
    ['a field of an interface', 'type Query { a: A } interface A { b: Int @auth(requires: ADMIN) } type B implements A { b: Int }', 'A.b'],
    ['an enum', 'type Query { a: A } enum A @auth(requires: ADMIN) { B }', 'A'],
    ['a scalar', 'type Query { a: A } scalar A @auth(requires: ADMIN)', 'A'],
    ['an argument', 'type Query { a(b: Int @auth(requires: ADMIN)): Int }', 'Query.a(b:)'],
    ['an input field', 'type Query { a(b: B): Int } input B { c: Int @auth(requires: ADMIN) }', 'B.c'],
    ['a root type of another name', 'schema { query: Root } type Root { a: Int @auth(requires: ADMIN) }', 'Root.a'],
  ])('names the coordinate of @auth without a link on %s', (_place, types, coordinate) => {
    for (const head of [FEDERATION, '']) {
      const { errors } = compose(`${head} ${AUTH} ${types}`);
      expect(errors).toMatchObject([{ message: expect.stringContaining(`[s0] ${coordinate} has @auth.`) }]);
    }
  });

  it('names a line that also links the federation specification for a Federation 1 subgraph', () => {
    const { errors } = compose(`${AUTH} type Query { a: Int @auth(requires: ADMIN) }`);
    expect(errors?.[0]?.message).toContain(
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective"]) ' +
        '@link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) @composeDirective(name: "@auth")',
    );
  });

  it.each([
    ['another name', 'import: [{ name: "@auth", as: "@guard" }]', '@guard'],
    ['a namespace', 'as: "gate"', '@gate'],
  ])('rejects @auth under %s by that name', (_how, link, name) => {
    const sdl = `${FEDERATION} extend schema @link(url: "https://gatefold.dev/auth/v1.0", ${link}) ${AUTH.replace('@auth', name)} type Query { a: Int ${name}(requires: ADMIN) }`;
    expect(compose(sdl).errors?.[0]?.message).toContain(`Query.a has ${name}.`);
    const whole = composed(`extend schema @composeDirective(name: "${name}") ${sdl}`);
    expect([...loadSupergraph(whole).authorization.keys()]).toEqual(['Query.a']);
  });

  it.each([
    ['its namespace', '["@key"]', '@federation__authenticated'],
    ['another name', '[{ name: "@authenticated", as: "@signedIn" }]', '@signedIn'],
    ['its name', '["@authenticated"]', '@authenticated'],
  ])('adds the rule of @authenticated of the federation link under %s to the supergraph', (_how, imports, name) => {
    const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ${imports})`;
    expect([...loadSupergraph(composed(`${link} type Query { a: Int ${name} }`)).authorization.keys()]).toEqual(['Query.a']);
  });

  it('rejects a composed rule on an argument, because it would not be enforced', () => {
    const { errors } = compose(
      `${FEDERATION} extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) @composeDirective(name: "@auth") ${AUTH} type Query { a(b: Int @auth(requires: ADMIN)): Int }`,
    );
    expect(errors?.[0]?.message).toContain('Query.a(b:) has @auth. Rules are only enforced on');
  });

  it('ignores a directive of a third-party feature', () => {
    const link = 'extend schema @link(url: "https://example.com/auth/v1.0", import: ["@auth"])';
    expect(compose(`${FEDERATION} ${link} ${AUTH} type Query { a: Int @auth(requires: ADMIN) }`).errors).toBeUndefined();
  });

  it('leaves a directive with two composed names to composition to report', () => {
    const subgraphs = ['@auth', '@guard'].map(
      (name) =>
        `${FEDERATION} extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: [{ name: "@auth", as: "${name}" }]) @composeDirective(name: "${name}") ${AUTH.replace('@auth', name)} type Query { ${name.slice(1)}: Int ${name}(requires: ADMIN) }`,
    );
    expect(compose(...subgraphs).errors?.[0]?.message).toContain('Use the same name for each directive in all subgraphs.');
  });
});

describe('point 06: supergraphs that define a rule and never apply it', () => {
  const open = composed(`${FEDERATION} ${ROLE} type Query { secret(role: Role): Int }`);
  const definitions: readonly (readonly [string, string, string])[] = [
    ['auth', 'https://gatefold.dev/auth/v1.0', '(requires: Role!)'],
    ['authenticated', 'https://specs.apollo.dev/authenticated/v0.1', ''],
    ['requiresScopes', 'https://specs.apollo.dev/requiresScopes/v0.1', '(scopes: [[String!]!]!)'],
    ['policy', 'https://specs.apollo.dev/policy/v0.1', '(policies: [[String!]!]!)'],
  ];

  const supergraphs = definitions.flatMap(([name, url, args]) => [
    [
      `@${name}, linked`,
      name,
      `extend schema @link(url: "${url}", import: ["@${name}"]) directive @${name}${args} on FIELD_DEFINITION ${open}`,
    ],
    [`@${name}, not linked`, name, `directive @${name}${args} on FIELD_DEFINITION ${open}`],
  ]);

  it.each(supergraphs)('are rejected for validation and serving: %s', async (_title, name = '', sdl = '') => {
    const reported = `defines @${name} but never applies it`;
    const validated = await command('validate', '--supergraph', await file('supergraph.graphql', sdl), '--profile', 'dev');
    expect(validated).toMatchObject({ exitCode: 1, warned: expect.stringContaining(reported) });
    await using gateway = await createGateway({ profile: 'dev', supergraph: { sdl }, server: { port: 0 } });
    await expect(gateway.listen()).rejects.toThrow(reported);
  });

  it('are served if they apply it', () => {
    const sdl = `extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) directive @auth(requires: Role!) on FIELD_DEFINITION ${open.replace('secret(role: Role): Int', 'secret(role: Role): Int @auth(requires: ADMIN)')}`;
    expect([...loadSupergraph(sdl).authorization.keys()]).toEqual(['Query.secret']);
  });
});
