import { describe, expect, it } from '@jest/globals';
import { compileRoutes, type MappingProblem } from '../../../../../rest-facade/index.ts';
import { librarySchema } from '../../support/library-graph.ts';
import { serveFacade } from '../../support/serve-facade.ts';

const SELF = '@link(rel: "self", href: "/books/{id}")';
const text = (links: string, more = ''): string => `
fragment B on Book ${links} { id title genre writer { id } }
query GetBook($id: ID! @in(path: "book_id")) @endpoint(method: GET, path: "/books/{book_id}") { book(id: $id) @result { ...B } }
${more}`;
const problemsOf = (document: string): readonly MappingProblem[] =>
  compileRoutes([{ path: 'rest/x.graphql', text: document }], librarySchema).problems;

describe('links without a target', () => {
  it.each([
    ['@link(rel: "self", href: "books/{id}")', 'The link "books/{id}" is not a valid path: it must start with "/".'],
    ['@link(rel: "self", href: "/books/{isbn}")', 'The link needs {isbn}, which is not a scalar field of Book.'],
    ['@link(rel: "self", href: "/books/{writer}")', 'The link needs {writer}, which is not a scalar field of Book.'],
    ['@link(rel: "self", href: "/books/{tags}")', 'The link needs {tags}, which is not a scalar field of Book.'],
    ['@link(rel: "self", href: "/tomes/{id}")', 'The link cannot be resolved: version 1 has no endpoint GET /tomes/{id}.'],
    [
      `${SELF} @link(rel: "remove", href: "/books/{id}", method: DELETE)`,
      'The link cannot be resolved: version 1 has no endpoint DELETE /books/{id}.',
    ],
    ['@link(rel: "book", href: "/books/{id}")', 'The object has links, but no link to itself.'],
    [`${SELF} @link(rel: "book", href: "/books/{id}", in: ["NOVEL"])`, '`in` requires `if`.'],
    [
      `${SELF} @link(rel: "book", href: "/books/{id}", if: "writer.age")`,
      'The link needs {writer.age}, which is not a scalar field of Book.',
    ],
    [
      `${SELF} @link(rel: "book", href: "/books/{id}", if: "reviews.id")`,
      'The link needs {reviews.id}, which is not a scalar field of Book.',
    ],
    [`${SELF} @link(rel: "book", href: "/books/{id}", owner: "writer")`, 'The link needs {writer}, which is not a scalar field of Book.'],
    [
      `${SELF} @link(rel: "book", href: "/books/{id}", if: "writer", in: ["x"])`,
      'The link needs {writer}, which is not a scalar field of Book.',
    ],
  ])('reports %s once', (links, message) => {
    expect(problemsOf(text(links))).toMatchObject([{ message, file: 'rest/x.graphql', line: 2 }]);
  });

  it('rejects a link "self" with another method than GET', () => {
    expect(problemsOf(text('@link(rel: "self", href: "/books/{id}", method: DELETE)'))).toMatchObject([
      { message: 'The link "self" must use GET.' },
      { message: 'The link cannot be resolved: version 1 has no endpoint DELETE /books/{id}.' },
    ]);
  });

  it('reports the version without the target when the linked endpoint ends earlier', () => {
    const more = `query Tome($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/tomes/{id}", until: 1) { book(id: $id) @result { id } }`;
    expect(problemsOf(text(`${SELF} @link(rel: "tome", href: "/tomes/{id}")`, more))).toMatchObject([
      { message: 'The link cannot be resolved: version 2 has no endpoint GET /tomes/{id}.' },
    ]);
  });

  it('rejects a link on a scalar value', () => {
    expect(problemsOf(text(SELF).replace('title', 'title @link(rel: "x", href: "/books/{id}")'))).toMatchObject([
      { message: 'A scalar field cannot have links.' },
    ]);
  });
});

describe('links of a resource', () => {
  const documents = [
    {
      path: 'rest/x.graphql',
      text: text(
        `${SELF} @link(rel: "similar", href: "/books/{label}", if: "kind", in: ["NOVEL"])`,
        `mutation Drop($id: ID! @in(path: "book_id")) @endpoint(method: DELETE, path: "/books/{book_id}", status: 204, signedIn: true) {
          deleteBook(id: $id) { book @result { id } errors @userErrors { field message code } } }`,
      )
        .replace('title genre', 'label: title kind: genre')
        .replace(SELF, `${SELF} @link(rel: "remove", href: "/books/{id}", method: DELETE)`),
    },
  ];
  const accept = 'application/vnd.gatefold.links+json';

  it('link templates use the aliases of the document and select hidden fields', async () => {
    await using facade = await serveFacade({ documents });
    const { json, headers } = await facade.send({ path: '/books/3?fields=label', headers: { accept } });
    expect(json).toEqual({ label: 'Book 3', _links: { self: { href: '/books/3' }, similar: { href: '/books/Book%203' } } });
    expect(headers['content-type']).toBe(accept);
    expect(facade.seen[0]?.text).toContain('_link_Book_kind: genre');
    await facade.send({ path: '/books/3' });
    expect(facade.seen[1]?.text).not.toContain('_link_');
  });

  it('omits a link when the state of the resource does not allow it', async () => {
    const poem = { id: '3', title: 'Ode', genre: 'POETRY', writer: null };
    await using facade = await serveFacade({ documents, root: { book: poem } });
    expect((await facade.send({ path: '/books/3', headers: { accept } })).json['_links']).toEqual({ self: { href: '/books/3' } });
  });

  it('omits a link when the caller may not use it', async () => {
    await using facade = await serveFacade({ documents });
    const rels = async (headers: Readonly<Record<string, string>>) =>
      Object.keys((await facade.send({ path: '/books/3', headers: { accept, ...headers } })).json['_links'] as object);
    expect(await rels({})).toEqual(['self', 'similar']);
    expect(await rels({ authorization: 'Bearer ann' })).toEqual(['self', 'remove', 'similar']);
  });
});

describe('documents that grow by expansion', () => {
  it('rejects fragments that each spread the next one twice, without expanding them', () => {
    const fragments = Array.from(
      { length: 60 },
      (_, index) => `fragment F${index} on Book { a${index}: title ${index === 59 ? '' : `...F${index + 1} ... { ...F${index + 1} }`} }`,
    );
    const query = `query Q($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { ...F0 } }`;
    expect(problemsOf([query, ...fragments].join('\n'))).toMatchObject([
      { message: 'Q selects more than 100000 fields after its fragments are expanded.', line: 1 },
    ]);
  });
});
