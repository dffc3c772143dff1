import { describe, expect, it } from '@jest/globals';
import { BY_ID, ERRORS } from '../support/document-parts.ts';
import { book } from '../support/library-graph.ts';
import { serveFacade } from '../support/serve-facade.ts';

const signedIn = { authorization: 'Bearer ann' };
const LENIENT = { prefer: 'handling=lenient' };
const MINIMAL = { prefer: 'return=minimal' };

/** Addresses by their relation. */
const linksOf = (header: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries([...String(header).matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, href = '', rel = '']) => [rel, href]));

describe('parameters that are passed over', () => {
  it('given some on a page, when read leniently, then its links have none of them, and are there for everybody', async () => {
    await using facade = await serveFacade();
    const { status, headers } = await facade.send({ path: '/books/?foo=1&size=20&a=%3E&title=x+y&foo=2&page=2', headers: LENIENT });
    expect(status).toBe(200);
    expect(headers['preference-applied']).toBe('handling=lenient');
    expect(headers['content-location']).toBe('/books?size=20&title=x+y&page=2');
    const links = linksOf(headers['link']);
    expect(links['next']).toBe('/books?size=20&title=x+y&page=3');
    for (const path of Object.values(links)) expect((await facade.send({ path })).status).toBe(200);
  });

  it('given nothing else, when read leniently, then the links have what is needed alone', async () => {
    await using facade = await serveFacade();
    const { headers } = await facade.send({ path: '/books?foo', headers: LENIENT });
    expect(linksOf(headers['link'])['next']).toBe('/books?page=2');
  });

  it('given links in the answer, when read leniently, then they lead to what is there for everybody', async () => {
    await using facade = await serveFacade();
    const accept = 'application/vnd.gatefold.links+json';
    const { json } = await facade.send({ path: '/books/1?foo=1&fields=id', headers: { ...LENIENT, accept } });
    expect(json['_links']).toMatchObject({ self: { href: '/books/1?fields=id' } });
  });
});

describe('what is preferred to be shown of a write', () => {
  it('given a write that has nothing to show, when all is preferred, then no header says that it was heeded', async () => {
    await using facade = await serveFacade();
    const { status, headers } = await facade.send({
      method: 'DELETE',
      path: '/books/1',
      headers: { ...signedIn, prefer: 'return=representation' },
    });
    expect(status).toBe(204);
    expect(headers).not.toHaveProperty('preference-applied');
  });

  const input = '$input: CreateBookInput! @body';
  const end = (more: string): string => `book @result { id @integer title } ${more} ${ERRORS} }`;
  const READ = `query Read(${BY_ID}) @endpoint(method: GET, path: "/books/{book_id}") { book(id: $id) @result { id @integer title } }`;

  it.each([
    [
      'a secret beside it',
      201,
      `mutation W(${input}) @endpoint(method: POST, path: "/books", status: 201, location: "/books/{id}") { createBook(input: $input) { ${end('receipt @beside')} }`,
    ],
    [
      'an answer that nobody keeps',
      201,
      `mutation W(${input}) @endpoint(method: POST, path: "/books", status: 201) @noStore { createBook(input: $input) { ${end('')} }`,
    ],
  ])('given %s, when nothing of it is preferred, then it is shown all the same: nowhere else is it', async (_what, status, text) => {
    const root = { createBook: { book: book('46', { title: 'x' }), receipt: 'r-1', errors: [] } };
    await using facade = await serveFacade({ documents: [{ path: 'rest/x.graphql', text: `${READ}\n${text}` }], root });
    const answer = await facade.send({ method: 'POST', path: '/books', body: { title: 'x' }, headers: MINIMAL });
    expect({ status: answer.status, json: answer.json }).toMatchObject({ status, json: { id: 46, title: 'x' } });
    expect(answer.json['receipt']).toBe(text.includes('receipt') ? 'r-1' : undefined);
    expect(answer.headers).not.toHaveProperty('preference-applied');
  });

  it('given a write like all others, when nothing of it is preferred, then it is told that this was heeded', async () => {
    await using facade = await serveFacade();
    const { status, text, headers } = await facade.send({ method: 'POST', path: '/books', body: { title: 'x' }, headers: MINIMAL });
    expect({ status, text, applied: headers['preference-applied'] }).toEqual({ status: 201, text: '', applied: 'return=minimal' });
  });
});
