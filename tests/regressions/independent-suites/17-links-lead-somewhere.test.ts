import { describe, expect, it } from '@jest/globals';
import { serveFacade } from '../../unit/rest-facade/support/serve-facade.ts';

const headers = { accept: 'application/vnd.gatefold.links+json' };
const documentWith = (link: string) => [
  {
    path: 'rest/books.graphql',
    text: `
fragment B on Book @link(rel: "self", href: "/books/{id}") ${link} { id title }
query GetBook($id: ID! @in(path: "book_id")) @endpoint(method: GET, path: "/books/{book_id}") { book(id: $id) @result { ...B } }`,
  },
];
const bookWith = (writer: unknown) => ({ id: '3', title: 'Ode', genre: 'POETRY', writer });

describe('point 17: links with a condition on a nested object', () => {
  const relsOf = async (link: string, writer: unknown) => {
    await using facade = await serveFacade({ documents: documentWith(link), root: { book: bookWith(writer) } });
    const response = await facade.send({ path: '/books/3?fields=title', headers });
    expect(response.status).toBe(200);
    expect(JSON.stringify(response.json)).not.toContain('_link_');
    return Object.keys(response.json['_links'] as object);
  };
  const ifThere = '@link(rel: "writer", href: "/books/{id}", if: "writer.phone")';

  it('are shown if the field is not null', async () => {
    expect(await relsOf(ifThere, { id: '1', name: 'Ann', phone: '1' })).toEqual(['self', 'writer']);
  });

  it.each([
    ['the object is null', null],
    ['the field is null', { id: '1', name: 'Ann', phone: null }],
  ])('are omitted if %s', async (_case, writer) => {
    expect(await relsOf(ifThere, writer)).toEqual(['self']);
  });

  it('are omitted if the field has another value', async () => {
    const link = '@link(rel: "writer", href: "/books/{id}", if: "writer.name", in: ["Ann"])';
    expect(await relsOf(link, { id: '1', name: 'Ann' })).toEqual(['self', 'writer']);
    expect(await relsOf(link, { id: '1', name: 'Bob' })).toEqual(['self']);
  });

  it('are omitted, without any other failure, if the condition cannot be read', async () => {
    const failing = { id: '1', name: 'Ann', phone: () => Promise.reject(new Error('The subgraph does not respond.')) };
    expect(await relsOf(ifThere, failing)).toEqual(['self']);
  });
});
