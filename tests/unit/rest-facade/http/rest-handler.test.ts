import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { toExpress } from '../../../../rest-facade/index.ts';
import { book, failing } from '../support/library-graph.ts';
import { expectIssue } from '../../../support/description/expect-described-responses.ts';
import { type Sent, serveFacade } from '../support/serve-facade.ts';

const signedIn = { authorization: 'Bearer ann' };
const json = { 'content-type': 'application/json' };

describe('misuse of HTTP', () => {
  it.each<[string, Sent, number, string]>([
    ['an unknown path', { path: '/nothing' }, 404, 'NOT_FOUND'],
    ['a path in another case', { path: '/Books' }, 404, 'NOT_FOUND'],
    ['two slashes', { path: '/books//1' }, 404, 'NOT_FOUND'],
    ['two slashes at the end', { path: '/books//' }, 404, 'NOT_FOUND'],
    ['a path below a resource', { path: '/books/1/2' }, 404, 'NOT_FOUND'],
    ['a mount without a path', { path: '/api' }, 404, 'NOT_FOUND'],
    ['a mount below a mount', { path: '/api/api/books' }, 404, 'NOT_FOUND'],
    ['malformed percent-encoding', { path: '/books/%zz' }, 400, 'BAD_REQUEST'],
    ['bytes that are not UTF-8', { path: '/books/%ff' }, 400, 'BAD_REQUEST'],
    ['malformed percent-encoding in the query', { path: '/books?title=%' }, 400, 'BAD_REQUEST'],
    ['a URL that is too long', { path: `/books?title=${'x'.repeat(9_000)}` }, 414, 'URI_TOO_LONG'],
    ['an unsupported method', { path: '/books/1', method: 'POST', body: {} }, 405, 'METHOD_NOT_ALLOWED'],
    ['an unknown method', { path: '/books', method: 'PROPFIND' }, 501, 'METHOD_NOT_IMPLEMENTED'],
    ['content without a meaning', { path: '/books/1', method: 'DELETE', body: {}, headers: signedIn }, 400, 'BAD_REQUEST'],
    ['invalid credentials', { path: '/books', headers: { authorization: 'Bearer' } }, 401, 'UNAUTHENTICATED'],
    ['missing credentials', { path: '/books/1', method: 'DELETE' }, 401, 'UNAUTHENTICATED'],
    ['missing credentials with an invalid body', { path: '/charges', method: 'POST', body: '{' }, 401, 'UNAUTHENTICATED'],
    ['an Accept header without JSON', { path: '/books', headers: { accept: 'text/html' } }, 406, 'NOT_ACCEPTABLE'],
    ['an Accept header that excludes JSON', { path: '/books', headers: { accept: 'application/json;q=0' } }, 406, 'NOT_ACCEPTABLE'],
    ['a secret in the URL', { path: '/books?access_token=hunter2' }, 400, 'BAD_REQUEST'],
    ['a body without a type', { path: '/books', method: 'POST', body: '{"title":"x"}' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a form',
      { path: '/books', method: 'POST', body: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a merge patch on POST',
      { path: '/books', method: 'POST', body: '{"title":"x"}', headers: { 'content-type': 'application/merge-patch+json' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a JSON patch',
      { path: '/books/1', method: 'PATCH', body: '[]', headers: { 'content-type': 'application/json-patch+json' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'another charset',
      { path: '/books', method: 'POST', body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a body that is too large', { path: '/books', method: 'POST', body: { title: 'x'.repeat(5_000) } }, 413, 'PAYLOAD_TOO_LARGE'],
    ['a missing body', { path: '/books', method: 'POST', headers: json }, 400, 'BAD_REQUEST'],
    ['invalid JSON', { path: '/books', method: 'POST', body: '{"title":', headers: json }, 400, 'BAD_REQUEST'],
    ['a repeated key', { path: '/books', method: 'POST', body: '{"title":"x","title":"y"}', headers: json }, 400, 'BAD_REQUEST'],
    ['a body that is a list', { path: '/books', method: 'POST', body: [], headers: json }, 400, 'BAD_USER_INPUT'],
    ['an unknown parameter', { path: '/books?colour=red' }, 400, 'UNKNOWN_PARAMETER'],
    ['a repeated parameter', { path: '/books?title=x&title=y' }, 400, 'INVALID_PARAMETER'],
    ['a page that is too deep', { path: '/books?page=502' }, 400, 'PAGE_TOO_DEEP'],
    ['two kinds of pagination', { path: '/books?page=2&after=x' }, 400, 'PAGINATION_CONFLICT'],
    ['an invalid ID', { path: '/books/1.0' }, 404, 'NOT_FOUND'],
    ['an unknown ID', { path: '/books/99' }, 404, 'NOT_FOUND'],
    ['an unknown parent', { path: '/shelves/9/books' }, 404, 'NOT_FOUND'],
    [
      'a missing idempotency key',
      { path: '/charges', method: 'POST', body: { amount: 1 }, headers: signedIn },
      400,
      'IDEMPOTENCY_KEY_REQUIRED',
    ],
    [
      'a malformed idempotency key',
      { path: '/charges', method: 'POST', body: { amount: 1 }, headers: { ...signedIn, 'idempotency-key': 'two words' } },
      400,
      'IDEMPOTENCY_KEY_INVALID',
    ],
  ])('rejects %s in the flat error body', async (_title, request, status, code) => {
    await using facade = await serveFacade({ maxBodyBytes: 2_000 });
    const response = await facade.send({ ...request, headers: { 'x-correlation-id': 'trace-1', ...request.headers } });
    expect({ status: response.status, error: response.json['error'], text: response.text }).toEqual({
      status,
      error: code,
      text: response.text,
    });
    expect(response.json).toMatchObject({ message: expect.stringMatching(/./), traceId: 'trace-1' });
    expect(response.headers['x-correlation-id']).toBe('trace-1');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.text).not.toMatch(/hunter2|\$input|Input!|GraphQL| {4}at /);
    expect(facade.pinned()).toBe(0);
    expect(facade.seen.filter(({ request: { queryOnly } }) => queryOnly !== true)).toEqual([]);
  });

  it('rejects a field name that the graph has and the route does not show', async () => {
    await using facade = await serveFacade();
    expect((await facade.send({ path: '/api/books/1?fields=reviews' })).json).toMatchObject({ error: 'INVALID_PARAMETER' });
    expect(facade.seen).toEqual([]);
  });

  it('reports all mistakes of a request, and an invalid ID last', async () => {
    await using facade = await serveFacade();
    const response = await facade.send({ method: 'PATCH', path: '/books/abc?x=1', body: { title: 5, pages: 'many', colour: 'red' } });
    expect(response.status).toBe(400);
    expect(response.json['error']).toBe('UNKNOWN_PARAMETER');
    expect(response.json['details']).toEqual([
      { field: 'x', message: '"x" is not a known parameter; the available parameters are fields, version.' },
      { field: 'colour', message: '"colour" is not a known field; the allowed fields are title, pages, genre.' },
      { field: 'title', message: '"title" must be a string.' },
      { field: 'pages', message: '"pages" must be an integer from -2147483648 to 2147483647.' },
    ]);
  });

  it('limits the size of the response to thousands of mistakes', async () => {
    await using facade = await serveFacade();
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`.padEnd(150, 'x'), index]));
    const response = await facade.send({ method: 'POST', path: '/books', body });
    expect(response.status).toBe(400);
    expect(response.text.length).toBeLessThan(10_000);
    expect(response.json['message']).toContain('5000 more');
  });

  it('`Allow` lists the supported methods of a path', async () => {
    await using facade = await serveFacade();
    const allow = async (path: string, method = 'DELETE') => (await facade.send({ method, path })).headers['allow'];
    expect(await allow('/books')).toBe('GET, HEAD, POST, OPTIONS');
    expect(await allow('/api/books/1', 'POST')).toBe('GET, HEAD, PATCH, PUT, DELETE, OPTIONS');
    expect(await allow('/charges')).toBe('POST, OPTIONS');
  });

  it('lists the accepted body types in a header when the type is wrong', async () => {
    await using facade = await serveFacade();
    const error = (method: string, path: string) => facade.send({ method, path, body: 'x', headers: { 'content-type': 'text/plain' } });
    const own = 'application/vnd.gatefold+json, application/vnd.gatefold.v1+json';
    expect((await error('POST', '/books')).headers['accept-post']).toBe(`application/json, ${own}`);
    expect((await error('PATCH', '/books/1')).headers['accept-patch']).toBe(`application/json, application/merge-patch+json, ${own}`);
    expect((await error('PUT', '/books/1')).headers['accept']).toBe(`application/json, ${own}`);
  });

  it('`WWW-Authenticate` names the scheme when credentials are missing', async () => {
    await using facade = await serveFacade();
    expect((await facade.send({ method: 'DELETE', path: '/books/1' })).headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('replaces a malformed correlation ID by a new one', async () => {
    await using facade = await serveFacade();
    const { headers, json } = await facade.send({ path: '/nothing', headers: { 'x-correlation-id': 'a b' } });
    expect(headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(json['traceId']).toBe(headers['x-correlation-id']);
  });
});

describe('failures behind the facade', () => {
  it.each([
    ['SUBGRAPH_UNAVAILABLE', 503, 'SUBGRAPH_UNAVAILABLE'],
    ['GATEWAY_TIMEOUT', 503, 'GATEWAY_TIMEOUT'],
    ['FORBIDDEN', 403, 'FORBIDDEN'],
    ['UNAUTHENTICATED', 401, 'UNAUTHENTICATED'],
    ['BAD_USER_INPUT', 400, 'INVALID_PARAMETER'],
    ['CONFLICT', 409, 'CONFLICT'],
    ['GRAPHQL_VALIDATION_FAILED', 500, 'INTERNAL_SERVER_ERROR'],
    ['PERSISTED_QUERY_NOT_SUPPORTED', 500, 'INTERNAL_SERVER_ERROR'],
    ['OUT_OF_STOCK', 400, 'BAD_REQUEST'],
    ['__proto__', 400, 'BAD_REQUEST'],
    ['INTERNAL_SERVER_ERROR', 500, 'INTERNAL_SERVER_ERROR'],
  ])('the code %s from the graph becomes the status %d', async (code, status, error) => {
    await using facade = await serveFacade({ root: { book: failing(code, 'connect ECONNREFUSED 10.0.0.7:5432') } });
    const response = await facade.send({ path: '/books/1' });
    expect({ status: response.status, error: response.json['error'] }).toEqual({ status, error });
    if (status >= 500) expect(response.text).not.toContain('ECONNREFUSED');
    if (status === 503) expect(response.headers['retry-after']).toBe('1');
  });

  it('a failed nullable object fails the whole response', async () => {
    const broken = book('1', { writer: failing('SUBGRAPH_UNAVAILABLE', 'gone') });
    await using facade = await serveFacade({ root: { book: broken } });
    expect((await facade.send({ path: '/books/1' })).status).toBe(503);
  });

  it('logs the details of an internal error that the client does not receive', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, error: (line: unknown) => void lines.push(line) };
    await using facade = await serveFacade({ root: { book: failing('INTERNAL_SERVER_ERROR', 'relation "book" does not exist') }, logger });
    await facade.send({ path: '/books/1', headers: { 'x-correlation-id': 'trace-7' } });
    expect(lines).toEqual([
      {
        correlationId: 'trace-7',
        err: expect.objectContaining({ cause: new Error('INTERNAL_SERVER_ERROR at book: relation "book" does not exist') }),
      },
    ]);
  });

  it('returns a constant message when a resolver throws an internal error', async () => {
    await using facade = await serveFacade({
      root: {
        book: () => {
          throw new Error('duplicate key value violates unique constraint');
        },
      },
    });
    const response = await facade.send({ path: '/books/1' });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('constraint');
  });

  it.each([
    [
      [{ field: 'input.title', message: 'Too long.', code: 'BAD_USER_INPUT' }],
      400,
      'BAD_USER_INPUT',
      [{ field: 'title', message: 'Too long.' }],
    ],
    [[{ field: 'id', message: 'No such book.', code: 'NOT_FOUND' }], 404, 'NOT_FOUND', [{ field: 'book_id', message: 'No such book.' }]],
    [[{ field: '', message: 'Sold out.', code: 'CONFLICT' }], 409, 'CONFLICT', undefined],
    [[{ field: '', message: 'Ours.', code: 'INTERNAL_SERVER_ERROR' }], 400, 'BAD_USER_INPUT', undefined],
    [[{ field: 'input.origin.year', message: 'Odd.', code: 'ODD' }], 400, 'BAD_USER_INPUT', [{ field: 'origin.year', message: 'Odd.' }]],
    [
      [
        { field: '', message: 'Taken.', code: 'CONFLICT' },
        { field: 'input.pages', message: 'Too few.', code: 'BAD_USER_INPUT' },
      ],
      400,
      'BAD_USER_INPUT',
      [{ field: 'pages', message: 'Too few.' }],
    ],
  ])('the business errors %j of a replacement are returned with REST field names', async (errors, status, code, details) => {
    await using facade = await serveFacade({ root: { replaceBook: { book: null, errors } } });
    const response = await facade.send({ method: 'PUT', path: '/books/1', body: { title: 'x' } });
    expect(response.status).toBe(status);
    expect(response.json).toMatchObject({ error: code });
    expect(response.json['details']).toEqual(details);
  });

  it('returns 404 when a deletion returns neither a book nor an error', async () => {
    await using facade = await serveFacade({ root: { deleteBook: { book: null, errors: [] } } });
    expect((await facade.send({ method: 'DELETE', path: '/books/1', headers: signedIn })).status).toBe(404);
  });
});

describe('fields that the caller may not read', () => {
  it('are omitted at every depth for an anonymous caller', async () => {
    await using facade = await serveFacade();
    const { status, json } = await facade.send({ path: '/books/1' });
    expect(status).toBe(200);
    expect(json).not.toHaveProperty('note');
    expect(json['writer']).toEqual({ id: 7, name: 'A. Writer' });
  });

  it('are omitted from every item of a page for an anonymous caller', async () => {
    await using facade = await serveFacade();
    const { json } = await facade.send({ path: '/books?size=2' });
    expect(json['data']).toEqual([
      expect.not.objectContaining({ note: expect.anything() }),
      expect.not.objectContaining({ note: expect.anything() }),
    ]);
  });

  it.each(['note', 'id,note', 'writer.phone'])('fields=%s returns 401 when a named field is not readable', async (fields) => {
    await using facade = await serveFacade();
    expect((await facade.send({ path: `/books/1?fields=${fields}` })).status).toBe(401);
    expect((await facade.send({ path: `/books?fields=${fields}` })).status).toBe(401);
  });

  it('are omitted from an object that `fields` names as a whole', async () => {
    await using facade = await serveFacade();
    expect((await facade.send({ path: '/books/1?fields=writer' })).json).toEqual({ writer: { id: 7, name: 'A. Writer' } });
  });

  it('a successful write omits them even when `fields` names them', async () => {
    await using facade = await serveFacade();
    const response = await facade.send({ method: 'POST', path: '/books?fields=id,note', body: { title: 'x' } });
    expect({ status: response.status, json: response.json }).toEqual({ status: 201, json: { id: 46 } });
  });

  it('are all returned to a caller with credentials', async () => {
    await using facade = await serveFacade();
    const { json } = await facade.send({ path: '/books/1', headers: signedIn });
    expect(json).toMatchObject({ note: 'private', writer: { phone: '555' } });
  });
});

describe('responses', () => {
  it('have integer IDs and the fields in the order of the document', async () => {
    await using facade = await serveFacade();
    const { text, headers } = await facade.send({ path: '/books/3', headers: signedIn });
    expect(text).toBe(
      '{"id":3,"title":"Book 3","pages":100,"price":9.5,"genre":"NOVEL","tags":["a","b"],"note":"private","writer":{"id":7,"name":"A. Writer","phone":"555"},"relatedIds":[1,2]}',
    );
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' });
  });

  it('return an ID as text when it is not a number', async () => {
    await using facade = await serveFacade({ root: { book: book('b-1') } });
    expect((await facade.send({ path: '/books/3' })).json['id']).toBe('b-1');
    await expectIssue(/id must be integer/);
  });

  it.each(['', '/api'])('have a Location below the mount "%s" after a creation', async (mount) => {
    await using facade = await serveFacade();
    const response = await facade.send({ method: 'POST', path: `${mount}/books?fields=title`, body: { title: 'New' } });
    expect({ status: response.status, location: response.headers['location'], text: response.text }).toEqual({
      status: 201,
      location: `${mount}/books/46`,
      text: '{"title":"New"}',
    });
  });

  it('escape the characters of an ID in Location', async () => {
    await using facade = await serveFacade({ root: { createBook: { book: book('a/b c'), errors: [] } } });
    expect((await facade.send({ method: 'POST', path: '/books', body: { title: 'x' } })).headers['location']).toBe('/books/a%2Fb%20c');
    await expectIssue(/id must be integer/);
  });

  it('to a deletion have status 204 without a body or a type', async () => {
    await using facade = await serveFacade();
    const response = await facade.send({ method: 'DELETE', path: '/books/1', headers: signedIn });
    expect({ status: response.status, text: response.text, type: response.headers['content-type'] }).toEqual({
      status: 204,
      text: '',
      type: undefined,
    });
  });

  it('to HEAD have the headers of GET and no body', async () => {
    await using facade = await serveFacade();
    const headers = { 'x-correlation-id': 'same' };
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => facade.send({ method, path: '/books?size=3', headers })));
    expect(head?.text).toBe('');
    expect({ ...head?.headers, date: '' }).toEqual({ ...get?.headers, date: '' });
  });

  it('to OPTIONS have status 204 and list the allowed methods without credentials', async () => {
    await using facade = await serveFacade();
    const { status, headers, text } = await facade.send({ method: 'OPTIONS', path: '/books/1' });
    expect({ status, text, allow: headers['allow'], patch: headers['accept-patch'] }).toEqual({
      status: 204,
      text: '',
      allow: 'GET, HEAD, PATCH, PUT, DELETE, OPTIONS',
      patch: 'application/json, application/merge-patch+json, application/vnd.gatefold+json, application/vnd.gatefold.v1+json',
    });
  });

  it('are the same for a path with a trailing slash', async () => {
    await using facade = await serveFacade();
    const [one, other] = [await facade.send({ path: '/books/1/' }), await facade.send({ path: '/books/1' })];
    expect(one.json).toEqual(other.json);
  });

  it('name the outer path in Location and Link when another server mounts the facade', async () => {
    await using facade = await serveFacade({ wrap: (inner) => express().disable('x-powered-by').use('/shop', toExpress(inner)) });
    const created = await facade.send({ method: 'POST', path: '/shop/api/books', body: { title: 'x' } });
    expect(created.headers['location']).toBe('/shop/api/books/46');
    expect((await facade.send({ path: '/shop/books?size=40' })).headers['link']).toContain('</shop/books?size=40&page=2>; rel="next"');
    expect((await facade.send({ path: '/shop/nothing' })).json).toMatchObject({ error: 'NOT_FOUND' });
  });

  it('have status 500 instead of hanging when a body parser ran before the facade', async () => {
    await using facade = await serveFacade({ wrap: (inner) => express().disable('x-powered-by').use(express.json(), toExpress(inner)) });
    expect((await facade.send({ method: 'POST', path: '/books', body: { title: 'x' } })).status).toBe(500);
  });
});
