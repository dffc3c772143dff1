import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-check-'));
});
afterAll(async () => rm(directory, { recursive: true }));

const OLD = `
  type Query { book(id: ID!): Book books(first: Int = 10): [Book!]! shelf: Shelf }
  type Book { id: ID! title: String! pages: Int isbn: String @deprecated }
  type Shelf { id: ID! }
  enum Genre { NOVEL ESSAY }
  input Filter { genre: Genre }
  type Mutation { find(filter: Filter): Book }
`;

let files = 0;
async function write(text: string, extension = 'graphql'): Promise<string> {
  files += 1;
  const file = join(directory, `schema-${files}.${extension}`);
  await writeFile(file, text);
  return file;
}

async function check(...args: readonly string[]) {
  const terminal = recordingTerminal();
  const exitCode = await runCommandLine(['check', ...args], terminal);
  return { exitCode, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

async function checkTexts(next: string, ...args: readonly string[]) {
  return check(await write(next), '--against', await write(OLD), ...args);
}

describe('gatefold check', () => {
  it.each([
    ['a field is removed', OLD.replace('pages: Int', ''), 'FIELD_REMOVED', 'Book.pages'],
    ['a type changes', OLD.replace('pages: Int', 'pages: String'), 'FIELD_TYPE_CHANGED', 'Book.pages'],
    ['a value may be null', OLD.replace('title: String!', 'title: String'), 'FIELD_TYPE_CHANGED', 'Book.title'],
    ['an argument becomes required', OLD.replace('first: Int = 10', 'first: Int!'), 'FIELD_ARGUMENT_TYPE_CHANGED', 'Query.books.first'],
    ['a required argument is added', OLD.replace('book(id: ID!)', 'book(id: ID!, at: Int!)'), 'FIELD_ARGUMENT_ADDED', 'Query.book.at'],
    ['a type is removed', OLD.replace('type Shelf { id: ID! }', '').replace('shelf: Shelf', ''), 'TYPE_REMOVED', 'Shelf'],
    ['an enum value is removed', OLD.replace('ESSAY', ''), 'ENUM_VALUE_REMOVED', 'Genre.ESSAY'],
    ['a required input field is added', OLD.replace('genre: Genre', 'genre: Genre size: Int!'), 'INPUT_FIELD_ADDED', 'Filter.size'],
  ])('is breaking and exits with 1 when %s', async (_what, next, type, path) => {
    const { exitCode, printed, warned } = await checkTexts(next, '--json');
    expect(exitCode).toBe(1);
    expect(warned).toContain('is not compatible with');
    expect(JSON.parse(printed)).toMatchObject({
      passed: false,
      changes: expect.arrayContaining([expect.objectContaining({ severity: 'breaking', type, path })]),
    });
  });

  it('fails for a dangerous change only with `--fail-on dangerous`', async () => {
    const next = OLD.replace('NOVEL', 'NOVEL POEM');
    expect(await checkTexts(next)).toMatchObject({
      exitCode: 0,
      printed: expect.stringMatching(/^dangerous .*POEM.*\n\nOne change: 1 dangerous\.$/),
    });
    expect(await checkTexts(next, '--fail-on', 'dangerous')).toMatchObject({ exitCode: 1 });
  });

  it('suggests the new name of a field that looks renamed', async () => {
    const { printed } = await checkTexts(OLD.replace('pages: Int', 'length: Int'));
    expect(printed).toContain('It may have been renamed to Book.length');
    const { printed: unsure } = await checkTexts(OLD.replace('pages: Int', 'length: Int width: Int'));
    expect(unsure).not.toContain('Perhaps');
  });

  it('passes for additions only', async () => {
    expect(await checkTexts(OLD.replace('pages: Int', 'pages: Int size: Float'))).toMatchObject({ exitCode: 0, warned: '' });
    expect(await checkTexts(OLD)).toMatchObject({ exitCode: 0, printed: 'No changes.' });
  });

  it('ignores differences that clients do not see', async () => {
    const before = await write(storefrontSdl());
    const after = await write(
      storefrontSdl({ accounts: 'http://elsewhere.invalid/' }).replace('ledger: String @inaccessible', 'diary: String @inaccessible'),
    );
    expect(await check('--supergraph', after, '--against', before)).toMatchObject({ exitCode: 0, printed: 'No changes.' });
  });

  describe('with REST documents', () => {
    const BOOK = `
query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { ...Shown } }
fragment Shown on Book {
  id
  pages
}`;
    const SHELF = 'query GetShelf @endpoint(method: GET, path: "/shelf") { shelf @result { id } }';

    async function writeDocuments(texts: Readonly<Record<string, string>>): Promise<string> {
      files += 1;
      const folder = join(directory, `rest-${files}`);
      await mkdir(folder);
      await Promise.all(Object.entries(texts).map(([name, text]) => writeFile(join(folder, name), text)));
      return folder;
    }

    it('reports the position, hint and route of a removed field that a route selects', async () => {
      const rest = await writeDocuments({ 'book.graphql': BOOK, 'shelf.graphql': SHELF });
      const { exitCode, printed, warned } = await checkTexts(OLD.replace('pages: Int', 'page: Int'), '--rest', rest);
      expect(exitCode).toBe(1);
      const [document, route, field] = printed.split('\n');
      expect(document).toMatch(
        /^breaking {3}\S*book\.graphql:5:3: Cannot query field "pages" .* Did you mean "page"\? \[REST_DOCUMENT_INVALID\]$/,
      );
      expect(route).toBe('breaking   The route GET /books/{id} (GetBook) can no longer be served. [REST_ROUTE_REMOVED]');
      expect(field).toContain('[FIELD_REMOVED]');
      expect(printed).not.toContain('/shelf');
      expect(warned).toContain('3 breaking');
    });

    it('reports a change that breaks only a rule of the documents', async () => {
      const text = BOOK.replace('pages', 'pages @nullOnError');
      const rest = await writeDocuments({ 'book.graphql': text });
      const { exitCode, printed } = await checkTexts(OLD.replace('pages: Int', 'pages: Int!'), '--rest', rest, '--json');
      expect(exitCode).toBe(1);
      expect(JSON.parse(printed)).toMatchObject({
        breaking: 2,
        changes: [
          {
            severity: 'breaking',
            type: 'REST_DOCUMENT_INVALID',
            path: expect.stringMatching(/book\.graphql:5:9$/),
            hint: expect.stringContaining('Remove @nullOnError'),
          },
          { type: 'REST_ROUTE_REMOVED', path: 'GET /books/{id} (GetBook)' },
          { severity: 'safe', type: 'FIELD_TYPE_CHANGED' },
        ],
      });
    });

    it('ignores a document that is invalid for both schemas or valid only for the new one', async () => {
      const rest = await writeDocuments({
        'wrong.graphql': BOOK.replace('pages', 'paper'),
        'new.graphql': SHELF.replace('{ id }', '{ id height }'),
      });
      const next = OLD.replace('type Shelf { id: ID!', 'type Shelf { id: ID! height: Int');
      expect(await checkTexts(next, '--rest', rest)).toMatchObject({ exitCode: 0, printed: expect.stringContaining('1 safe') });
    });

    it('reads the documents of the configuration unless `--no-rest` is set', async () => {
      const rest = await writeDocuments({ 'book.graphql': BOOK });
      const config = await write(JSON.stringify({ rest: { documents: rest } }), 'yaml');
      const next = OLD.replace('pages: Int', 'page: Int');
      expect((await checkTexts(next, '--config', config)).printed).toContain('REST_ROUTE_REMOVED');
      expect((await checkTexts(next, '--config', config, '--no-rest')).printed).not.toContain('REST_');
    });

    it('names a missing directory and exits with 2', async () => {
      expect(await checkTexts(OLD, '--rest', '/nowhere')).toEqual({
        exitCode: 2,
        printed: '',
        warned: expect.stringContaining('rest.documents: the directory /nowhere cannot be read (ENOENT): it does not exist'),
      });
    });
  });

  describe('with persisted documents and webhook documents', () => {
    const GRAPH = `${OLD}
      type Subscription { bookChanged(genre: Genre): Book }
      union Item = Book | Shelf
      extend type Query { items: [Item!]! }
    `;
    const MANIFEST = {
      pages: 'query Pages($id: ID!) {\n  book(id: $id) { pages }\n}',
      titles: '{ books { title } }',
      broken: 'query Broken { nothing }',
      unparsable: 'query {',
    };
    const EVENT = 'subscription BookChanged @webhook(event: "book.changed") { bookChanged { id @entity pages } }';

    async function writeUsers() {
      files += 1;
      const folder = join(directory, `users-${files}`);
      await mkdir(folder);
      await writeFile(join(folder, 'events.graphql'), EVENT);
      await writeFile(join(folder, 'web.json'), JSON.stringify(MANIFEST));
      return { folder, args: ['--manifest', `web@1=${join(folder, 'web.json')}`, '--webhooks', folder] };
    }

    async function changesOf(next: string) {
      const { folder, args } = await writeUsers();
      const { printed } = await check(await write(next), '--against', await write(GRAPH), ...args, '--json');
      const { changes } = JSON.parse(printed) as { changes: { type: string; path: string; message: string; usedBy: unknown[] }[] };
      const file = join(folder, 'web.json');
      return {
        changes,
        pages: { kind: 'document', client: 'web@1', id: 'pages', operation: 'Pages', file },
        titles: { kind: 'document', client: 'web@1', id: 'titles', operation: null, file },
        event: { kind: 'webhook', event: 'book.changed', operation: 'BookChanged', file: expect.stringMatching(/events\.graphql$/) },
      };
    }

    it('names the documents and events that a removed field breaks', async () => {
      const { changes, pages, event } = await changesOf(GRAPH.replace('pages: Int', ''));
      expect(changes).toEqual([
        expect.objectContaining({ type: 'DOCUMENT_INVALID', path: 'web@1 pages:2:19', usedBy: [pages] }),
        expect.objectContaining({
          type: 'WEBHOOK_DOCUMENT_INVALID',
          path: expect.stringMatching(/events\.graphql:1:\d+$/),
          usedBy: [event],
        }),
        expect.objectContaining({
          type: 'FIELD_REMOVED',
          path: 'Book.pages',
          usedBy: [pages, event],
          clients: [{ name: 'web', versions: ['1'] }],
        }),
      ]);
    });

    it('names the users of a change that leaves their documents valid', async () => {
      const { changes, titles } = await changesOf(GRAPH.replace('title: String!', 'title: String'));
      expect(changes).toEqual([expect.objectContaining({ severity: 'breaking', type: 'FIELD_TYPE_CHANGED', usedBy: [titles] })]);
    });

    it.each([
      ['an argument becomes required', GRAPH.replace('first: Int = 10', 'first: Int!'), 'FIELD_ARGUMENT_TYPE_CHANGED', ['titles']],
      ['a required argument is added', GRAPH.replace('book(id: ID!)', 'book(id: ID!, at: Int!)'), 'FIELD_ARGUMENT_ADDED', ['pages']],
      ['an argument is removed', GRAPH.replace('first: Int = 10', 'last: Int'), 'FIELD_ARGUMENT_REMOVED', []],
      ['an enum value is removed that no document sends', GRAPH.replace('ESSAY', ''), 'ENUM_VALUE_REMOVED', []],
      ['a member of an unused union is removed', GRAPH.replace('Book | Shelf', 'Book'), 'UNION_MEMBER_REMOVED', []],
    ] as const)('finds the documents when %s', async (_what, next, type, expected) => {
      const { changes, ...users } = await changesOf(next);
      const change = changes.find((one) => one.type === type);
      expect(change?.usedBy).toEqual(expected.map((name) => users[name]));
    });

    it('prints the users below each change', async () => {
      const { args } = await writeUsers();
      const next = await write(GRAPH.replace('pages: Int', 'length: Int'));
      const { exitCode, printed } = await check(next, '--against', await write(GRAPH), ...args);
      expect(exitCode).toBe(1);
      expect(printed).toMatch(
        /^breaking {3}The document Pages of web@1 \(id pages in .*web\.json\) is invalid at line 2, column 19: Cannot query/m,
      );
      expect(printed).toMatch(/^ {13}used by webhook event book\.changed \(BookChanged in .*events\.graphql\)$/m);
      expect(printed).not.toContain('nothing');
    });

    it('reads manifests and webhook documents of the configuration, unless they are excluded', async () => {
      const { folder } = await writeUsers();
      const rest = join(folder, 'rest');
      await mkdir(rest);
      const config = await write(
        JSON.stringify({ persisted: { manifests: { web: join(folder, 'web.json') } }, rest: { documents: rest, webhooks: folder } }),
        'yaml',
      );
      const args = [await write(GRAPH.replace('pages: Int', '')), '--against', await write(GRAPH), '--config', config];
      const { printed } = await check(...args);
      expect(printed).toContain('[DOCUMENT_INVALID]');
      expect(printed).toContain('[WEBHOOK_DOCUMENT_INVALID]');
      const { printed: without } = await check(...args, '--no-manifest', '--no-webhooks');
      expect(without).toContain('[FIELD_REMOVED]');
      expect(without).not.toContain('DOCUMENT_INVALID');
    });

    it.each([
      ['a missing manifest', ['--manifest', '/nowhere/web.json'], 'The manifest /nowhere/web.json cannot be read'],
      ['a missing directory of webhooks', ['--webhooks', '/nowhere'], 'The directory of the webhook documents cannot be read: /nowhere'],
    ])('names %s and exits with 1', async (_what, args, expected) => {
      const { exitCode, warned } = await check(await write(GRAPH), '--against', await write(GRAPH), ...args);
      expect({ exitCode, warned }).toEqual({ exitCode: 1, warned: expect.stringContaining(expected) });
    });
  });

  it('lists changes of descriptions only with `--descriptions`', async () => {
    const next = OLD.replace('type Shelf', '"A shelf" type Shelf');
    expect(await checkTexts(next)).toMatchObject({ exitCode: 0, printed: 'No changes.' });
    expect((await checkTexts(next, '--descriptions')).printed).toContain('TYPE_DESCRIPTION_ADDED');
  });

  it('finds no changes between a composition file and its supergraph', async () => {
    const { exitCode, printed } = await check(
      join(packageRoot, 'schema/composition.yaml'),
      '--against',
      join(packageRoot, 'schema/supergraph.graphql'),
    );
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: 'No changes.' });
  });

  it('checks the configured supergraph when no file is named', async () => {
    const file = await write(storefrontSdl());
    const config = await write(`supergraph: { file: ${file} }`, 'yaml');
    expect(await check('--config', config, '--against', file)).toMatchObject({ exitCode: 0, printed: 'No changes.' });
    expect(await check('--config', await write('profile: production', 'yaml'), '--against', file)).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['a missing file', '/nowhere/schema.graphql', /^\/nowhere\/schema\.graphql cannot be read\. Check the path and its permissions\.$/],
    ['a file that is not a schema', undefined, /is not a valid schema: Syntax Error/],
  ])('names %s and exits with 1', async (_what, path, expected) => {
    const { exitCode, warned } = await check(path ?? (await write('type {')), '--against', await write(OLD));
    expect(exitCode).toBe(1);
    expect(warned).toMatch(expected);
  });

  it('requires `--against` and exits with 2', async () => {
    expect(await check('new.graphql')).toMatchObject({ exitCode: 2, warned: expect.stringContaining('--against') });
  });

  it('the current supergraph of this project is compatible with the released one', async () => {
    const [next, released] = ['supergraph', 'released-supergraph'].map((name) => join(packageRoot, `schema/${name}.graphql`));
    expect(await check(next ?? '', '--against', released ?? '')).toMatchObject({ exitCode: 0 });
  });
});
