import { describe, expect, it } from '@jest/globals';
import { BY_ID, ERRORS } from '../support/document-parts.ts';
import { serveFacade } from '../support/serve-facade.ts';

describe('request bodies', () => {
  it('a PUT with `Content-Range` returns 400 and replaces nothing', async () => {
    await using facade = await serveFacade();
    const replace = (headers: Record<string, string>) => facade.send({ method: 'PUT', path: '/books/1', body: { title: 'x' }, headers });
    const { status, json } = await replace({ 'content-range': 'bytes 0-11/200' });
    expect({ status, error: json['error'] }).toEqual({ status: 400, error: 'BAD_REQUEST' });
    expect(facade.seen).toEqual([]);
    expect((await replace({})).status).toBe(200);
  });

  it('OPTIONS of a POST without a body has no `Accept-Post` header', async () => {
    const text = `mutation W(${BY_ID}) @endpoint(method: POST, path: "/books/{book_id}") { deleteBook(id: $id) { book @result { id @integer } ${ERRORS} } }`;
    await using facade = await serveFacade({ documents: [{ path: 'rest/x.graphql', text }] });
    const { headers } = await facade.send({ method: 'OPTIONS', path: '/books/1' });
    expect(headers['allow']).toBe('POST, OPTIONS');
    expect(headers).not.toHaveProperty('accept-post');
  });

  const send = async (type: string, request: { readonly method: string; readonly path: string }) => {
    await using facade = await serveFacade();
    const { status, json } = await facade.send({ ...request, body: { title: 'x' }, headers: { 'content-type': type } });
    expect(facade.seen).toHaveLength(status < 400 ? 1 : 0);
    return { status, error: json['error'] };
  };
  const POST = { method: 'POST', path: '/books' };
  const PATCH = { method: 'PATCH', path: '/books/1' };

  it.each([
    ['application/vnd.foo+json', POST],
    ['application/vnd.foo.v1+json', POST],
    ['application/vnd.gatefold.links+json', POST],
    ['application/vnd.gatefold.v1.envelope+json', PATCH],
    ['application/vnd.gatefold.v0+json', PATCH],
  ])('rejects the body type %s, which is not documented', async (type, request) => {
    expect(await send(type, request)).toEqual({ status: 415, error: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it.each([
    ['application/vnd.gatefold.v1+json', POST, 201],
    ['Application/Vnd.Gatefold+JSON; charset=utf-8', POST, 201],
    ['application/vnd.gatefold.v1+json', { ...POST, path: '/v1/books?version=1' }, 201],
    ['application/vnd.gatefold+json', { ...PATCH, method: 'PUT' }, 200],
    ['application/vnd.gatefold.v1+json', PATCH, 200],
  ])('accepts the vendor type %s for %j', async (type, request, status) => {
    expect(await send(type, request)).toEqual({ status, error: undefined });
  });

  it('returns `VERSION_CONFLICT` when the body has another version than the request', async () => {
    expect(await send('application/vnd.gatefold.v2+json', POST)).toEqual({ status: 400, error: 'VERSION_CONFLICT' });
  });
});
