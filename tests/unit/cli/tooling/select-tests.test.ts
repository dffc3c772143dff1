import { describe, expect, it } from '@jest/globals';
import { loadProjects } from '../../../../cli/tooling/load-projects.ts';
import { describeSelection, selectTests, type Selection, without } from '../../../../cli/tooling/select-tests.ts';

/** The projects of this package. Each test file must belong to one of them. */
const projects = await loadProjects();

const select = (paths: Readonly<Record<string, readonly string[]>>, wanted?: readonly string[]): Selection =>
  selectTests(new Map(Object.entries(paths)), projects, wanted);
const one = (file: string, wanted?: readonly string[]): Selection => select({ [file]: [file] }, wanted);
const namesOf = (selection: Selection): unknown => ('projects' in selection ? selection.projects.map(({ name }) => name) : selection);

describe('the selection of tests by path', () => {
  it.each([
    ['tests/unit/cli/tooling/select-tests.test.ts', 'parts'],
    ['tests/integration/cache/isolation.test.ts', 'parts'],
    ['tests/e2e/start.test.ts', 'parts'],
    ['tests/integration/rest/books.test.ts', 'postgresql'],
    ['tests/integration/races.test.ts', 'postgresql'],
    ['tests/e2e/reference-shop.test.ts', 'postgresql'],
  ])('%s runs once, in %s', (file, project) => {
    expect(namesOf(one(file))).toEqual([project]);
  });

  it.each([
    ['a program', 'tests/proofs/attacks.ts'],
    ['a source', 'gateway/index.ts'],
    ['a test outside of this package', 'node_modules/a/tests/a.test.ts'],
  ])('rejects %s, because nothing would run', (_what, file) => {
    expect(one(file)).toEqual({ problem: `No tests found at ${file}. Tests are files in tests/ whose names end in .test.ts.` });
  });

  it('names a folder without tests', () => {
    expect(select({ 'tests/unit': ['tests/unit/a.test.ts'], 'tests/empty': ['tests/empty/a.ts'] })).toMatchObject({
      problem: expect.stringContaining('tests/empty'),
    });
  });

  it('runs each test of a folder in its project', () => {
    const files = ['tests/a/README.md', 'tests/unit/a.test.ts', 'tests/integration/rest/a.test.ts', 'tests/integration/cache/b.test.ts'];
    expect(select({ tests: files, 'tests/unit': ['tests/unit/a.test.ts'] })).toMatchObject({
      projects: [
        { name: 'parts', files: ['tests/unit/a.test.ts', 'tests/integration/cache/b.test.ts'] },
        { name: 'postgresql', files: ['tests/integration/rest/a.test.ts'] },
      ],
    });
  });

  it('runs the file in each named project', () => {
    expect(namesOf(one('tests/integration/rest/books.test.ts', ['apollo', 'pglite']))).toEqual(['pglite', 'apollo']);
  });

  it('runs a test of HTTP without the plain reader where the project is named', () => {
    expect(namesOf(one('tests/integration/telemetry/access-log.test.ts'))).toEqual(['parts']);
    expect(one('tests/integration/telemetry/access-log.test.ts', ['node-http'])).toMatchObject({
      projects: [{ name: 'node-http', reason: 'leaves all requests to Node.js' }],
    });
  });

  it('lists the projects that have the file when the named one does not', () => {
    expect(one('tests/unit/a.test.ts', ['apollo'])).toEqual({
      problem: 'Project apollo has no tests at tests/unit/a.test.ts. Projects with these tests: parts.',
    });
  });

  it('lists the existing projects for an unknown name', () => {
    expect(one('tests/unit/a.test.ts', ['nope'])).toEqual({
      problem: 'Unknown project: nope. Available projects: parts, postgresql, node-http, pglite, apollo.',
    });
  });

  it('describes in one line what runs in which project', () => {
    const selection = select({ tests: ['tests/unit/a.test.ts', 'tests/unit/b.test.ts', 'tests/integration/rest/a.test.ts'] });
    expect('projects' in selection && describeSelection(selection.projects)).toBe(
      'Running 2 files in parts (starts what it needs), 1 file in postgresql (against the reference graph on postgresql).',
    );
  });

  it('removing a path from the arguments retains the same text as a flag value', () => {
    expect(without(['-t', 'books', 'books', '--ci'], ['books', 'nope'])).toEqual(['-t', 'books', '--ci']);
  });
});
