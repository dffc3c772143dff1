import { describe, expect, it } from '@jest/globals';
import { BY_ID, ERRORS } from '../support/document-parts.ts';
import { book } from '../support/library-graph.ts';
import { serveFacade } from '../support/serve-facade.ts';

const signedIn = { authorization: 'Bearer ann' };
const LENIENT = { prefer: 'handling=lenient' };
const MINIMAL = { prefer: 'return=minimal' };

/** URLs by their relation. */
const linksOf = (header: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries([...String(header).matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, href = '', rel = '']) => [rel, href]));

describe('parameters that lenient handling ignores', () => {
  it('are not in the links of a page, and every link works without the preference', async () => {
    await using facade = await serveFacade();
    const { status, headers } = await facade.send({ path: '/books/?foo=1&size=20&a=%3E&title=x+y&foo=2&page=2', headers: LENIENT });
    expect(status).toBe(200);
    expect(headers['preference-applied']).toBe('handling=lenient');
    expect(headers['content-location']).toBe('/books?size=20&title=x+y&page=2');
    const links = linksOf(headers['link']);
    expect(links['next']).toBe('/books?size=20&title=x+y&page=3');
    for (const path of Object.values(links)) expect((await facade.send({ path })).status).toBe(200);
  });

  it('leave only the needed parameters in the links', async () => {
    await using facade = await serveFacade();
    const { headers } = await facade.send({ path: '/books?foo', headers: LENIENT });
    expect(linksOf(headers['link'])['next']).toBe('/books?page=2');
  });

  it('are not in the links of the body', async () => {
    await using facade = await serveFacade();
    const accept = 'application/vnd.gatefold.links+json';
    const { json } = await facade.send({ path: '/books/1?foo=1&fields=id', headers: { ...LENIENT, accept } });
    expect(json['_links']).toMatchObject({ self: { href: '/books/1?fields=id' } });
  });
});

describe('the `return` preference of a write', () => {
  it('a write without content does not apply `return=representation`', async () => {
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
      'a secret in addition to the result',
      201,
      `mutation W(${input}) @endpoint(method: POST, path: "/books", status: 201, location: "/books/{id}") { createBook(input: $input) { ${end('receipt @hoist')} }`,
    ],
    [
      'a response that is never stored',
      201,
      `mutation W(${input}) @endpoint(method: POST, path: "/books", status: 201) @noStore { createBook(input: $input) { ${end('')} }`,
    ],
  ])('a write with %s returns its content despite `return=minimal`', async (_what, status, text) => {
    const root = { createBook: { book: book('46', { title: 'x' }), receipt: 'r-1', errors: [] } };
    await using facade = await serveFacade({ documents: [{ path: 'rest/x.graphql', text: `${READ}\n${text}` }], root });
    const response = await facade.send({ method: 'POST', path: '/books', body: { title: 'x' }, headers: MINIMAL });
    expect({ status: response.status, json: response.json }).toMatchObject({ status, json: { id: 46, title: 'x' } });
    expect(response.json['receipt']).toBe(text.includes('receipt') ? 'r-1' : undefined);
    expect(response.headers).not.toHaveProperty('preference-applied');
  });

  it('an ordinary write applies `return=minimal` and reports it', async () => {
    await using facade = await serveFacade();
    const { status, text, headers } = await facade.send({ method: 'POST', path: '/books', body: { title: 'x' }, headers: MINIMAL });
    expect({ status, text, applied: headers['preference-applied'] }).toEqual({ status: 201, text: '', applied: 'return=minimal' });
  });
});
