import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { compileRoutes, type MappingProblem } from '../../../../rest-facade/index.ts';
import { brokenBodies } from '../support/broken-bodies.ts';
import { brokenResponses } from '../support/broken-responses.ts';
import { brokenConditions } from '../support/broken-conditions.ts';
import { brokenEndpoints } from '../support/broken-endpoints.ts';
import { brokenVariables } from '../support/broken-variables.ts';
import { BY_ID, GET_BOOK, get } from '../support/document-parts.ts';
import { libraryDocuments } from '../support/library-documents.ts';
import { librarySchema } from '../support/library-graph.ts';

const problemsOf = (text: string): readonly MappingProblem[] => compileRoutes([{ path: 'rest/x.graphql', text }], librarySchema).problems;

describe('mistakes in documents', () => {
  it.each([...brokenEndpoints, ...brokenVariables, ...brokenBodies, ...brokenResponses, ...brokenConditions])(
    'reports %s with its position and a hint',
    (...[_title, text, at, message, hint]) => {
      const lines = `# a comment\n${text}`;
      const problems = problemsOf(lines);
      expect(problems).toHaveLength(1);
      const [problem] = problems;
      expect(problem?.message).toMatch(message);
      expect(problem?.hint).toMatch(hint);
      expect(problem?.file).toBe('rest/x.graphql');
      const reported = lines.split('\n')[(problem?.line ?? 0) - 1]?.slice((problem?.column ?? 0) - 1);
      expect(reported?.startsWith(at)).toBe(true);
    },
  );

  it('reports mistakes of several files, also syntax errors, in reading order', () => {
    const { problems } = compileRoutes(
      [
        {
          path: 'b.graphql',
          text: `${get(BY_ID, GET_BOOK, 'book(id: $id) @result { ...Elsewhere titel }')}\n\n\nquery Q2 @endpoint(method: PUT, path: "x") { book(id: 1) { id } }`,
        },
        { path: 'a.graphql', text: 'fragment Elsewhere on Book {' },
      ],
      librarySchema,
    );
    expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      expect.stringMatching(/^a\.graphql:1 Syntax Error/),
      expect.stringMatching(/^b\.graphql:1 Cannot query field "titel"/),
      expect.stringMatching(/^b\.graphql:4 The operation has no @result/),
      expect.stringMatching(/^b\.graphql:4 PUT cannot run a query/),
      expect.stringMatching(/^b\.graphql:4 The path "x" is invalid/),
    ]);
  });

  it('reports a wrong variable once when the operation has two endpoints', () => {
    const text = get(
      `${BY_ID}, $t: Int`,
      `${GET_BOOK}) @endpoint(method: GET, path: "/volumes/{book_id}"`,
      'book(id: $id) @result { reviews(first: $t) { id } }',
    );
    expect(problemsOf(text)).toHaveLength(1);
  });
});

describe('valid documents', () => {
  it('compiles each endpoint of the library documents to a route', () => {
    const { routes, problems } = compileRoutes(libraryDocuments, librarySchema);
    expect(problems).toEqual([]);
    expect(routes.map(({ operationName, method }) => `${method} ${operationName}`)).toEqual([
      'GET ListBooks',
      'GET GetBook',
      'POST CreateBook',
      'PATCH UpdateBook',
      'PUT ReplaceBook',
      'DELETE DeleteBook',
      'GET ListShelfBooks',
      'GET GetCharge',
      'POST Charge',
    ]);
  });

  it('uses the `@result` of the facade when the graph has a directive of that name', () => {
    const schema = buildSchema('directive @result(x: Int!) on FIELD  type Query { book(id: ID!): Book } type Book { id: ID! }');
    expect(compileRoutes([{ path: 'x', text: get(BY_ID, GET_BOOK) }], schema).problems).toEqual([]);
  });
});
