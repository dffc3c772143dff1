import { spawn } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { freePort } from '../../support/http/free-port.ts';
import { type CliProcess, cleanEnvironment, requireBuild, startCli, watchProcess } from '../../support/process/built-cli.ts';
import { SHORT_LIVED } from '../../support/process/short-lived.ts';
import { eventually } from '../../support/time/eventually.ts';

const SLOW = 120_000;
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\n';
const FILMS = `${LINK}type Query { film(id: ID!): Film failing: Int }\ntype Film @key(fields: "id") { id: ID! title: String }\n`;
const REVIEWS = `${LINK}type Film @key(fields: "id") { id: ID! reviews: [Review!]! }\ntype Review { stars: Int! }\n`;
const READY = /Ctrl-C stops everything\./;

beforeAll(requireBuild, SLOW);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-own-'));
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}

/** A process of `gatefold dev`, with requests to its gateway. */
interface Dev extends CliProcess {
  readonly url: string;
  query(
    text: string,
  ): Promise<{ readonly data?: unknown; readonly errors?: readonly { readonly message: string; readonly extensions: object }[] }>;
  get(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
}

async function dev(...args: readonly string[]): Promise<Dev> {
  const port = await freePort(2);
  const url = `http://127.0.0.1:${port}`;
  const started = startCli(['dev', '--port', String(port), ...args], { cwd: directory });
  return {
    ...started,
    url,
    async query(text) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: text }),
      });
      return (await response.json()) as Awaited<ReturnType<Dev['query']>>;
    },
    async get(path) {
      const response = await fetch(url + path);
      return { status: response.status, body: await response.json() };
    },
  };
}

/** Starts a subgraph of Apollo Server in a separate process. */
async function startSubgraph(file: string, port: number): Promise<CliProcess> {
  const program = fileURLToPath(new URL('subgraph-process.js', import.meta.url));
  const child = watchProcess(
    spawn(process.execPath, [...SHORT_LIVED, program, join(directory, file), String(port)], { env: cleanEnvironment(), stdio: 'pipe' }),
  );
  await child.waitFor(/ready/);
  return child;
}

describe('gatefold dev, given a subgraph that is absent', () => {
  it(
    'waits for it, names it in errors, and reports in one line each that it is lost and returns',
    async () => {
      const port = await freePort(1);
      await write('films.graphql', FILMS);
      await write('reviews.graphql', REVIEWS);
      await using gateway = await dev('--subgraph', `films=http://127.0.0.1:${port}`, '--subgraph', 'reviews=./reviews.graphql');
      await gateway.waitFor(new RegExp(`Waiting for films \\(http://127\\.0\\.0\\.1:${port}\\): connection refused`));
      expect(gateway.output()).not.toContain('Gatefold is ready.');

      {
        await using films = await startSubgraph('films.graphql', port);
        await gateway.waitFor(READY);
        expect(gateway.output()).toMatch(new RegExp(`films +http://127\\.0\\.0\\.1:${port}\n +reviews +mocked`));
        expect(gateway.output()).toContain('USER_TOKEN=');
        const { data } = await gateway.query('{ film(id: "7") { title reviews { stars } } }');
        expect(data).toEqual({
          film: {
            title: 'Real film 7',
            reviews: [{ stars: expect.any(Number) }, { stars: expect.any(Number) }, { stars: expect.any(Number) }],
          },
        });
        const { errors } = await gateway.query('{ failing }');
        expect(errors?.[0]).toMatchObject({
          message: 'Subgraph "films": The database of films is locked.',
          extensions: { subgraph: 'films' },
        });
        films.signal('SIGTERM');
        await films.exit;
      }
      await gateway.waitFor(/films \(.*\) does not respond: connection refused\. Its last SDL remains in use\./);
      const { errors } = await gateway.query('{ film(id: "7") { title } }');
      expect(errors?.[0]?.message).toMatch(/^Subgraph "films": A service behind this gateway cannot be reached\./);

      await using _returned = await startSubgraph('films.graphql', port);
      await gateway.waitFor(/films \(.*\) responds\.[^]*films \(.*\) responds\./);
      expect(gateway.output().match(/does not respond/g)).toHaveLength(1);
      expect(gateway.output()).not.toMatch(/^\{"level"/m);
    },
    SLOW,
  );

  it(
    'mocks it with --mock until it responds, with the same values in every run',
    async () => {
      const port = await freePort(1);
      await write('films.graphql', FILMS);
      const args = ['--mock', '--subgraph', `films=films.graphql@http://127.0.0.1:${port}`];
      const query = '{ film(id: "7") { id title } }';
      const first = await dev(...args);
      await first.waitFor(READY);
      expect(first.output()).toContain('It is mocked until it responds.');
      const { data } = await first.query(query);
      await first[Symbol.asyncDispose]();

      await using second = await dev(...args);
      await second.waitFor(READY);
      expect(await second.query(query)).toEqual({ data });
      await write('mocks/films.yaml', 'Film:\n  titel: Up\n');
      await second.waitFor(/mocks\/films\.yaml:2:3: the type Film has no field titel\. Did you mean title\?/);
      await write('mocks/films.yaml', 'Film:\n  title: Up\n');
      await second.waitFor(/films: mocks\/films\.yaml was reloaded/);
      expect(await second.query(query)).toEqual({ data: { film: { id: '7', title: 'Up' } } });

      await using _films = await startSubgraph('films.graphql', port);
      await second.waitFor(/films \(.*\) responds\./);
      await eventually(async () => JSON.stringify(await second.query(query)).includes('Real film 7'), { everyMs: 50 });
    },
    SLOW,
  );
});

describe('gatefold dev, given files that change', () => {
  beforeEach(async () => {
    await write('films.graphql', FILMS);
    await write('shared.graphql', 'type Sku { code: String }\n');
    await write('composition.yaml', 'subgraphs:\n  films:\n    files: [films.graphql, shared.graphql]\n');
    await write('gatefold.yaml', 'rest:\n  documents: rest\n');
    const text =
      'query GetFilm($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/films/{id}") {\n  film(id: $id) @result { id }\n}\n';
    await write('rest/films.graphql', text);
  });

  it(
    'reports changes of SDL, and retains the last valid version if one is broken',
    async () => {
      await using gateway = await dev();
      await gateway.waitFor(READY);
      await write('shared.graphql', 'type Sku { code: String, size: Unknown }\n');
      await gateway.waitFor(/Unknown type Unknown\n {2}shared\.graphql:1:32\nThe last valid supergraph remains in use\./);
      expect((await gateway.query('{ film(id: "1") { id } }')).data).toEqual({ film: { id: '1' } });
      await write('shared.graphql', 'type Sku { code: String, size: Int }\n');
      await write('films.graphql', FILMS.replace('title: String', 'title: String sku: Sku tagline: String'));
      await gateway.waitFor(/films: field Film\.tagline added/);
      // The two files may be composed one after the other.
      await gateway.waitFor(/films: field Sku\.size added/);
      expect((await gateway.query('{ film(id: "1") { sku { size } } }')).data).toEqual({ film: { sku: { size: expect.any(Number) } } });
    },
    SLOW,
  );

  it(
    'serves changed REST documents without a restart, and retains the previous ones if they have mistakes',
    async () => {
      await using gateway = await dev();
      await gateway.waitFor(READY);
      expect((await gateway.get('/films/7')).body).toEqual({ id: '7' });
      const list =
        'query Again($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/movies/{id}") { film(id: $id) @result { titel } }\n';
      await appendFile(join(directory, 'rest/films.graphql'), list);
      await gateway.waitFor(
        /rest\/films\.graphql:4:\d+: Cannot query field "titel" on type "Film"[^]*The previous REST documents remain in use\./,
      );
      expect((await gateway.get('/movies/7')).status).toBe(404);
      await write('rest/movies.graphql', list.replace('titel', 'id title').replace('Again', 'More'));
      await write(
        'rest/films.graphql',
        'query Films($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/films/{id}") { film(id: $id) @result { title } }',
      );
      await gateway.waitFor(/REST: 1 route added \(GET \/movies\/\{id\}\), 1 route changed \(GET \/films\/\{id\}\)/);
      expect((await gateway.get('/movies/7')).body).toEqual({ id: '7', title: 'Film 7 title' });
    },
    SLOW,
  );

  it(
    'restarts on the same port for a changed configuration, and retains the previous one if it has mistakes',
    async () => {
      await using gateway = await dev();
      await gateway.waitFor(READY);
      await write('gatefold.yaml', 'limits:\n  maxDeph: 1\n');
      await gateway.waitFor(/limits\.maxDeph: unknown setting[^]*gatefold\.yaml:2:3[^]*The previous configuration remains in use\./);
      expect((await gateway.query('{ film(id: "1") { id } }')).data).toEqual({ film: { id: '1' } });
      await write('gatefold.yaml', 'limits:\n  maxDepth: 1\n');
      await gateway.waitFor(/Configuration: .*limits\.maxDepth.* changed\. The gateway restarts\./);
      await gateway.waitFor(/Gatefold is ready again/);
      expect((await gateway.query('{ film(id: "1") { id } }')).errors?.[0]?.extensions).toMatchObject({ code: 'DEPTH_LIMIT_EXCEEDED' });
      await write('composition.yaml', 'subgraphs:\n  films:\n    fiels: [films.graphql]\n');
      await gateway.waitFor(/composition\.yaml is not a valid composition file:[^]*Did you mean subgraphs\.films\.files\?/);
      gateway.signal('SIGTERM');
      expect(await gateway.exit).toEqual({ code: 0, signal: null });
    },
    SLOW,
  );

  it(
    'serves the last valid supergraph after a changed configuration while the SDL is broken',
    async () => {
      await using gateway = await dev();
      await gateway.waitFor(READY);
      await write('shared.graphql', 'type Sku { code: String, size: Unknown }\n');
      await gateway.waitFor(/Unknown type Unknown/);
      await write('gatefold.yaml', 'limits:\n  maxDepth: 1\n');
      await gateway.waitFor(/The gateway restarts\./);
      await gateway.waitFor(/Gatefold is ready again/);
      expect((await gateway.query('{ __typename }')).data).toEqual({ __typename: 'Query' });
      expect((await gateway.query('{ film(id: "1") { id } }')).errors?.[0]?.extensions).toMatchObject({ code: 'DEPTH_LIMIT_EXCEEDED' });
    },
    SLOW,
  );

  it(
    'waits until a supergraph file is valid, instead of ending, if the configuration changes meanwhile',
    async () => {
      await rm(join(directory, 'composition.yaml'));
      const sdl =
        composeSubgraphs([{ name: 'films', url: 'http://127.0.0.1:1', files: [{ path: 'films.graphql', text: FILMS }] }]).supergraphSdl ??
        '';
      await write('supergraph.graphql', sdl);
      await using gateway = await dev('--supergraph', 'supergraph.graphql');
      await gateway.waitFor(READY);
      await write('supergraph.graphql', 'type Query { broken');
      await write('gatefold.yaml', 'limits:\n  maxDepth: 1\n');
      await gateway.waitFor(/It is stopped until one of them can be used\./);
      await write('supergraph.graphql', sdl);
      await gateway.waitFor(/Gatefold is ready again/);
      expect((await gateway.query('{ __typename }')).data).toEqual({ __typename: 'Query' });
    },
    SLOW,
  );
});

describe('gatefold dev, given wrong arguments', () => {
  it.each([
    [['--subgraph', 'films'], "error: option '-s, --subgraph <name=source>' argument 'films' is invalid. Use name=URL"],
    [
      ['--subgraph', 'films=films.graphql', '--mock', 'flims'],
      '--mock names the subgraph "flims", which does not exist. Did you mean films?',
    ],
    [['--file', 'missing.yaml'], 'missing.yaml cannot be read. Check the path and its permissions.'],
  ])('%j explains the mistake and exits with 1 or 2', async (args, message) => {
    await using started = await dev(...args);
    expect((await started.exit).code).toBeGreaterThan(0);
    expect(started.output()).toContain(message);
    expect(started.output()).not.toMatch(/\bat .*\.js:\d+/);
  });
});
