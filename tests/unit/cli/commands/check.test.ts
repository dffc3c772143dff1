import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';
import { recordingTerminal } from '../recording-terminal.ts';

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
  ])('given that %s, when checked, then it is breaking and ends with 1', async (_what, next, type, path) => {
    const { exitCode, printed, warned } = await checkTexts(next, '--json');
    expect(exitCode).toBe(1);
    expect(warned).toContain('is not compatible with');
    expect(JSON.parse(printed)).toMatchObject({
      passed: false,
      changes: expect.arrayContaining([expect.objectContaining({ severity: 'breaking', type, path })]),
    });
  });

  it('given a change that may surprise, when checked, then it fails only where it is told to', async () => {
    const next = OLD.replace('NOVEL', 'NOVEL POEM');
    expect(await checkTexts(next)).toMatchObject({
      exitCode: 0,
      printed: expect.stringMatching(/^dangerous .*POEM.*\n\nOne change: 1 dangerous\.$/),
    });
    expect(await checkTexts(next, '--fail-on', 'dangerous')).toMatchObject({ exitCode: 1 });
  });

  it('given a field that looks renamed, when checked, then the new name is told', async () => {
    const { printed } = await checkTexts(OLD.replace('pages: Int', 'length: Int'));
    expect(printed).toContain('Perhaps it was renamed to Book.length');
    const { printed: unsure } = await checkTexts(OLD.replace('pages: Int', 'length: Int width: Int'));
    expect(unsure).not.toContain('Perhaps');
  });

  it('given additions only, when checked, then it passes', async () => {
    expect(await checkTexts(OLD.replace('pages: Int', 'pages: Int size: Float'))).toMatchObject({ exitCode: 0, warned: '' });
    expect(await checkTexts(OLD)).toMatchObject({ exitCode: 0, printed: 'No changes.' });
  });

  it('given supergraphs that differ in what clients do not see, when checked, then nothing has changed', async () => {
    const before = await write(storefrontSdl());
    const after = await write(
      storefrontSdl({ accounts: 'http://elsewhere.invalid/' }).replace('ledger: String @inaccessible', 'diary: String @inaccessible'),
    );
    expect(await check('--supergraph', after, '--against', before)).toMatchObject({ exitCode: 0, printed: 'No changes.' });
  });

  it('given a composition file, when checked against the supergraph made of it, then nothing has changed', async () => {
    const { exitCode, printed } = await check(
      join(packageRoot, 'schema/composition.yaml'),
      '--against',
      join(packageRoot, 'schema/supergraph.graphql'),
    );
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: 'No changes.' });
  });

  it('given a configuration, when no file is named, then the configured supergraph is checked', async () => {
    const file = await write(storefrontSdl());
    const config = await write(`supergraph: { file: ${file} }`, 'yaml');
    expect(await check('--config', config, '--against', file)).toMatchObject({ exitCode: 0, printed: 'No changes.' });
    expect(await check('--config', await write('profile: production', 'yaml'), '--against', file)).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ['a file that is not there', '/nowhere/schema.graphql', /^\/nowhere\/schema\.graphql cannot be read\.$/],
    ['a file that is no schema', undefined, /is no schema: Syntax Error/],
  ])('given %s, when checked, then it is named and it ends with 1', async (_what, path, expected) => {
    const { exitCode, warned } = await check(path ?? (await write('type {')), '--against', await write(OLD));
    expect(exitCode).toBe(1);
    expect(warned).toMatch(expected);
  });

  it('given no old schema, when checked, then it asks for one and ends with 2', async () => {
    expect(await check('new.graphql')).toMatchObject({ exitCode: 2, warned: expect.stringContaining('--against') });
  });

  it('given our own supergraph, when checked against the released one, then no client is broken', async () => {
    const [next, released] = ['supergraph', 'released-supergraph'].map((name) => join(packageRoot, `schema/${name}.graphql`));
    expect(await check(next ?? '', '--against', released ?? '')).toMatchObject({ exitCode: 0 });
  });
});
