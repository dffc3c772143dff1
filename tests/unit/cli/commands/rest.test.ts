import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { readPublicSchema } from '../../../../cli/schema-check/read-public-schema.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { compileRoutes, printTemplate, readRestDocuments } from '../../../../rest-facade/index.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

const CINEMA = join(packageRoot, 'tests/fixtures/cinema/schema.graphql');
const REFERENCE = join(packageRoot, 'schema/supergraph.graphql');

let directory: string;
/** Directory of the documents. */
let out: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-rest-'));
  out = join(directory, 'rest');
  await mkdir(out);
});
afterEach(async () => rm(directory, { recursive: true }));

async function restInit(supergraph: string | undefined, env: Readonly<Record<string, string>> = {}) {
  const terminal = recordingTerminal(env);
  const source = supergraph === undefined ? [] : ['--supergraph', supergraph];
  const exitCode = await runCommandLine(['rest', 'init', ...source, '--out', out], terminal);
  return { exitCode, warned: terminal.warned.join('\n'), printed: terminal.printed.join('\n') };
}

async function routesOf(supergraph: string) {
  const { routes, problems } = compileRoutes(readRestDocuments(out), await readPublicSchema(supergraph));
  return { problems, rows: routes.map(({ method, template, status }) => `${method} ${printTemplate(template)} ${status}`).sort() };
}

describe('gatefold rest init', () => {
  it('does not overwrite an existing document', async () => {
    const file = join(out, 'films.graphql');
    await writeFile(file, '# mine');
    expect(await restInit(CINEMA)).toMatchObject({ exitCode: 1, warned: expect.stringContaining('already exists and is not overwritten') });
    expect(await readFile(file, 'utf8')).toBe('# mine');
  });

  it('writes to the directory of the setting rest.documents without `--out`', async () => {
    const terminal = recordingTerminal({ GATEFOLD_REST__DOCUMENTS: out });
    expect(await runCommandLine(['rest', 'init', '--supergraph', CINEMA], terminal)).toBe(0);
    expect(terminal.printed[0]).toMatch(/^Wrote .*\/rest\/\w+\.graphql\.$/);
    expect((await routesOf(CINEMA)).problems).toEqual([]);
  });

  it('reports a schema without resources', async () => {
    const schema = join(directory, 'schema.graphql');
    await writeFile(schema, 'type Query { time: String }');
    const { exitCode, warned } = await restInit(schema);
    expect({ exitCode, warned }).toEqual({
      exitCode: 1,
      warned: expect.stringMatching(/no root field returns an object:\n {2}Query\.time: no object in the result, which is String\./),
    });
  });

  it('rejects the SDL of a subgraph, and names the composition file as the remedy', async () => {
    const schema = join(directory, 'films.graphql');
    await writeFile(schema, 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9")\ntype Query { film: String }');
    expect(await restInit(schema)).toMatchObject({ exitCode: 1, warned: expect.stringContaining('List it in a composition file') });
  });

  it('names the setting if no supergraph is configured', async () => {
    expect(await restInit(undefined)).toMatchObject({ exitCode: 2, warned: expect.stringContaining('set supergraph.file') });
  });

  it('reads the supergraph of the configuration by default', async () => {
    expect(await restInit(undefined, { GATEFOLD_SUPERGRAPH__FILE: REFERENCE })).toMatchObject({ exitCode: 0 });
    expect((await routesOf(REFERENCE)).rows).toContain('GET /books 200');
  });

  it('writes valid documents for a graph of another domain', async () => {
    expect(await restInit(CINEMA)).toMatchObject({ exitCode: 0 });
    expect(await routesOf(CINEMA)).toEqual({
      problems: [],
      rows: [
        'DELETE /films/{id} 204',
        'GET /films 200',
        'GET /films/{id} 200',
        'GET /people 200',
        'GET /people/{id} 200',
        'GET /search 200',
        'PATCH /films/{id} 200',
        'POST /films 201',
        'POST /films/{id}/rate 200',
      ],
    });
  });

  it('writes valid documents for the reference graph', async () => {
    expect(await restInit(REFERENCE)).toMatchObject({ exitCode: 0 });
    const { problems, rows } = await routesOf(REFERENCE);
    expect(problems).toEqual([]);
    expect(rows).toEqual(expect.arrayContaining(['GET /books 200', 'GET /books/{id} 200', 'POST /books 201', 'DELETE /orders/{id} 204']));
  });

  it('prints each field that it leaves out with the reason', async () => {
    const schema = join(directory, 'schema.graphql');
    await writeFile(schema, LEFT_OUT);
    const { exitCode, printed } = await restInit(schema);
    expect(exitCode).toBe(0);
    expect(printed.split('Left out ')[1]?.split('\n')).toEqual([
      '10 fields:',
      '  Query.version: no object in the result, which is String!.',
      '  Query.search: the argument input: Search! is required, and a GET request has no body.',
      '  Query.session: the argument token is required, and a URL must not contain a secret.',
      '  Query.old: deprecated.',
      '  Query.grid: a list of lists is not a collection.',
      '  Mutation.countFilms: no object in the result, which is Int!.',
      '  Mutation.importFilm: the result is a union, and a response of a member that is an error would have status 200.',
      '  Mutation.checkFilm: @userErrors cannot report `errors`, which is [String!].',
      '  Mutation.judgeFilm: @userErrors cannot report `errors`, which is [Problem!], because Problem has no field `message`.',
      '  Subscription.filmAdded: event streams are not drafted.',
      'The documents are drafts. Check those of mutations first: their methods, paths and statuses follow from names.',
    ]);
  });

  it('drafts the reads and writes of a graph with plain arguments', async () => {
    const schema = join(directory, 'schema.graphql');
    await writeFile(schema, PLAIN);
    expect(await restInit(schema)).toMatchObject({ exitCode: 0, printed: expect.not.stringContaining('Left out') });
    expect(await routesOf(schema)).toEqual({
      problems: [],
      rows: [
        'DELETE /films/{id} 204',
        'GET /docs-resource 200',
        'GET /films 200',
        'GET /films/{id} 200',
        'GET /recent-films 200',
        'PATCH /films/{id} 200',
        'POST /films 201',
        'POST /films/{filmId}/reviews 200',
        'POST /films/{id}/publish 204',
        'POST /films/{id}/rate 200',
        'POST /sign-in 200',
        'PUT /films/{id} 200',
      ],
    });
    const films = await readFile(join(out, 'films.graphql'), 'utf8');
    expect(films).toContain('# Draft: check the method, the path and the status.');
    expect(films).toContain('mutation AddFilm($title: String! @body(field: "title"), $year: Int @body(field: "year"))');
    // The id of the only argument is read from the path, and its other fields from the body.
    expect(films).toContain('updateFilm(input: {id: $id, title: $title})');
    expect(films).toMatch(/userErrors @userErrors \{\s+field\s+message\s+code: errorCode\s+\}/);
  });

  it('leaves out an operation that exceeds the limits of a gateway', async () => {
    const composition = join(directory, 'composition.yaml');
    const fields = Array.from({ length: 3_000 }, (_, index) => `field${index}: String`).join(' ');
    await writeFile(join(directory, 'wide.graphql'), `type Query { wide: Wide thin: Thin } type Wide { ${fields} } type Thin { id: ID! }`);
    await writeFile(composition, 'output: graph.graphql\nsubgraphs:\n  wide:\n    url: http://wide\n    files: [wide.graphql]\n');
    const { exitCode, printed } = await restInit(composition);
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: expect.stringContaining('Left out 1 field:\n  Query.wide: ') });
    expect((await routesOf(composition)).rows).toEqual(['GET /thin 200']);
  });
});

const LEFT_OUT = `
  type Query {
    film: Film
    version: String!
    search(input: Search!): [Film!]!
    session(token: String!): Film
    old: Film @deprecated
    grid: [[Film]]
  }
  type Mutation {
    countFilms: Int!
    importFilm: Imported
    checkFilm: Checked
    judgeFilm: Judged
  }
  type Subscription { filmAdded: Film }
  type Film { id: ID! }
  type Failure { message: String! }
  type Checked { film: Film errors: [String!] }
  type Judged { film: Film errors: [Problem!] }
  type Problem { text: String }
  union Imported = Film | Failure
  input Search { text: String! }
`;

const PLAIN = `
  type Query {
    film(id: ID!): Film
    allFilms: [Film!]!
    recentFilms(first: Int = 5): [Film!]!
    docs: [Doc!]!
  }
  type Mutation {
    addFilm(title: String!, year: Int = 1900): Film!
    updateFilm(input: UpdateFilm!): FilmPayload
    replaceFilm(id: ID!, title: String!): FilmPayload
    deleteFilm(id: ID!): Boolean!
    rateFilm(id: ID!, stars: Int!): Film
    publishFilm(id: ID!): Boolean!
    addReview(filmId: ID!, input: ReviewInput!): Review
    signIn(email: String!, password: String!): Session
  }
  type Film { id: ID! title: String! year: Int }
  type Doc { title: String! }
  type Review { id: ID! text: String }
  type Session { token: String! film: Film }
  type FilmPayload { film: Film clientMutationId: String userErrors: [UserError!]! }
  type UserError { field: [String!] message: String! errorCode: String }
  input UpdateFilm { id: ID! title: String clientMutationId: String }
  input ReviewInput { text: String! }
`;
