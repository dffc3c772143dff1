import { describe, expect, it } from '@jest/globals';
import { compileRoutes } from '../../../../../rest-facade/index.ts';
import { compileVersions, successorVersion } from '../../../../../rest-facade/compile/endpoint/versions.ts';
import { BY_ID, GET_BOOK, get } from '../../support/document-parts.ts';
import { librarySchema } from '../../support/library-graph.ts';

const book = (name: string, more: string): string =>
  `query ${name}(${BY_ID}) @endpoint(${GET_BOOK}, ${more}) { book(id: $id) @result { id } }\n`;
const compile = (text: string) => compileRoutes([{ path: 'rest/x.graphql', text }], librarySchema);

describe('versions in documents', () => {
  it.each([
    ['since: 0', '`since` or `until` is not a valid version.'],
    ['since: 100', '`since` or `until` is not a valid version.'],
    ['until: 0', '`since` or `until` is not a valid version.'],
    ['since: 2, until: 1', 'The last version, 1, is lower than the first version, 2.'],
    ['deprecated: "soon"', '`deprecated` or `sunset` is not a valid date.'],
    ['deprecated: "2026-02-30"', '`deprecated` or `sunset` is not a valid date.'],
    ['deprecated: "2026-01-01", sunset: "2099-12-31T23:59:59+01:00"', '`deprecated` or `sunset` is not a valid date.'],
    ['sunset: "2099-12-31"', '`sunset` requires `deprecated`.'],
    ['deprecated: "2026-01-02", sunset: "2026-01-01"', '`sunset` is earlier than `deprecated`.'],
  ])('rejects %s', (more, message) => {
    expect(compile(book('A', more)).problems).toMatchObject([{ message, file: 'rest/x.graphql', line: 1 }]);
  });

  it('rejects a path that starts with a version', () => {
    const text = `query A(${BY_ID}) @endpoint(method: GET, path: "/v2/books/{book_id}") { book(id: $id) @result { id } }`;
    expect(compile(text).problems).toMatchObject([{ message: 'The path "/v2/books/{book_id}" starts with a version.' }]);
  });

  it('names the endpoint that must end when a version would change for its clients', () => {
    expect(compile(book('A', 'since: 1') + book('B', 'since: 3')).problems).toEqual([
      {
        message: 'A already serves GET on this path.',
        hint: 'The endpoint changes in a later version: end A first with `until: 2`.',
        file: 'rest/x.graphql',
        line: 2,
        column: expect.any(Number),
      },
    ]);
    expect(compile(book('B', 'since: 2') + book('A', 'until: 2')).problems).toMatchObject([
      { hint: 'The endpoint changes in a later version: end A first with `until: 1`.' },
    ]);
  });

  it('of endpoints with disjoint lifespans, the later one succeeds the earlier', () => {
    const { routes, problems } = compile(book('A', 'until: 1') + book('C', 'since: 3') + book('B', 'since: 2, until: 2'));
    expect(problems).toEqual([]);
    expect(compileVersions(routes, 1).all).toEqual([1, 2, 3]);
    expect(routes.map((route) => [route.operationName, successorVersion(route, routes)])).toEqual([
      ['A', 2],
      ['C', undefined],
      ['B', 3],
    ]);
  });

  it('adds a version after the end of a route', () => {
    expect(compileVersions(compile(book('A', 'until: 1')).routes, 1).all).toEqual([1, 2]);
  });

  it('reports the version in which a location has no target', () => {
    const create = `mutation New($input: CreateBookInput! @body) @endpoint(method: POST, path: "/books", status: 201, location: "/books/{id}") {
      createBook(input: $input) { book @result { id } errors @userErrors { field message code } }
    }`;
    expect(compile(book('A', 'until: 1') + create).problems).toMatchObject([
      { message: 'The location cannot be resolved: version 2 has no endpoint GET /books/{id}.', line: 2 },
    ]);
    expect(compile(book('A', 'until: 1') + book('B', 'since: 2') + create).problems).toEqual([]);
  });

  it('a deprecation starts at the first second of its date, a sunset at the last', () => {
    const { routes } = compile(book('A', 'deprecated: "2026-01-01", sunset: "2099-12-31"'));
    expect(routes[0]?.lifespan).toEqual({
      since: 1,
      deprecatedAt: Date.UTC(2026, 0, 1) / 1_000,
      sunsetAt: Date.UTC(2099, 11, 31, 23, 59, 59),
    });
  });
});

describe('names of body fields', () => {
  const create = (names: string): string =>
    `${get(BY_ID, GET_BOOK)}
    mutation A($input: CreateBookInput! @body(names: [${names}])) @endpoint(method: POST, path: "/books", status: 201, location: "/books/{id}") {
      createBook(input: $input) { book @result { id } errors @userErrors { field message code } }
    }`;

  it.each([
    ['{ field: "titel", as: "name" }', 'CreateBookInput has no field titel.'],
    ['{ field: "title", as: "a b" }', '"a b" is not a valid field name.'],
    ['{ field: "title", as: "pages" }', 'Two fields of the body have the same name, pages.'],
    ['{ field: "title", as: "name" }, { field: "title", as: "label" }', 'Two fields of the body have the same name.'],
  ])('rejects %s', (names, message) => {
    expect(compile(create(names)).problems).toMatchObject([{ message }]);
  });

  it('accepts two fields that swap their names', () => {
    expect(compile(create('{ field: "title", as: "pages" }, { field: "pages", as: "title" }')).problems).toEqual([]);
  });
});
